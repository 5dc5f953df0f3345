import {
  checkoutCall,
  type Destination,
  estimateCall,
  paymentCall,
  seededAddress,
  seededCustomer,
} from '../sandbox/payloads.ts'

/** The cart, destination and language of a message. */
export interface MessageOptions extends Partial<Destination> {
  language?: string
  /** The id of the quote, or of the order. Default 6001 and 1001. */
  id?: number
}

/** The body of POST shipment_methods and POST payment_methods in a checkout (spec 4.3). */
export const checkoutBody = ({ language = 'nl', id = 6001, ...where }: MessageOptions = {}) =>
  checkoutCall(id, language, seededCustomer, { ...seededAddress, ...where })

/** The body of POST shipment_methods in a cart (spec 4.3). */
export const estimateBody = ({ language = 'nl', id = 6001, ...where }: MessageOptions = {}) =>
  estimateCall(id, language, { ...seededAddress, ...where })

/** The fields of a payment start. */
export interface PaymentBodyOptions {
  id?: number
  /** With VAT. Default `29.34`. */
  amount?: string
  method?: string
  data?: Record<string, unknown>
  redirectUrl?: string
  webhookUrl?: string
}

/** The body of POST payment (spec 4.3). */
export const paymentBody = ({
  id = 1001,
  amount = '29.34',
  method = 'card',
  data = {},
  redirectUrl = 'https://shop.example/return?order=1001',
  webhookUrl = 'https://shop.example/webhook?order=1001',
}: PaymentBodyOptions = {}) =>
  paymentCall({
    order: { id, number: `ORD${id}`, amounts: { incl: amount, excl: amount } },
    customer: seededCustomer,
    method: { id: method, method, title: method, data },
    redirectUrl,
    webhookUrl,
  })
