import { type Command, commandsOf, parsed } from './command.ts'
import { hours, moment } from './option-values.ts'
import { json, limit, ofShop, provider } from './shared-options.ts'
import { hosts } from './shop-hosts.ts'

export const command: Command = {
  description: 'manage the shops that the provider serves',
  commands: {
    ...commandsOf(() => import('../shop/shop.ts'), {
      add: ofShop('add a shop and print its urlEndpoint', {
        options: {
          '--platform-id <id>':
            "the platform's id of the shop; default: the first one that a valid POST names",
          '--host <name...>': 'the only hosts allowed in webhook_url and redirect_url',
          '--settings <file>': 'JSON: units, fallback, adapters, credentials; - reads standard input',
        },
      }),
      import: {
        description: 'add many shops, all or none',
        arguments: { '<file>': 'CSV with one line per shop; - reads standard input' },
        options: {
          '--dry-run': {
            description: 'report faults without adding shops',
            conflicts: ['endpoints', 'showEndpoint'],
          },
          '--show-endpoint': 'print the endpoints, which are secrets',
          '--endpoints <file>': 'write the endpoints to a new file that only this user can read',
          ...provider,
          ...json,
        },
        load: async () => (await import('../shop/import.ts')).importShops,
      },
      list: { description: 'list the shops', options: { ...provider, ...json } },
      show: ofShop('show one shop', {
        options: {
          '--endpoint': 'also print its addresses, which are secrets',
          '--webhook-secret': 'also print the secret that signs its webhooks',
        },
      }),
      rotate: ofShop('create a new urlEndpoint; the old one stays valid for a while', {
        options: {
          '--webhook-secret': 'create a new webhook secret instead; both sign for a while',
          '--overlap <hours>': parsed('how long the old one stays valid; 0 ends it at once', hours, {
            default: 168,
          }),
        },
      }),
      log: {
        ...ofShop('list who changed what and when, newest last', {
          options: {
            '--since <time>': parsed('only changes since then: 2h, 7d or a date', moment),
            ...limit,
          },
        }),
        load: async () => (await import('../shop/log.ts')).log,
      },
      drift: {
        description: "list what the shops' platforms send beside the contract",
        arguments: { '[shop]': 'the id of the shop; default: all' },
        options: { ...limit, ...json },
        load: async () => (await import('../shop/drift.ts')).drift,
      },
      bind: ofShop('bind the endpoints of a shop to one shop of the platform', {
        options: {
          '--platform-id <id>': "the platform's id of the shop",
          '--none': 'unbind; the next valid POST that names a shop binds it',
        },
      }),
      settings: ofShop('show the settings of a shop with secrets masked, replace them, or change some', {
        options: {
          '--file <settings>': 'replace them: JSON with units, fallback, adapters; - reads standard input',
          '--set <path=value...>': {
            description: 'change one, such as psp.key=@key.txt or units.weight=kg; null removes it',
            conflicts: ['file'],
          },
        },
      }),
      disable: ofShop('stop serving a shop: its endpoint answers 404'),
      enable: ofShop('serve a disabled shop again'),
      remove: ofShop('remove a shop and all its data', {
        options: { '--force': 'also if payments are in progress' },
      }),
      privacy: ofShop("print the statement on this provider for the shop's privacy policy", {
        options: { '--markdown': 'print Markdown' },
      }),
      erase: ofShop('erase all data of an order', {
        options: {
          '--order <id>': { description: 'the id of the order', required: true },
          '--force': 'also if its payment is in progress',
        },
      }),
      connect: ofShop(
        "store the credentials for the platform's API: PURVEYOR_PLATFORM_URL, _LANGUAGE, _KEY and _SECRET, or JSON on standard input",
        { options: { '--no-check': 'store them without testing them' } },
      ),
    }),
    hosts,
  },
}
