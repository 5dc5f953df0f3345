import { bothServed } from '../../contract/served.ts'
import { commandOf, oneOf, parsed } from './command.ts'
import { count, port } from './option-values.ts'
import { json, place } from './shared-options.ts'

export const command = commandOf({
  description: 'test any endpoint against the contract',
  arguments: { '<urlEndpoint>': 'the address registered with the shop' },
  options: {
    '--only <what>': oneOf('default: everything the endpoint serves', bothServed),
    '--case <names...>': 'only these cases',
    '--read-only': 'start no payments',
    ...place,
    '--verbose': 'print every case, also those that passed or were skipped',
    '--shop-id <number>': parsed("the platform's id of the shop, if the endpoint belongs to one shop", count),
    '--receiver-url <url>': 'address at which a provider on another machine reaches this one',
    '--receiver-port <number>': parsed('port that receives those calls; default: a free one', port),
    '--junit <file>': 'write a JUnit report to this file',
    ...json,
  },
  load: async () => (await import('../check.ts')).check,
})
