import * as requests from '../contract/examples.ts'
import { wrongCall } from '../errors/errors.ts'
import { currencyDigits, isCurrency } from '../money/index.ts'
import type { CheckedShop } from './options.ts'
import { addressIn } from './people.ts'

// The checker's messages: complete and exactly as in the spec. The cases add the quirks of live platforms, one at a time.

/** The body of a message that a case may change into any shape, also a wrong one. */
export interface Message {
  // biome-ignore lint/suspicious/noExplicitAny: cases change them freely, into shapes that no type has
  [field: string]: any
}

const name = { firstname: 'Conformance', lastname: 'Check' }
const customer = { ...requests.customerExample, email: 'conformance@customer.example', ...name }
const address = { ...requests.addressExample, name: 'Conformance Check' }
const addresses = { billing_address: address, shipping_address: address }
const shop = { language: 'en', currency: 'eur' }
const noCosts = { additional_cost_price_incl: 0, additional_cost_price_excl: 0 }
const quote = { ...requests.quoteExample, id: 990001, ...noCosts }

/** A copy of a message of a shop. Without cents, prices are a hundred times as high. Throws `ARGUMENT_INVALID` for what no shop has. */
function sentBy({ shopId: id, currency = 'eur', ...place }: CheckedShop, message: Message): Message {
  if (!isCurrency(currency)) throw wrongCall(`currency ${currency} is unknown: write a code such as eur`)
  const address: Message = { ...addressIn(place), ...((place.country ?? place.zipcode) && { region: '' }) }
  const hundreds = currencyDigits(currency) === 0
  const text = JSON.stringify(message, (name, value) => {
    if (name === 'currency') return currency.toLowerCase()
    if (name === 'shop') return id === undefined ? value : { id, ...value }
    if (name.endsWith('_address'))
      return Object.fromEntries(Object.keys(value).map((field) => [field, address[field] ?? value[field]]))
    const isPrice = hundreds && typeof value === 'number' && /price|total|amount/.test(name)
    return isPrice ? Math.round(value * 100) : value
  })
  return JSON.parse(text) as Message
}

/** POST shipment_methods and POST payment_methods of a checkout. */
export const checkoutMessage = (sender: CheckedShop = {}): Message =>
  sentBy(sender, { ...requests.checkoutExample, checkout_id: 990501, shop, customer, ...addresses, quote })

/** POST shipment_methods of a cart. */
export const estimateMessage = (sender: CheckedShop = {}): Message =>
  sentBy(sender, { ...requests.estimateExample, shop, quote })

interface TestOrder {
  id: number
  method: { id: string; title: string; data: Record<string, unknown> }
  redirectUrl: string
  webhookUrl: string
  sender: CheckedShop
}

/** POST payment, marked as a test. It names the shop where that is known, and brings the data of the method back. */
export const paymentMessage = ({ id, method, redirectUrl, webhookUrl, sender }: TestOrder): Message => ({
  ...sentBy(sender, {
    ...(sender.shopId !== undefined && { shop }),
    order: { ...requests.paymentStartExample.order, id, number: `CHECK-${id}` },
    customer: { ...customer, id: 990201, fulllastname: 'Check', fullname: address.name },
  }),
  payment_method: { id: method.id, method: method.id, title: method.title, data: { ...method.data } },
  redirect_url: redirectUrl,
  webhook_url: webhookUrl,
})
