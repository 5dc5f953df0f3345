import { imageSize } from 'image-size'
import { jsonIn } from '../../contract/texts.ts'
import type { Message } from '../../messages/exact.ts'
import { answeredStatus } from '../../printable.ts'
import { noAnswerTo } from '../answers.ts'
import { casesOf, type RunnableCase, set } from '../case.ts'
import { asFault, type Exchange, NotMet, Skip, shown } from '../exchange.ts'
import type { Target } from '../target.ts'
import {
  type ListKey,
  paymentRules,
  rules,
  rulesOfAnswers,
  shipmentRules,
  withoutEmptyFields,
} from './method-rules.ts'

const ofCheckout = { topic: 'shipment methods', about: 'rates', section: 'spec 4.3' } as const
const ofEstimates = { ...ofCheckout, topic: 'estimates' } as const
const ofPayments = { topic: 'payment methods', about: 'payments', section: 'spec 4.3' } as const
const lists = {
  shipment_methods: { ...ofCheckout, section: 'spec 2.5', own: shipmentRules },
  payment_methods: { ...ofPayments, section: 'spec 2.6', own: paymentRules },
}

const antarctic = { country: 'aq', zipcode: '', city: 'McMurdo', region: '' }
const toAntarctica = set(antarctic, 'shipping_address', 'billing_address')

/** The rules for every list of methods, as cases about the answer to one message. */
function methodCases(prefix: string, key: ListKey, ask: (target: Target) => Promise<Exchange>) {
  const { own, ...shared } = lists[key]
  return [...rules, ...own].map(({ name, check, ...texts }): RunnableCase => {
    const isOfAnswer = rulesOfAnswers.includes(name)
    return {
      ...{ ...shared, ...(isOfAnswer && { section: 'spec 4.3' }), ...texts, name: `${prefix}-${name}` },
      async run(target) {
        const exchange = await ask(target)
        if (!isOfAnswer && exchange.itemsIn(key).length === 0) throw nothingIn(exchange, key)
        // A cart without an answer is a fault of its own, if the checkout has one.
        const isCart = prefix === 'estimate' && (await target.plain('shipment_methods')).hasList(key)
        await asFault(isCart ? noCart : noAnswerTo(key), () =>
          name === 'status' ? exchange.mustBe(201) : exchange.mustSucceed(),
        )
        // The cart and the checkout have one fault if both have it.
        const isPlain = name === 'no-data' || !exchange.hasList(key)
        const read = isPlain ? exchange : withoutEmptyFields(exchange, key)
        await asFault(`${key} ${name}`, () => check(read, key))
      },
    }
  })
}

/** A rule about every method says nothing without any. */
function nothingIn(exchange: Exchange, key: ListKey): Skip {
  if (exchange.hasList(key)) return new Skip(`The list of ${key} is empty`)
  return new Skip(`${key} was answered with ${exchange.said} and no list of methods`)
}

const noCart = 'no answer to the cart'

const ofRates = `
shipment-methods-nowhere | must | A country without rates gets an empty list, not an error
  | After a few failures some platforms stop calling the provider, for all customers. | Answer 201 with {"shipment_methods": []}.
shipment-methods-other-currency | should, spec 2.4 | A shop in another currency does not break the answer
  | The customer sees no methods, and after some failures no customer does. | Convert, or answer an empty list for a currency without prices.
shipment-methods-heavy | should, spec 2.4 | A far too heavy and large quote is answered like any other
  | The customer sees no methods, and after some failures no customer does. | Answer an empty list if no method can carry it.
`

export const shipmentMethodCases: RunnableCase[] = [
  ...methodCases('shipment-methods', 'shipment_methods', (target) => target.plain('shipment_methods')),
  ...casesOf(ofCheckout, ofRates, {
    'shipment-methods-nowhere': (target) =>
      target.answer('shipment_methods', target.checkoutMessage(toAntarctica)),
    async 'shipment-methods-other-currency'(target) {
      const json = target.checkoutMessage(set({ currency: 'sek' }, 'shop'))
      const exchange = await target.call('shipment_methods', { json })
      exchange.mustNotFail()
    },
    async 'shipment-methods-heavy'(target) {
      const heavy = set({ weight: 900_000_000, volume: 900_000_000, colli: 9_000 }, 'quote')
      const exchange = await target.answer('shipment_methods', target.checkoutMessage(heavy))
      for (const { price_incl: price } of exchange.listIn('shipment_methods')) {
        const fault = 'shipment_methods price-incl'
        exchange.must(Number.isFinite(Number(price)), 'prices', shown(price), fault)
      }
    },
  }),
]

const rows = (exchange: Exchange) =>
  exchange
    .listIn('shipment_methods')
    .map(({ id, price_incl: price }) => `${id} at ${price}`)
    .sort()

async function mustEstimate(target: Target, change: (message: Message) => unknown): Promise<void> {
  const plain = await target.estimate()
  const json = jsonIn(plain.body!) as Message
  change(json)
  const isAnswered = plain.hasList('shipment_methods')
  await asFault(isAnswered ? undefined : noCart, () => target.answer('shipment_methods', json))
}

const ofCarts = `
estimate-flag-as-number | should | An estimate is recognised when its flag is 1
  | The cart shows no shipping costs. | Read rate_estimate as true, 1 and "1".
estimate-agrees | should | The cart and the checkout show the same prices for the same zipcode
  | The customer sees one price in the cart and pays another. | Use the same rates for the estimate and the checkout.
estimate-without-zipcode | should | A cart that knows only the country is answered
  | The cart shows no shipping costs until the customer has typed a zipcode. | Answer what does not depend on the zipcode, or an empty list.
`

export const estimateCases: RunnableCase[] = [
  // An empty list is a valid answer to a cart: not every provider estimates.
  ...methodCases('estimate', 'shipment_methods', (target) => target.estimate()).filter(
    ({ name }) => name !== 'estimate-not-empty',
  ),
  ...casesOf(ofEstimates, ofCarts, {
    async 'estimate-flag-as-number'(target) {
      for (const flag of [1, '1']) await mustEstimate(target, set({ rate_estimate: flag }))
    },
    async 'estimate-agrees'(target) {
      const [cart, checkout] = await Promise.all([target.estimate(), target.plain('shipment_methods')])
      const [estimated, offered] = [rows(cart), rows(checkout)]
      if (estimated.length === 0) throw nothingIn(cart, 'shipment_methods')
      const missing = estimated.find((row) => !offered.includes(row))
      cart.must(missing === undefined, `one of ${offered.join(', ')}`, `${missing}`)
    },
    'estimate-without-zipcode': (target) => mustEstimate(target, set({ zipcode: '' }, 'shipping_address')),
  }),
]

/** spec 8 */
const iconSize = '50 by 32 pixels'

/** The size of the image at an address in words, or why it has none. `undefined` where nothing answers. */
async function sizeOf(address: string, target: Target): Promise<string | undefined> {
  const answer = await target.icon(address).catch(() => undefined)
  if (!answer?.ok) return answer && `answers ${answeredStatus(answer.status)}`
  try {
    const { width, height } = imageSize(new Uint8Array(await answer.arrayBuffer()))
    return `has ${width} by ${height} pixels`
  } catch {
    return 'is not a readable image'
  }
}

const totals = { sub_total: 0, taxes: [], grand_total: 0 }
const ofNothing = set({ price_incl: 0, price_excl: 0, totals }, 'quote')

const ofMethods = `
payment-methods-icon-size | should, spec 8 | The image of an icon has 50 by 32 pixels
  | The platform squeezes the image, or shows none. | Serve a PNG, SVG or another image of 50 by 32 pixels.
payment-methods-free-order | must | A quote of 0 is answered
  | A customer whose voucher covers the whole order cannot continue. | Answer 201, with an empty list if you accept no payment of 0.
`

export const paymentMethodCases: RunnableCase[] = [
  ...methodCases('payment-methods', 'payment_methods', (target) => target.plain('payment_methods')),
  ...casesOf(ofPayments, ofMethods, {
    async 'payment-methods-icon-size'(target) {
      const methods = (await target.plain('payment_methods')).listIn('payment_methods')
      const icons = new Set(methods.map(({ icon }) => icon))
      const addresses = [...icons].filter((icon) => typeof icon === 'string' && icon.startsWith('https://'))
      if (addresses.length === 0) throw new Skip('No method has an icon of its own')
      const sizes = await Promise.all(addresses.map((address) => sizeOf(String(address), target)))
      if (sizes.every((size) => size === undefined))
        throw new Skip('The images of the icons cannot be read from here')
      const wrong = sizes.findIndex((size) => size !== undefined && size !== `has ${iconSize}`)
      if (wrong !== -1)
        throw new NotMet(`an image of ${iconSize}`, `${shown(addresses[wrong])} ${sizes[wrong]}`)
    },
    'payment-methods-free-order': (target) =>
      target.answer('payment_methods', target.checkoutMessage(ofNothing)),
  }),
]
