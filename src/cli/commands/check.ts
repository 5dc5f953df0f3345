import type { Command } from './command.ts'
import { count, port } from './option-values.ts'
import { json } from './shared-options.ts'

export const command: Command = {
  description: 'test any endpoint against the contract',
  arguments: { '<urlEndpoint>': 'the address registered with the shop' },
  options: {
    '--only <what>': {
      description: 'default: everything the endpoint serves',
      choices: ['rates', 'payments'],
    },
    '--case <names...>': 'only these cases',
    '--read-only': 'start no payments and leave no test orders',
    '--shop-id <number>': {
      description: "the platform's id of the shop, if the endpoint belongs to one shop",
      parse: count,
    },
    '--receiver-url <url>': 'address at which a provider on another machine reaches this one',
    '--receiver-port <number>': {
      description: 'port that receives those calls; default: a free one',
      parse: port,
    },
    '--junit <file>': 'write a JUnit report to this file',
    ...json,
  },
  load: async () => (await import('../check.ts')).check,
}
