import { type ConformanceCase, casesOf } from '../case.ts'
import { expectNoFailure, expectThat, shown } from '../expect.ts'
import { listIn } from '../target.ts'
import { methodCases } from './methods.ts'

const shared = { topic: 'shipment methods', about: 'rates', section: 'spec 4.3' } as const

/** POST shipment_methods of the checkout (spec 4.3, 2.5). */
export const shipmentMethodCases: ConformanceCase[] = [
  ...methodCases({
    ...shared,
    prefix: 'shipment-methods',
    key: 'shipment_methods',
    ask: (target) => target.shipmentMethods(),
  }),
  ...casesOf(shared, {
    'shipment-methods-nowhere': {
      title: 'A country without rates gets an empty list, not an error',
      platform: 'After a few failures some platforms stop calling the provider, for all customers.',
      remedy: 'Answer 201 with {"shipment_methods": []}.',
      async run(target) {
        const message = target.checkoutMessage()
        for (const part of ['shipping_address', 'billing_address'])
          Object.assign(message[part], { country: 'aq', zipcode: '', city: 'McMurdo', region: '' })
        const exchange = await target.call('shipment_methods', { json: message })
        await target.mustAnswer('shipment_methods', exchange)
      },
    },
    'shipment-methods-other-currency': {
      title: 'A shop in another currency does not break the answer',
      section: 'spec 2.4',
      level: 'should',
      platform: 'The customer sees no methods, and after some failures no customer does.',
      remedy: 'Convert, or answer an empty list for a currency you have no prices in.',
      async run(target) {
        const message = target.checkoutMessage()
        message.shop.currency = 'sek'
        expectNoFailure(await target.call('shipment_methods', { json: message }))
      },
    },
    'shipment-methods-heavy': {
      title: 'A far too heavy and large quote is answered like any other',
      section: 'spec 2.4',
      level: 'should',
      platform: 'The customer sees no methods, and after some failures no customer does.',
      remedy: 'Answer an empty list if no method can carry it.',
      async run(target) {
        const message = target.checkoutMessage()
        Object.assign(message.quote, { weight: 900_000_000, volume: 900_000_000, colli: 9_000 })
        const exchange = await target.call('shipment_methods', { json: message })
        await target.mustAnswer('shipment_methods', exchange)
        for (const { price_incl: price } of listIn(exchange.json, 'shipment_methods')) {
          const fault = 'shipment_methods price-incl'
          expectThat(Number.isFinite(Number(price)), 'prices', shown(price), exchange, fault)
        }
      },
    },
  }),
]
