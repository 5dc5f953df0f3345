import { commandOf } from './command.ts'

export const command = commandOf({
  description: 'print a script with which a shell completes commands, options and values',
  arguments: { '<shell>': 'bash, zsh or fish' },
  onOlderNode: true,
  load: async () => (await import('../completion.ts')).completion,
})
