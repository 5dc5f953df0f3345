import type { Command } from './command.ts'
import { json } from './shared-options.ts'

export const command: Command = {
  description: 'inspect the time that the providers of a store use, after a clock was set',
  commands: {
    show: {
      description: 'show this time and the clock of the database server (SQLite: of this machine)',
      options: json,
      load: async () => (await import('../clock.ts')).show,
    },
    take: {
      description: 'use that clock from now on, once it is right',
      options: json,
      load: async () => (await import('../clock.ts')).take,
    },
  },
}
