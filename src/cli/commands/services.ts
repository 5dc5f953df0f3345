import type { Command } from './command.ts'
import { dryRun, ofShop, yes } from './shared-options.ts'

const service = { '<id>': 'as `services list` lists it' }

export const command: Command = {
  description: 'register the provider with the platform of a shop',
  commands: {
    list: ofShop({
      description: 'list what is registered',
      load: async () => (await import('../services.ts')).list,
    }),
    register: ofShop({
      description: 'try the endpoint, and register what the provider serves or bring it up to date',
      options: {
        '--name <name>': { description: 'what customers read in the checkout', required: true },
        '--host <name...>':
          'close the list: the only hosts that its webhook_url and redirect_url may name',
        ...dryRun,
        ...yes,
      },
      load: async () => (await import('../services.ts')).register,
    }),
    update: ofShop({
      description: 'give a service the endpoint of now, and activate it',
      arguments: service,
      options: { '--name <name>': 'another name', ...dryRun, ...yes },
      load: async () => (await import('../services.ts')).update,
    }),
    disable: ofShop({
      description: 'let a service no longer be called',
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
