import type { Command } from './command.ts'
import { json, serviceTypes } from './shared-options.ts'

const statuses = ['paid', 'pending', 'expired', 'cancelled'] as const

/** The provider of this folder, or one that runs elsewhere. */
const against = {
  '--provider <file>': 'default: provider.ts or src/provider.ts, otherwise the built-in sample',
  '--endpoint <url>': 'a provider that runs elsewhere; its clock stays as it is',
  '--for <type...>': { description: 'what that endpoint serves; default: both', choices: serviceTypes },
  '--record <folder>': 'keep every call in a file, with personal data replaced',
  '--json': 'print one JSON object',
}

export const command: Command = {
  description: 'play what can happen between a shop and a provider, on a clock that is moved',
  commands: {
    list: {
      description: 'list the scenarios',
      options: json,
      load: async () => (await import('../simulate.ts')).list,
    },
    run: {
      description: 'play scenarios',
      arguments: { '[names...]': 'as `simulate list` lists them' },
      options: { ...against, '--all': 'all of them' },
      load: async () => (await import('../simulate.ts')).run,
    },
    order: {
      description: 'put one order through the checkout',
      options: {
        ...against,
        '--status <status>': {
          description: 'how the customer ends the payment',
          choices: statuses,
          default: 'paid',
        },
        '--then <status>': { description: 'what it becomes later', choices: statuses },
        '--after <time>': { description: 'how much later, such as 5s, 2h or 1d', default: '10m' },
      },
      load: async () => (await import('../simulate.ts')).order,
    },
    replay: {
      description: 'send recorded calls again, and show what is answered otherwise',
      arguments: { '<folder>': 'as --record has made it' },
      options: against,
      load: async () => (await import('../simulate.ts')).replay,
    },
  },
}
