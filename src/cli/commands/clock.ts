import type { Command } from './command.ts'
import { json } from './shared-options.ts'

export const command: Command = {
  description: 'look at the time that the providers on a store go by, after a clock was set',
  commands: {
    show: {
      description: 'show it beside the clock of the database server, or of this machine on SQLite',
      options: json,
      load: async () => (await import('../clock.ts')).show,
    },
    take: {
      description: 'go by that clock at once: for a clock that was set right',
      options: json,
      load: async () => (await import('../clock.ts')).take,
    },
  },
}
