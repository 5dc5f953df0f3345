import type { Command } from './command.ts'
import { dryRun, ofShop, yes } from './shared-options.ts'

const service = { '<id>': 'an id from `services list`' }

export const command: Command = {
  description: 'register the provider with the platform of a shop',
  commands: {
    list: ofShop({
      description: 'list the registered services',
      load: async () => (await import('../services.ts')).list,
    }),
    register: ofShop({
      description: 'test the endpoint, then register or update its services',
      options: {
        '--name <name>': { description: 'the name that customers see in the checkout', required: true },
        '--host <name...>': 'close the list of hosts allowed in webhook_url and redirect_url',
        ...dryRun,
        ...yes,
      },
      load: async () => (await import('../services.ts')).register,
    }),
    update: ofShop({
      description: 'give a service the current endpoint and activate it',
      arguments: service,
      options: { '--name <name>': 'a new name', ...dryRun, ...yes },
      load: async () => (await import('../services.ts')).update,
    }),
    disable: ofShop({
      description: 'disable a service',
      arguments: service,
      options: { ...dryRun, ...yes },
      load: async () => (await import('../services.ts')).disable,
    }),
    remove: ofShop({
      description: 'remove a service',
      arguments: service,
      options: { ...dryRun, ...yes },
      load: async () => (await import('../services.ts')).remove,
    }),
  },
}
