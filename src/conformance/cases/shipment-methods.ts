import { type ConformanceCase, casesOf } from '../case.ts'
import { asFault, expectNoFailure, expectThat, shown } from '../exchange.ts'
import { type Exchange, isList, listIn, type Target } from '../target.ts'
import { methodCases, nothingIn } from './methods.ts'

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

const rows = (json: unknown) =>
  listIn(json, 'shipment_methods')
    .map(({ id, price_incl: price }) => `${id} at ${price}`)
    .sort()

/** Throws unless the cart is answered. */
async function mustEstimate(target: Target, exchange: Exchange): Promise<void> {
  const isAnswered = isList((await target.estimate()).json, 'shipment_methods')
  await asFault(isAnswered ? undefined : 'no answer to the cart', () =>
    target.mustAnswer('shipment_methods', exchange),
  )
}

const ofEstimates = { topic: 'estimates', about: 'rates', section: 'spec 4.3' } as const

/** POST shipment_methods of the cart, with only zipcode and country of the customer (spec 4.3). */
export const estimateCases: ConformanceCase[] = [
  // An empty list is a valid answer to a cart: not every provider estimates.
  ...methodCases({
    ...shared,
    prefix: 'estimate',
    key: 'shipment_methods',
    ask: (target) => target.estimate(),
  }).filter(({ name }) => name !== 'estimate-not-empty'),
  ...casesOf(ofEstimates, {
    'estimate-flag-as-number': {
      title: 'An estimate is recognised when its flag is 1',
      level: 'should',
      platform: 'The cart shows no shipping costs.',
      remedy: 'Read rate_estimate as true, 1 and "1".',
      async run(target) {
        for (const flag of [1, '1']) {
          const json = { ...target.estimateMessage(), rate_estimate: flag }
          await mustEstimate(target, await target.call('shipment_methods', { json }))
        }
      },
    },
    'estimate-agrees': {
      title: 'The cart and the checkout show the same prices for the same zipcode',
      level: 'should',
      platform: 'The customer sees one price in the cart and pays another.',
      remedy: 'Use the same rates for the estimate and the checkout.',
      async run(target) {
        const [cart, checkout] = await Promise.all([target.estimate(), target.shipmentMethods()])
        const [estimated, offered] = [rows(cart.json), rows(checkout.json)]
        if (estimated.length === 0) throw nothingIn(cart, 'shipment_methods')
        const missing = estimated.find((row) => !offered.includes(row))
        expectThat(missing === undefined, `one of ${offered.join(', ')}`, `${missing}`, cart)
      },
    },
    'estimate-without-zipcode': {
      title: 'A cart that knows only the country is answered',
      level: 'should',
      platform: 'The cart shows no shipping costs until the customer has typed a zipcode.',
      remedy: 'Answer what does not depend on the zipcode, or an empty list.',
      async run(target) {
        const json = target.estimateMessage()
        json.shipping_address.zipcode = ''
        await mustEstimate(target, await target.call('shipment_methods', { json }))
      },
    },
  }),
]
