import type { Command } from './command.ts'
import { hours, moment } from './option-values.ts'
import { json, limit, ofShop, provider } from './shared-options.ts'
import { hosts } from './shop-hosts.ts'

export const command: Command = {
  description: 'look after the shops that the provider works for',
  commands: {
    add: ofShop({
      description: 'add a shop, and print its urlEndpoint',
      options: {
        '--platform-id <id>':
          "the platform's id of the shop; default: the first one that a valid POST names",
        '--host <name...>': 'the only hosts that its webhook_url and redirect_url may name',
        '--settings <file>':
          'JSON: units, fallbackRates, adapters, credentials; - reads it from input',
      },
      load: async () => (await import('../shop.ts')).add,
    }),
    import: {
      description: 'add many shops, all or none',
      arguments: { '<file>': 'CSV with a line for each shop; - reads it from input' },
      options: {
        '--dry-run': 'only look for faults',
        '--show-endpoint': 'print the endpoints, which are secrets',
        '--endpoints <file>': 'write the endpoints into a new file that this user alone can read',
        ...provider,
        ...json,
      },
      load: async () => (await import('../shop-import.ts')).importShops,
    },
    list: {
      description: 'list the shops',
      options: { ...provider, ...json },
      load: async () => (await import('../shop.ts')).list,
    },
    show: ofShop({
      description: 'show one shop',
      options: {
        '--endpoint': 'also its addresses, which are secrets',
        '--webhook-secret': 'also what signs the calls of its webhook_url, for their receiver',
      },
      load: async () => (await import('../shop.ts')).show,
    }),
    rotate: ofShop({
      description: 'make a new urlEndpoint; the old one goes on for a while',
      options: {
        '--webhook-secret': 'make a new webhook secret instead; the old one signs beside it for a while',
        '--overlap <hours>': {
          description: 'how long the old one goes on; 0 ends it at once',
          parse: hours,
          default: 168,
        },
      },
      load: async () => (await import('../shop.ts')).rotate,
    }),
    log: ofShop({
      description: 'list who changed what, and when; newest last',
      options: {
        '--since <time>': { description: 'only from then on: 2h, 7d or a date', parse: moment },
        ...limit,
      },
      load: async () => (await import('../shop-log.ts')).log,
    }),
    bind: ofShop({
      description: 'keep the endpoints of a shop to one shop of the platform',
      options: {
        '--platform-id <id>': "the platform's id of the shop",
        '--none': 'the next valid POST that names one binds it',
      },
      load: async () => (await import('../shop.ts')).bind,
    }),
    settings: ofShop({
      description: 'replace what is set for a shop',
      options: {
        '--file <settings>': {
          description: 'JSON: units, fallbackRates, adapters; - reads it from input',
          required: true,
        },
      },
      load: async () => (await import('../shop.ts')).settings,
    }),
    disable: ofShop({
      description: 'answer its endpoint with 404',
      load: async () => (await import('../shop.ts')).disable,
    }),
    enable: ofShop({
      description: 'answer its endpoint again',
      load: async () => (await import('../shop.ts')).enable,
    }),
    remove: ofShop({
      description: 'remove a shop with all that is kept of it',
      options: { '--force': 'also with payments under way' },
      load: async () => (await import('../shop.ts')).remove,
    }),
    privacy: ofShop({
      description: 'print what the privacy policy of the shop has to say of this provider',
      options: { '--markdown': 'to paste into a page' },
      load: async () => (await import('../shop.ts')).privacy,
    }),
    erase: ofShop({
      description: 'erase all that is kept of an order',
      options: {
        '--order <id>': { description: 'the id of the order', required: true },
        '--force': 'also while its payment is under way',
      },
      load: async () => (await import('../shop.ts')).erase,
    }),
    connect: ofShop({
      description:
        'keep the credentials for the API of the platform: PURVEYOR_PLATFORM_URL, _LANGUAGE, _KEY and _SECRET, or JSON on standard input',
      options: { '--no-check': 'keep them without trying them' },
      load: async () => (await import('../shop.ts')).connect,
    }),
    hosts,
  },
}
