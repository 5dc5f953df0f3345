import { commandOf } from './command.ts'

export const command = commandOf({
  description: 'create a provider from a template',
  arguments: { '[folder]': 'an empty or new folder' },
  options: {
    '-t, --template <name>': 'rates, payments or full',
    '-y, --yes': 'ask no questions; the template is full unless you name one',
    '--no-install': 'do not run npm install',
  },
  onOlderNode: true,
  load: async () => (await import('../init.ts')).init,
})
