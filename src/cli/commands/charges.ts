import type { Command } from './command.ts'
import { decimal } from './option-values.ts'
import { ofShop, yes } from './shared-options.ts'

const charge = { '<id>': 'as `charges list` lists it' }

export const command: Command = {
  description: 'charge the owner of a shop through its platform',
  commands: {
    list: ofShop({
      description: 'list the charges',
      load: async () => (await import('../charges.ts')).list,
    }),
    create: ofShop({
      description: 'create a charge, and print where the shop owner approves it',
      options: {
        '--type <type>': {
          description: 'monthly or once',
          choices: ['recurring', 'onetime'],
          required: true,
        },
        '--title <title>': { description: 'what the shop owner reads', required: true },
        '--price <decimal>': { description: 'such as 9.95', parse: decimal, required: true },
        '--callback-url <url>': {
          description: 'where the platform sends the shop owner afterwards',
          required: true,
        },
        '--upgrade-from <id>': 'the charge that this one takes the place of',
      },
      load: async () => (await import('../charges.ts')).create,
    }),
    show: ofShop({
      description: 'show one charge',
      arguments: charge,
      load: async () => (await import('../charges.ts')).show,
    }),
    remove: ofShop({
      description: 'take back a charge that was not approved',
      arguments: charge,
      options: yes,
      load: async () => (await import('../charges.ts')).remove,
    }),
  },
}
