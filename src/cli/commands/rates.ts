import { type Command, commandsOf, oneOf, parsed } from './command.ts'
import { decimal } from './option-values.ts'
import { json } from './shared-options.ts'

export const command: Command = {
  description: 'inspect and explain shipping rates',
  commands: commandsOf(() => import('../rates.ts'), {
    explain: {
      description: 'explain why each method is in the answer to a checkout, or is not',
      arguments: { '[provider]': 'default: provider.ts or src/provider.ts' },
      options: {
        '--file <request>': {
          description: 'the body of a POST shipment_methods; - reads standard input',
          required: true,
        },
        '--shop <id>': 'use the settings of this shop',
        ...json,
      },
    },
    lint: {
      description: 'find mistakes, gaps and overlaps in a tariff',
      arguments: { '<table>': 'a .csv or .json file' },
      options: json,
    },
    preview: {
      description: 'show prices as a grid of destinations and weights',
      arguments: { '[file]': 'a tariff (.csv, .json) or a provider file' },
      options: {
        '--to <destinations>': 'such as nl,be:1000; default: the zones of the tariff',
        '--weights <numbers>': 'such as 0.5,2,10; default: the bands of the tariff',
        '--value <decimal>': parsed('value of the cart', decimal, { default: '30' }),
        '--currency <code>': { description: 'currency of the shop', default: 'eur' },
        '--unit <unit>': oneOf('unit of the weights in a tariff', ['mg', 'g', 'kg', 'oz', 'lb'], {
          default: 'kg',
        }),
        '--shop <id>': 'use the settings of this shop; for a provider file',
        ...json,
      },
      load: async () => (await import('../rates-preview.ts')).preview,
    },
  }),
}
