import type { z } from 'zod'
import type {
  paymentMethodsAnswer,
  shipmentEstimateRequest,
  shipmentMethodsAnswer,
  shipmentMethodsRequest,
} from './methods.ts'
import type { address, customer, shop } from './parties.ts'
import type { paymentStartAnswer, paymentStartRequest, paymentStatusAnswer, webhookBody } from './payment.ts'
import { Problem } from './problem.ts'
import type { quote, quoteProduct } from './quote.ts'

// One complete example of each request, made up from the contract. The sandbox, the checker, the OpenAPI document, the registration, tests
// and benches send these with their own changes. No other message is written out.

export const shopExample = { id: 4711, language: 'nl', currency: 'eur' } satisfies z.input<typeof shop>

export const customerExample = {
  gender: 'female',
  birthdate: '1988-07-04',
  phone: '+31201234567',
  mobile: '+31612345678',
  national_id: '',
  email: 'noor@customer.example',
  firstname: 'Noor',
  middlename: '',
  lastname: 'de Wit',
  type: 'private',
  company: '',
  vatnumber: '',
  cocnumber: '',
  sameaddress: true,
} satisfies z.input<typeof customer>

/** The fields that the payment call adds to the customer. */
export const payerExample = {
  id: 90210,
  fulllastname: 'de Wit',
  fullname: 'Noor de Wit',
} satisfies z.input<typeof customer>

export const addressExample = {
  name: 'Noor de Wit',
  company: '',
  address1: 'Prinsengracht',
  address2: '',
  number: '263',
  extension: '',
  zipcode: '1016GV',
  city: 'Amsterdam',
  region: 'Noord-Holland',
  country: 'nl',
} satisfies z.input<typeof address>

export const productExample = {
  product_id: 101,
  variant_id: 1101,
  title: 'Stoneware mug',
  fulltitle: 'Stoneware mug - Default',
  variant: 'Default',
  description: 'A mug',
  price_incl: 36.3,
  price_excl: 30,
  tax_rate: 0.21,
  quantity: 2,
  article_code: 'ART-101',
  ean: '8712345678906',
  sku: 'MUG',
  size_x: 10,
  size_y: 10,
  size_z: 15,
  weight: 1200,
  volume: 3000,
  colli: 1,
  stock_available: true,
} satisfies z.input<typeof quoteProduct>

export const quoteExample = {
  id: 6001,
  price_incl: 36.3,
  price_excl: 30,
  additional_cost: false,
  totals: { sub_total: 30, taxes: [{ percentage: 0.21, amount: 6.3 }], grand_total: 36.3 },
  vat_shifted: false,
  weight: 1200,
  volume: 3000,
  colli: 1,
  products: [productExample],
  created_at: '2026-03-02T10:15:00+01:00',
  updated_at: '2026-03-02T10:15:30+01:00',
} satisfies z.input<typeof quote>

export const checkoutExample = {
  rate_estimate: false,
  checkout_id: 6501,
  shop: shopExample,
  customer: customerExample,
  billing_address: addressExample,
  shipping_address: addressExample,
  quote: quoteExample,
} satisfies z.input<typeof shipmentMethodsRequest>

export const estimateExample = {
  rate_estimate: true,
  shop: shopExample,
  shipping_address: { zipcode: addressExample.zipcode, country: addressExample.country },
  quote: quoteExample,
} satisfies z.input<typeof shipmentEstimateRequest>

export const paymentStartExample = {
  order: {
    id: 1001,
    number: 'ORD01001',
    price_incl: 36.3,
    price_excl: 30,
    price_tax: 6.3,
    currency: 'eur',
  },
  customer: { ...customerExample, ...payerExample },
  payment_method: { id: 'card', method: 'card', title: 'Card', data: {} },
  redirect_url: 'https://shop.example.com/orders/1001/return?from=payment',
  webhook_url: 'https://shop.example.com/webhooks/orders/1001',
} satisfies z.input<typeof paymentStartRequest>

// The same messages as live platforms write them. No data is '', null or false, prices are numbers and text, and a house number is a number.
// A birthdate is a timestamp where a payment starts.

export const liveCustomer = {
  ...customerExample,
  phone: '',
  mobile: null,
  national_id: false,
  company: false,
  cocnumber: null,
} as const

/** Midnight of the birthdate in Amsterdam. */
export const livePayer = { ...liveCustomer, ...payerExample, birthdate: '583970400' } as const

export const liveAddress = { ...addressExample, address2: null, number: 263, region: false } as const

export const liveProduct = { ...productExample, description: '', sku: '' }

export const liveQuote = { ...quoteExample, price_incl: '36.3000', products: [liveProduct] }

export const liveCheckout = {
  ...checkoutExample,
  customer: liveCustomer,
  billing_address: liveAddress,
  shipping_address: liveAddress,
  quote: liveQuote,
} satisfies z.input<typeof shipmentMethodsRequest>

export const liveEstimate = {
  ...estimateExample,
  quote: liveQuote,
} satisfies z.input<typeof shipmentEstimateRequest>

export const livePaymentStart = {
  ...paymentStartExample,
  order: { ...paymentStartExample.order, price_incl: '36.3000' },
  customer: livePayer,
  payment_method: { ...paymentStartExample.payment_method, data: [] },
} satisfies z.input<typeof paymentStartRequest>

// One example of each message that a provider sends.

export const shipmentMethodsExample = {
  shipment_methods: [
    {
      id: 'door',
      title: 'At your door',
      description: 'Delivered the next working day',
      price_incl: 7.01,
      price_excl: 5.79,
      tax_rate: 0.21,
      is_pickup: false,
      is_servicepoint: false,
      is_cash_on_delivery: false,
    },
  ],
} satisfies z.input<typeof shipmentMethodsAnswer>

export const paymentMethodsExample = {
  payment_methods: [
    {
      id: 'card',
      title: 'Card',
      price_incl: 0,
      price_excl: 0,
      tax_rate: 0,
      icon: 'pin',
      post_payment: false,
      invoice_external: false,
      data: { route: 'card-eu' },
    },
  ],
} satisfies z.input<typeof paymentMethodsAnswer>

export const paymentStartAnswerExample = {
  payment_url: 'https://pay.example.com/p/3q2T8xY0bNw5rKdV',
} satisfies z.input<typeof paymentStartAnswer>

export const paymentStatusExample = { status: 'pending' } satisfies z.input<typeof paymentStatusAnswer>
export const webhookExample = { order_id: 1001 } satisfies z.input<typeof webhookBody>

export const problemExample = {
  ...new Problem('BODY_INVALID', {
    faults: [{ path: 'quote.products[2].price_incl', message: 'must be a decimal number' }],
  }).toJSON(),
  request_id: 'Yx2k9QmZ',
}
