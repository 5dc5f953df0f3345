import type { Command } from './command.ts'
import { count, port } from './option-values.ts'
import { json } from './shared-options.ts'

export const command: Command = {
  description: 'prove an endpoint right, whatever it is written in',
  arguments: { '<urlEndpoint>': 'as it is registered with the shop' },
  options: {
    '--only <what>': {
      description: 'default: whatever the endpoint serves',
      choices: ['rates', 'payments'],
    },
    '--case <names...>': 'only these cases',
    '--read-only': 'leave no test orders at the provider',
    '--shop-id <number>': {
      description: "the platform's id of the shop, where the endpoint belongs to one",
      parse: count,
    },
    '--receiver-url <url>': 'where a provider on another machine reaches this one',
    '--receiver-port <number>': {
      description: 'what is listened on behind it; default: a free one',
      parse: port,
    },
    '--junit <file>': 'write a report for build servers',
    ...json,
  },
  load: async () => (await import('../check.ts')).check,
}
