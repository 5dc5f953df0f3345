import { type Command, commandsOf } from './command.ts'
import { json } from './shared-options.ts'

export const command: Command = {
  description: 'inspect the time that the providers of a store use, after a clock was set',
  commands: commandsOf(() => import('../nodes/clock.ts'), {
    show: {
      description:
        'show this time, the clock of the database server (SQLite: of this machine), and nodes whose clock is off',
      options: json,
    },
    take: { description: 'use that clock from now on, once it is right', options: json },
  }),
}
