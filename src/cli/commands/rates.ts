import type { Command } from './command.ts'
import { decimal } from './option-values.ts'
import { json } from './shared-options.ts'

export const command: Command = {
  description: 'look at shipping rates, and why they are what they are',
  commands: {
    explain: {
      description: 'say why each method is in or out of the answer to a checkout',
      arguments: { '[provider]': 'default: provider.ts or src/provider.ts' },
      options: {
        '--file <request>': {
          description: 'the body of a POST shipment_methods; - reads it from input',
          required: true,
        },
        '--shop <id>': 'with what is set for this shop',
        ...json,
      },
      load: async () => (await import('../rates.ts')).explain,
    },
    lint: {
      description: 'look through a tariff for mistakes, gaps and overlaps',
      arguments: { '<table>': 'a .csv or .json file' },
      options: json,
      load: async () => (await import('../rates.ts')).lint,
    },
    preview: {
      description: 'show prices as a grid of destinations and weights',
      arguments: { '[file]': 'a tariff (.csv, .json) or the file of a provider' },
      options: {
        '--to <destinations>': 'such as nl,be:1000; default: the zones of the tariff',
        '--weights <numbers>': 'such as 0.5,2,10; default: the bands of the tariff',
        '--value <decimal>': { description: 'what the cart is worth', parse: decimal, default: '30' },
        '--currency <code>': { description: "the shop's", default: 'eur' },
        '--unit <unit>': {
          description: 'of the weights of a tariff',
          choices: ['mg', 'g', 'kg', 'oz', 'lb'],
          default: 'kg',
        },
        ...json,
      },
      load: async () => (await import('../rates-preview.ts')).preview,
    },
  },
}
