import { liveAddress, liveCustomer, livePayer, liveProduct, liveQuote } from '../contract/examples/live.ts'
import {
  addressExample,
  checkoutExample,
  customerExample,
  estimateExample,
  shopExample,
} from '../contract/examples/requests.ts'
import { decimal } from '../money/index.ts'
import { type Amounts, cart, currency, total } from './cart.ts'

// Messages to the provider. They have the habits of live platforms rather than tidy values: no data as '', null, false or a missing key,
// prices as numbers and as text, flags as 0 and 1, and a password that must never be stored.

export const shopId = shopExample.id
export const clusterId = 'sandbox'
export const languages = ['en', 'nl', 'de', 'fr', 'es'] as const
export const countries = ['nl', 'be', 'de', 'fr', 'es', 'us'] as const

/** The customer of a checkout in the sandbox. */
export interface Customer {
  firstname: string
  lastname: string
  email: string
}

/** The destination that a cart knows. */
export interface Destination {
  zipcode: string
  country: string
}

/** The address that an order is shipped to. */
export interface DeliveryAddress extends Destination {
  address1: string
  number: string
  city: string
}

const { firstname, lastname, email } = customerExample
export const seededCustomer: Customer = { firstname, lastname, email }
const { address1, number, zipcode, city, country } = addressExample
export const seededAddress: DeliveryAddress = { address1, number, zipcode, city, country }

/** How fields without data are written. `mixed`: as below. */
export type NoData = 'mixed' | 'missing' | 'null' | 'text' | 'false'

const written = { null: null, text: '', false: false } as const

/** The same message with its empty fields written in one way. Lists stay what they are. */
export function dressed<T>(message: T, noData: NoData): T {
  if (noData === 'mixed') return message
  const dress = (value: unknown): unknown => {
    if (value === null || value === '' || value === false)
      return noData === 'missing' ? undefined : written[noData]
    if (Array.isArray(value)) return value.map(dress)
    if (typeof value !== 'object') return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, dress(inner)]))
  }
  return JSON.parse(JSON.stringify(dress(message))) as T
}

export const shop = (language: string) => ({ id: shopId, language, currency })

function quote(id: number) {
  const { incl, excl } = total()
  return {
    ...liveQuote,
    id,
    price_incl: decimal(incl).toFixed(4),
    price_excl: Number(excl),
    totals: {
      sub_total: Number(excl),
      taxes: [{ percentage: 0.21, amount: decimal(incl).minus(excl).toFixed(2) }],
      grand_total: incl,
    },
    vat_shifted: 0,
    weight: cart.reduce((weight, line) => weight + line.weight, 0),
    volume: '',
    products: cart.map((line, place) => ({
      ...liveProduct,
      product_id: line.id,
      variant_id: line.id + 1000,
      title: line.title,
      fulltitle: `${line.title} - Default`,
      description: place === 0 ? null : '',
      price_incl: place === 1 ? Number(line.price_incl) : decimal(line.price_incl).toFixed(4),
      price_excl: Number(line.price_excl),
      quantity: line.quantity,
      article_code: `ART-${line.id}`,
      ean: place === 0 ? 8712345678906 : '',
      sku: false,
      size_x: 0,
      size_y: '0',
      size_z: null,
      weight: line.weight,
      volume: 0,
      colli: '',
      stock_available: place === 2 ? 1 : true,
    })),
  }
}

const password = 'correct horse battery staple'

const customer = ({ firstname, lastname, email }: Customer) => ({
  ...liveCustomer,
  gender: '',
  email,
  password,
  firstname,
  lastname,
  sameaddress: 1,
})

const address = (
  { firstname, lastname }: Customer,
  { address1, number, zipcode, city, country }: DeliveryAddress,
  company: '' | null,
) => ({
  ...liveAddress,
  name: `${firstname} ${lastname}`,
  company,
  address1,
  // A house number is an integer in some calls and text in others.
  number: company === '' && /^\d+$/.test(number) ? Number(number) : number,
  zipcode,
  city,
  country,
})

export const estimateCall = (quoteId: number, language: string, where: Destination) => ({
  ...estimateExample,
  shop: shop(language),
  shipping_address: { zipcode: where.zipcode, country: where.country },
  quote: quote(quoteId),
})

export const checkoutCall = (quoteId: number, language: string, who: Customer, where: DeliveryAddress) => ({
  ...checkoutExample,
  checkout_id: quoteId + 500,
  shop: shop(language),
  customer: customer(who),
  billing_address: address(who, where, ''),
  shipping_address: address(who, where, null),
  quote: quote(quoteId),
})

export function paymentCall(options: {
  order: { id: number; number: string; amounts: Amounts }
  customer: Customer
  /** `id` names the external service on live platforms, and the choice with some senders. */
  method: { id: string; method: string; title: string; data: Record<string, unknown> }
  redirectUrl: string
  webhookUrl: string
  /** Set if the platform names the shop in this call too. */
  shop?: { id: number; language: string; currency: string } | undefined
}) {
  const { order, method } = options
  const fullname = `${options.customer.firstname} ${options.customer.lastname}`
  return {
    ...(options.shop && { shop: options.shop }),
    order: {
      id: order.id,
      number: order.number,
      price_incl: decimal(order.amounts.incl).toFixed(4),
      price_excl: Number(order.amounts.excl),
      price_tax: Number(decimal(order.amounts.incl).minus(order.amounts.excl).toFixed(2)),
      currency,
    },
    customer: {
      ...livePayer,
      ...customer(options.customer),
      birthdate: livePayer.birthdate,
      fulllastname: options.customer.lastname,
      fullname,
    },
    payment_method: {
      id: method.id,
      method: method.method,
      title: method.title,
      data: Object.keys(method.data).length > 0 ? method.data : [],
    },
    redirect_url: options.redirectUrl,
    webhook_url: options.webhookUrl,
  }
}
