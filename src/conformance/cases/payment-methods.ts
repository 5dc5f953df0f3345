import { type ConformanceCase, casesOf } from '../case.ts'
import { methodCases } from './methods.ts'

const shared = { topic: 'payment methods', about: 'payments', section: 'spec 4.3' } as const

/** POST payment_methods (spec 4.3, 2.6). */
export const paymentMethodCases: ConformanceCase[] = [
  ...methodCases({
    ...shared,
    prefix: 'payment-methods',
    key: 'payment_methods',
    section: 'spec 2.6',
    ask: (target) => target.paymentMethods(),
  }),
  ...casesOf(shared, {
    'payment-methods-free-order': {
      title: 'A quote of 0 is answered',
      platform: 'A customer whose voucher covers the whole order cannot continue.',
      remedy: 'Answer 201, with an empty list if you accept no payment of 0.',
      async run(target) {
        const message = target.checkoutMessage()
        const totals = { sub_total: 0, taxes: [], grand_total: 0 }
        Object.assign(message.quote, { price_incl: 0, price_excl: 0, totals })
        await target.mustAnswer('payment_methods', await target.call('payment_methods', { json: message }))
      },
    },
  }),
]
