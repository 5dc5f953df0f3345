import { type Command, commandsOf, oneOf } from './command.ts'
import { json, limit, onlyShop } from './shared-options.ts'

const outcomes = ['unmatched', 'failed', 'given_up', 'waiting', 'processed', 'ignored'] as const

/** Also `payments pushes`. */
export const listed = {
  description: 'list the pushes of the last 30 days, newest first',
  options: {
    '--outcome <outcome>': oneOf(
      'unmatched: it names a payment that is not here; failed: it is tried again',
      outcomes,
    ),
    '--adapter <name>': 'only those of this payment adapter',
    ...onlyShop,
    ...limit,
    ...json,
  },
}

export const command: Command = {
  description: 'inspect what payment services pushed, and what became of it',
  commands: commandsOf(() => import('../pushes.ts'), {
    list: listed,
    refused: {
      description: 'list how many calls could not be verified as pushes, by shop and adapter, the last first',
      options: { '--adapter <name>': 'only those of this payment adapter', ...onlyShop, ...limit, ...json },
    },
    show: {
      description: 'show one push',
      arguments: { '<push>': 'an id from `pushes list`, or the `push` of a log line' },
      options: { ...onlyShop, ...json },
    },
  }),
}
