import type { Command } from './command.ts'
import { hours, moment } from './option-values.ts'
import { json, limit, ofShop, provider } from './shared-options.ts'
import { hosts } from './shop-hosts.ts'

export const command: Command = {
  description: 'manage the shops that the provider serves',
  commands: {
    add: ofShop({
      description: 'add a shop and print its urlEndpoint',
      options: {
        '--platform-id <id>': "the platform's id of the shop; default: the first one that a valid POST names",
        '--host <name...>': 'the only hosts allowed in webhook_url and redirect_url',
        '--settings <file>': 'JSON: units, fallback, adapters, credentials; - reads standard input',
      },
      load: async () => (await import('../shop.ts')).add,
    }),
    import: {
      description: 'add many shops, all or none',
      arguments: { '<file>': 'CSV with one line per shop; - reads standard input' },
      options: {
        '--dry-run': 'report faults without adding shops',
        '--show-endpoint': 'print the endpoints, which are secrets',
        '--endpoints <file>': 'write the endpoints to a new file that only this user can read',
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
        '--endpoint': 'also print its addresses, which are secrets',
        '--webhook-secret': 'also print the secret that signs its webhooks',
      },
      load: async () => (await import('../shop.ts')).show,
    }),
    rotate: ofShop({
      description: 'create a new urlEndpoint; the old one stays valid for a while',
      options: {
        '--webhook-secret': 'create a new webhook secret instead; both sign for a while',
        '--overlap <hours>': {
          description: 'how long the old one stays valid; 0 ends it at once',
          parse: hours,
          default: 168,
        },
      },
      load: async () => (await import('../shop.ts')).rotate,
    }),
    log: ofShop({
      description: 'list who changed what and when, newest last',
      options: {
        '--since <time>': { description: 'only changes since then: 2h, 7d or a date', parse: moment },
        ...limit,
      },
      load: async () => (await import('../shop-log.ts')).log,
    }),
    bind: ofShop({
      description: 'bind the endpoints of a shop to one shop of the platform',
      options: {
        '--platform-id <id>': "the platform's id of the shop",
        '--none': 'unbind; the next valid POST that names a shop binds it',
      },
      load: async () => (await import('../shop.ts')).bind,
    }),
    settings: ofShop({
      description: 'replace the settings of a shop',
      options: {
        '--file <settings>': {
          description: 'JSON: units, fallback, adapters; - reads standard input',
          required: true,
        },
      },
      load: async () => (await import('../shop.ts')).settings,
    }),
    disable: ofShop({
      description: 'stop serving a shop: its endpoint answers 404',
      load: async () => (await import('../shop.ts')).disable,
    }),
    enable: ofShop({
      description: 'serve a disabled shop again',
      load: async () => (await import('../shop.ts')).enable,
    }),
    remove: ofShop({
      description: 'remove a shop and all its data',
      options: { '--force': 'also if payments are in progress' },
      load: async () => (await import('../shop.ts')).remove,
    }),
    privacy: ofShop({
      description: "print the statement on this provider for the shop's privacy policy",
      options: { '--markdown': 'print Markdown' },
      load: async () => (await import('../shop.ts')).privacy,
    }),
    erase: ofShop({
      description: 'erase all data of an order',
      options: {
        '--order <id>': { description: 'the id of the order', required: true },
        '--force': 'also if its payment is in progress',
      },
      load: async () => (await import('../shop.ts')).erase,
    }),
    connect: ofShop({
      description:
        "store the credentials for the platform's API: PURVEYOR_PLATFORM_URL, _LANGUAGE, _KEY and _SECRET, or JSON on standard input",
      options: { '--no-check': 'store them without testing them' },
      load: async () => (await import('../shop.ts')).connect,
    }),
    hosts,
  },
}
