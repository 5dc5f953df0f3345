import {
  addressExample,
  checkoutExample,
  customerExample,
  estimateExample,
  paymentStartExample,
  quoteExample,
} from '../contract/examples/requests.ts'
import { wrongCall } from '../errors.ts'
import { currencyDigits, isCurrency } from '../money/index.ts'
import { addressIn } from './people.ts'

// The checker's messages: complete and exactly as in the spec. The cases add the quirks of live platforms, one at a time.

/** The body of a message that a case may change into any shape, also a wrong one. */
export interface Message {
  // biome-ignore lint/suspicious/noExplicitAny: cases change them freely, into shapes that no type has
  [field: string]: any
}

const customer = {
  ...customerExample,
  email: 'conformance@customer.example',
  firstname: 'Conformance',
  lastname: 'Check',
}
const address = { ...addressExample, name: 'Conformance Check' }
const quote = { ...quoteExample, id: 990001, additional_cost_price_incl: 0, additional_cost_price_excl: 0 }
const shop = { language: 'en', currency: 'eur' }

/** The shop that a check plays, and where its customers live. */
export interface CheckedShop {
  /** The platform's id of the shop. Default: none, or one that fits if the provider requires one. */
  shopId?: number | undefined
  /** The country of the customers, two letters. Default `nl`. */
  country?: string
  /** Default: that of an example in `country`, in Amsterdam `1016GV`. */
  zipcode?: string
  /** The currency of the shop, three letters. Default `eur`. */
  currency?: string
}

/** A copy of a message of a shop. Without cents, prices are a hundred times as high. Throws `ARGUMENT_INVALID` for what no shop has. */
function sentBy({ shopId: id, country, zipcode, currency = 'eur' }: CheckedShop, message: object): Message {
  if (!isCurrency(currency)) throw wrongCall(`currency ${currency} is unknown: write a code such as eur`)
  const address: Message = { ...addressIn({ country, zipcode }), ...((country ?? zipcode) && { region: '' }) }
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
  sentBy(sender, {
    ...checkoutExample,
    checkout_id: 990501,
    shop,
    customer,
    billing_address: address,
    shipping_address: address,
    quote,
  })

/** POST shipment_methods of a cart. */
export const estimateMessage = (sender: CheckedShop = {}): Message =>
  sentBy(sender, { ...estimateExample, shop, quote })

/** POST payment, marked as a test. It names the shop where that is known, and brings the data of the method back. */
export const paymentMessage = (order: {
  id: number
  method: { id: string; title: string; data: Record<string, unknown> }
  redirectUrl: string
  webhookUrl: string
  sender: CheckedShop
}): Message => ({
  ...sentBy(order.sender, {
    ...(order.sender.shopId !== undefined && { shop }),
    order: { ...paymentStartExample.order, id: order.id, number: `CHECK-${order.id}` },
  }),
  customer: { ...customer, id: 990201, fulllastname: 'Check', fullname: 'Conformance Check' },
  payment_method: {
    id: order.method.id,
    method: order.method.id,
    title: order.method.title,
    data: { ...order.method.data },
  },
  redirect_url: order.redirectUrl,
  webhook_url: order.webhookUrl,
})
