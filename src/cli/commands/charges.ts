import { type Command, commandsOf, oneOf, parsed } from './command.ts'
import { decimal } from './option-values.ts'
import { ofShop, yes } from './shared-options.ts'

const charge = { '<id>': 'an id from `charges list`' }

export const command: Command = {
  description: 'charge a merchant through the platform',
  commands: commandsOf(() => import('../charges.ts'), {
    list: ofShop('list the charges'),
    create: ofShop('create a charge and print the address where the merchant approves it', {
      options: {
        '--type <type>': oneOf('recurring: every month; onetime: once', ['recurring', 'onetime'], {
          required: true,
        }),
        '--title <title>': { description: 'the title that the merchant sees', required: true },
        '--price <decimal>': parsed('such as 9.95', decimal, { required: true }),
        '--callback-url <url>': {
          description: 'where the platform sends the merchant afterwards',
          required: true,
        },
        '--upgrade-from <id>': 'the charge that this one replaces',
      },
    }),
    show: ofShop('show one charge', { arguments: charge }),
    remove: ofShop('withdraw a charge that was not approved', { arguments: charge, options: yes }),
  }),
}
