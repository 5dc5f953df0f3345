import type { z } from 'zod'
import type { paymentStartRequest } from '../payment.ts'
import type { shipmentEstimateRequest, shipmentMethodsRequest } from '../shipment-methods.ts'
import {
  addressExample,
  checkoutExample,
  customerExample,
  estimateExample,
  payerExample,
  paymentStartExample,
  productExample,
  quoteExample,
} from './requests.ts'

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
