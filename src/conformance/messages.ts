import {
  addressExample,
  checkoutExample,
  customerExample,
  estimateExample,
  paymentStartExample,
  quoteExample,
} from '../contract/examples/requests.ts'

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
const shop = (id: number | undefined) => ({
  ...(id !== undefined && { id }),
  language: 'en',
  currency: 'eur',
})

/** POST shipment_methods and POST payment_methods of a checkout. */
export const checkoutMessage = (shopId: number | undefined): Message =>
  structuredClone({
    ...checkoutExample,
    checkout_id: 990501,
    shop: shop(shopId),
    customer,
    billing_address: { ...address },
    shipping_address: { ...address },
    quote,
  })

/** POST shipment_methods of a cart. */
export const estimateMessage = (shopId: number | undefined): Message =>
  structuredClone({ ...estimateExample, shop: shop(shopId), quote })

/** POST payment, marked as a test. It names the shop where that is known, and brings the data of the method back. */
export const paymentMessage = (order: {
  id: number
  method: { id: string; title: string; data: Record<string, unknown> }
  redirectUrl: string
  webhookUrl: string
  shopId: number | undefined
}): Message => ({
  ...(order.shopId !== undefined && { shop: shop(order.shopId) }),
  order: { ...paymentStartExample.order, id: order.id, number: `CHECK-${order.id}` },
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
