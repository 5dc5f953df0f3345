import { commandOf } from './command.ts'
import { json } from './shared-options.ts'

export const command = commandOf({
  description: 'print a page of the documentation, offline',
  arguments: {
    '[words...]': 'a page, a name, a command or a code, or words to search for; default: the index',
  },
  options: { '--open': 'open it in a browser', ...json },
  onOlderNode: true,
  load: async () => (await import('../docs/docs.ts')).docs,
})
