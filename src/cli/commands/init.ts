import type { Command } from './command.ts'

export const command: Command = {
  description: 'make a new provider from a template',
  arguments: { '[folder]': 'an empty or new folder' },
  options: {
    '-t, --template <name>': 'rates, payments or full',
    '-y, --yes': 'ask nothing; template full where none is named',
    '--no-install': 'leave out npm install',
  },
  onOlderNode: true,
  load: async () => (await import('../init.ts')).init,
}
