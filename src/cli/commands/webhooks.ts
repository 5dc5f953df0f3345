import { type Command, commandsOf, parsed } from './command.ts'
import { moment } from './option-values.ts'
import { json, limit, onlyShop, paymentName, shopOfOrder } from './shared-options.ts'

export const command: Command = {
  description: 'inspect webhooks to shops, and send them again',
  commands: commandsOf(() => import('../webhooks.ts'), {
    list: {
      description: 'list the webhooks that are due or were given up',
      options: {
        '--since <time>': parsed(
          'list every status that changed since then instead: 2h, 7d or a date',
          moment,
        ),
        ...onlyShop,
        ...limit,
        ...json,
      },
    },
    show: {
      description: 'show the deliveries for an order, what its webhook waits for and the next try',
      arguments: { '<name>': paymentName },
      options: { ...shopOfOrder, ...json },
    },
    replay: {
      description:
        'send webhooks again: for one order, since a time, or all that were given up; this opens their lanes',
      arguments: { '[name]': paymentName },
      options: {
        '--since <time>': parsed('for every status that changed since then: 2h, 7d or a date', moment),
        '--dry-run': 'list the webhooks without sending them',
        ...onlyShop,
        ...json,
      },
    },
  }),
}
