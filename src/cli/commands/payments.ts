import type { Command } from './command.ts'
import { moment } from './option-values.ts'
import { json, limit, onlyShop, shopOfOrder } from './shared-options.ts'

const order = { '<order>': 'the id of the order' }

export const command: Command = {
  description: 'look at payments, and put right what contradicts itself',
  commands: {
    list: {
      description: 'list payments, newest first',
      options: {
        '--status <status>': 'paid, pending, expired or cancelled',
        ...onlyShop,
        ...limit,
        ...json,
      },
      load: async () => (await import('../payments.ts')).list,
    },
    find: {
      description: 'find payments of all shops, and say what each waits for and what to do next',
      arguments: {
        '<name>':
          'id or number of the order, id of the attempt, reference, idempotency key, page address, id of an anomaly or a webhook',
      },
      options: json,
      load: async () => (await import('../payments-find.ts')).find,
    },
    show: {
      description: 'show all that happened to the payment of an order',
      arguments: order,
      options: { ...shopOfOrder, ...json },
      load: async () => (await import('../payments.ts')).show,
    },
    export: {
      description: 'print payments for bookkeeping, one line each, newest first',
      options: {
        '--since <time>': {
          description: 'those that changed since: 30d, 2h or a date',
          parse: moment,
          required: true,
        },
        '--format <format>': {
          description: 'a table or JSON lines',
          choices: ['csv', 'json'],
          default: 'csv',
        },
        ...onlyShop,
      },
      load: async () => (await import('../export.ts')).exportPayments,
    },
    report: {
      description: 'say how a payment stands, where the provider itself cannot',
      arguments: { ...order, '<status>': 'paid, cancelled, refunded, ...' },
      options: {
        '--amount <decimal>': 'how much, such as 29.34',
        '--currency <code>': 'such as eur',
        '--attempt <id>': 'default: the newest one',
        '--note <text>': 'kept with the payment',
        ...shopOfOrder,
        ...json,
      },
      load: async () => (await import('../payments.ts')).report,
    },
    anomalies: {
      description:
        'list what contradicts itself and waits for a person; what has one cause stands in one line',
      options: {
        '--each': 'a line for each anomaly',
        '--all': 'a line for each, also for what was closed',
        ...onlyShop,
        ...limit,
        ...json,
      },
      load: async () => (await import('../anomalies.ts')).anomalies,
    },
    'close-anomalies': {
      description: 'close all anomalies of one cause',
      options: {
        '--kind <kind>': { description: 'such as start_unknown', required: true },
        '--adapter <name>': 'only of this payment adapter',
        ...onlyShop,
        '--before <time>': {
          description: 'only those opened before: 2h or a date; default: now',
          parse: moment,
        },
        '--note <text>': 'what was found and done',
        '--dry-run': 'only say which would be closed',
        ...json,
      },
      load: async () => (await import('../anomalies.ts')).closeMany,
    },
    'close-anomaly': {
      description: 'close an anomaly that was looked at',
      arguments: { '<id>': 'as `payments anomalies` lists it' },
      options: { '--note <text>': { description: 'what was found and done', required: true }, ...json },
      load: async () => (await import('../anomalies.ts')).closeOne,
    },
  },
}
