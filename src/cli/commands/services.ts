import { type Command, commandsOf, oneOf } from './command.ts'
import { dryRun, ofShop, yes } from './shared-options.ts'

const service = { '<id>': 'an id from `services list`' }

export const command: Command = {
  description: 'register the provider with the platform of a shop',
  commands: commandsOf(() => import('../services.ts'), {
    list: ofShop('list the registered services'),
    register: ofShop('test the endpoint, then register or update its services', {
      options: {
        '--name <name>': { description: 'the name that customers see in the checkout', required: true },
        '--host <name...>': 'close the list of hosts allowed in webhook_url and redirect_url',
        '--estimates <state>': oneOf('in the cart; default: as adapters and merchant have it', ['on', 'off']),
        ...dryRun,
        ...yes,
      },
    }),
    update: ofShop('give a service the current endpoint and activate it', {
      arguments: service,
      options: { '--name <name>': 'a new name', ...dryRun, ...yes },
    }),
    disable: ofShop('disable a service', { arguments: service, options: { ...dryRun, ...yes } }),
    remove: ofShop('remove a service', { arguments: service, options: { ...dryRun, ...yes } }),
  }),
}
