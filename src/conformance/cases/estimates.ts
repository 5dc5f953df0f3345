import { type ConformanceCase, casesOf } from '../case.ts'
import { asFault, expectThat } from '../expect.ts'
import { type Exchange, isList, listIn, type Target } from '../target.ts'
import { methodCases, nothingIn } from './methods.ts'

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

const shared = { topic: 'estimates', about: 'rates', section: 'spec 4.3' } as const

/** POST shipment_methods of the cart, with only zipcode and country of the customer (spec 4.3). */
export const estimateCases: ConformanceCase[] = [
  // An empty list is a valid answer to a cart: not every provider estimates.
  ...methodCases({
    ...shared,
    prefix: 'estimate',
    key: 'shipment_methods',
    ask: (target) => target.estimate(),
  }).filter(({ name }) => name !== 'estimate-not-empty'),
  ...casesOf(shared, {
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
