import type { Command } from './command.ts'
import { moment } from './option-values.ts'
import { json, limit, onlyShop, shopOfOrder } from './shared-options.ts'

export const command: Command = {
  description: 'look at the calls of webhook_url, and send them again',
  commands: {
    list: {
      description: 'list what is owed and what was given up',
      options: {
        '--since <time>': {
          description: 'instead every status that changed since: 2h, 7d or a date',
          parse: moment,
        },
        ...onlyShop,
        ...limit,
        ...json,
      },
      load: async () => (await import('../webhooks.ts')).list,
    },
    show: {
      description: 'show the calls for an order',
      arguments: { '<order>': 'the id of the order' },
      options: { ...shopOfOrder, ...json },
      load: async () => (await import('../webhooks.ts')).show,
    },
    replay: {
      description: 'send again: for one order, since a moment, or everything that was given up',
      arguments: { '[order]': 'the id of an order' },
      options: {
        '--since <time>': {
          description: 'every status that changed since: 2h, 7d or a date',
          parse: moment,
        },
        '--dry-run': 'only say what would be sent',
        ...onlyShop,
        ...json,
      },
      load: async () => (await import('../webhooks.ts')).replay,
    },
  },
}
