import { type Command, commandsOf, oneOf } from './command.ts'
import { json, place, seed, servedOption } from './shared-options.ts'

const statuses = ['paid', 'pending', 'expired', 'cancelled'] as const

/** The provider of this folder, or one that runs elsewhere. */
const against = {
  '--provider <file>': 'default: provider.ts or src/provider.ts, otherwise the built-in sample',
  '--endpoint <url>': {
    description: 'a provider that runs elsewhere; its clock stays as it is',
    conflicts: ['provider'],
  },
  '--for <type...>': servedOption('what the endpoint serves'),
  '--record <folder>': 'save every call to a file, with personal data replaced',
  '--settings <file>': 'settings of the shop as JSON, for a provider that is started here',
  ...seed,
  '--json': 'print one JSON object',
}

/** Where a customer chooses. */
const choosing = {
  '--method <id...>': 'methods to choose, for shipping or payment; default: the first ones',
  ...place,
}

export const command: Command = {
  description: 'run automated checkout tests on a clock that moves forward by itself',
  commands: commandsOf(() => import('../simulate.ts'), {
    list: { description: 'list the scenarios', options: json },
    run: {
      description: 'run scenarios',
      arguments: { '[names...]': 'names from `simulate list`' },
      options: { ...against, ...choosing, '--all': 'run all scenarios' },
    },
    order: {
      description: 'place one order and pay for it',
      options: {
        ...against,
        ...choosing,
        '--status <status>': oneOf('how the customer ends the payment', statuses, { default: 'paid' }),
        '--then <status>': oneOf('the status that it changes to later', statuses),
        '--after <time>': { description: 'when it changes, such as 5s, 2h or 1d later', default: '10m' },
      },
    },
    replay: {
      description: 'send recorded calls again, and show which answers differ',
      arguments: { '<folder>': 'a folder written by --record' },
      options: against,
    },
  }),
}
