import type { z } from 'zod'
import type { address } from '../address.ts'
import type { customer } from '../customer.ts'
import type { paymentStartRequest } from '../payment.ts'
import type { quote, quoteProduct } from '../quote.ts'
import type { shipmentEstimateRequest, shipmentMethodsRequest } from '../shipment-methods.ts'
import type { shop } from '../shop.ts'

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
