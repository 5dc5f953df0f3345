import { type Command, commandsOf, oneOf, parsed } from './command.ts'
import { moment } from './option-values.ts'
import { listed } from './pushes.ts'
import { json, limit, onlyShop, paymentName, provider, shopOfOrder } from './shared-options.ts'

const order = { '<order>': 'the id of the order' }

const moneyOptions = {
  '--amount <decimal>': 'the amount, such as 29.34; default: all that is left',
  '--attempt <id>': 'of this attempt; default: the one that was paid',
  '--key <key>': 'repeat the request of this idempotency key',
}

export const command: Command = {
  description: 'inspect payments and resolve anomalies',
  commands: commandsOf(() => import('../payments/payments.ts'), {
    list: {
      description: 'list payments, newest first',
      options: { '--status <status>': 'paid, pending, expired or cancelled', ...onlyShop, ...limit, ...json },
    },
    find: {
      description: 'find payments of all shops, with what each waits for and the next step',
      arguments: {
        '<name>':
          'order id or number, attempt id, reference, event (transfer, refund or dispute), idempotency key, page address, or the id of an anomaly, webhook or push. A request id is not stored: its log line `answered` has the order',
      },
      options: json,
      load: async () => (await import('../payments/find.ts')).find,
    },
    show: {
      description: "show the history of an order's payment",
      arguments: { '<name>': paymentName },
      options: { ...shopOfOrder, ...json },
    },
    ask: {
      description: "ask the payment service now how an order's payment stands",
      arguments: { '<name>': paymentName },
      options: { ...shopOfOrder, ...provider, ...json },
      load: async () => (await import('../payments/ask.ts')).ask,
    },
    explain: {
      description: 'explain why each payment method is offered at a checkout, or is not',
      options: {
        '--shop <id>': 'use the settings of this shop; default: the only one',
        ...provider,
        ...json,
      },
      load: async () => (await import('../payments/explain.ts')).explain,
    },
    changes: {
      description: 'print the feed of what changed about payments, in the order of commits',
      options: {
        '--after <cursor>': 'only what follows this cursor',
        '--follow': 'go on, and print changes as they come',
        ...limit,
        ...json,
      },
      load: async () => (await import('../payments/changes.ts')).changes,
    },
    export: {
      description: 'print payments or movements for bookkeeping, one per line, newest first',
      options: {
        '--since <time>': parsed('what changed since then: 30d, 2h or a date; default: everything', moment),
        '--movements': 'one line for each movement: payments, refunds and chargebacks',
        '--format <format>': oneOf('CSV, or one JSON object per line', ['csv', 'json'], { default: 'csv' }),
        ...onlyShop,
      },
      load: async () => (await import('../payments/export.ts')).exportPayments,
    },
    pushes: { ...listed, load: async () => (await import('../pushes.ts')).list },
    refund: {
      description: 'ask the payment service to send money back',
      arguments: order,
      options: { ...moneyOptions, ...shopOfOrder, ...provider, ...json },
      load: async () => (await import('../payments/money.ts')).refund,
    },
    capture: {
      description: 'ask the payment service to capture authorised money',
      arguments: order,
      options: { ...moneyOptions, ...shopOfOrder, ...provider, ...json },
      load: async () => (await import('../payments/money.ts')).capture,
    },
    report: {
      description: 'report the status of a payment by hand',
      arguments: { ...order, '<status>': 'such as paid, cancelled or refunded' },
      options: {
        '--amount <decimal>': 'the amount, such as 29.34',
        '--currency <code>': 'such as eur',
        '--event <id>':
          "the payment service's id of the transfer, refund or dispute; default: the amount is the total",
        '--attempt <id>': 'default: the newest attempt; for money that goes back the one that was paid',
        '--note <text>': 'a note to store with the payment',
        ...shopOfOrder,
        ...json,
      },
    },
    anomalies: {
      description: 'list the open anomalies, grouped by cause',
      options: {
        '--each': 'one line per anomaly',
        '--all': 'one line per anomaly, closed ones included',
        ...onlyShop,
        ...limit,
        ...json,
      },
      load: async () => (await import('../payments/anomalies.ts')).anomalies,
    },
    'close-anomalies': {
      description: 'close all anomalies of one cause',
      options: {
        '--kind <kind>': { description: 'such as start_unknown', required: true },
        '--adapter <name>': 'only those of this payment adapter',
        ...onlyShop,
        '--before <time>': parsed('only those opened before then: 2h or a date; default: now', moment),
        '--note <text>': 'what you found and did',
        '--dry-run': 'list the anomalies without closing them',
        ...json,
      },
      load: async () => (await import('../payments/anomalies.ts')).closeMany,
    },
    'close-anomaly': {
      description: 'close one anomaly after you resolved it',
      arguments: { '<id>': 'an id from `payments anomalies`' },
      options: { '--note <text>': { description: 'what you found and did', required: true }, ...json },
      load: async () => (await import('../payments/anomalies.ts')).closeOne,
    },
  }),
}
