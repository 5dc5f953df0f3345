import {
  checkoutExample,
  estimateExample,
  liveAddress,
  liveCustomer,
  livePayer,
  liveProduct,
  liveQuote,
  shopExample,
} from '../contract/examples.ts'
import { decimal, roundToCurrency } from '../money/index.ts'
import { type Amounts, type CartLine, total } from './lines.ts'
import type { Customer, DeliveryAddress, Destination } from './options.ts'
import type { SentCustomer } from './people.ts'
import { fulltitleOf } from './products.ts'

// Messages to the provider. They have the habits of live platforms rather than tidy values. No data is '', null, false or a missing key.
// Prices are numbers and text, flags are 0 and 1, and there is a password that must never be stored.

export const shopId = shopExample.id
export const clusterId = 'sandbox'
export const languages = ['en', 'nl', 'de', 'fr', 'es'] as const

const written = { missing: undefined, null: null, text: '', false: false } as const

/** How fields without data are written. `mixed`: as below. */
export type NoData = 'mixed' | keyof typeof written

/** The same message with its empty fields written in one way. */
export function dressed<T>(message: T, noData: NoData): T {
  if (noData === 'mixed') return message
  const isNone = (value: unknown) => value === null || value === '' || value === false
  return JSON.parse(JSON.stringify(message, (_, value) => (isNone(value) ? written[noData] : value))) as T
}

/** The shop that a call names: its id, and the language and currency of the customer. */
export interface NamedShop {
  id: number
  language: string
  currency: string
}

/** The cart of a call, and the shop that names it. */
export interface SentCart {
  id: number
  shop: number
  language: string
  currency: string
  lines: readonly CartLine[]
}

export const named = ({ shop, language, currency }: Omit<SentCart, 'id' | 'lines'>): NamedShop => ({
  ...{ id: shop, language, currency },
})

/** The id of the variant that every product has. */
export const variantIdOf = (product: number): number => product + 1_000

function quote({ id, currency, lines }: SentCart) {
  const { incl, excl } = total(currency, ...lines)
  const sum = (field: 'weight' | 'volume' | 'colli') => lines.reduce((all, line) => all + line[field], 0)
  return {
    ...liveQuote,
    id,
    price_incl: decimal(incl).toFixed(4),
    price_excl: Number(excl),
    totals: {
      sub_total: Number(excl),
      taxes: [...taxesOf(lines, currency), ...lines.flatMap(({ tax }) => tax ?? [])],
      grand_total: incl,
    },
    vat_shifted: 0,
    weight: sum('weight'),
    volume: sum('volume') || '',
    colli: sum('colli') || 1,
    products: lines.map(quoteProduct),
  }
}

/** One entry for each tax rate of the goods, in the order of the lines. */
const taxesOf = (lines: readonly CartLine[], currency: string) =>
  [...Map.groupBy(lines, ({ tax_rate }) => tax_rate)].map(([rate, taxed]) => {
    const { incl, excl } = total(currency, ...taxed)
    return { percentage: Number(rate), amount: roundToCurrency(decimal(incl).minus(excl), currency) }
  })

function quoteProduct(line: CartLine, place: number) {
  return {
    ...liveProduct,
    product_id: line.productId,
    variant_id: variantIdOf(line.productId),
    title: line.title,
    fulltitle: line.fulltitle || fulltitleOf(line.title),
    description: line.description || (place === 0 ? null : ''),
    price_incl: place === 1 ? Number(line.price_incl) : decimal(line.price_incl).toFixed(4),
    price_excl: Number(line.price_excl),
    tax_rate: Number(line.tax_rate),
    quantity: line.quantity,
    article_code: line.articleCode,
    // A number of digits alone is sent as a number.
    ean: /^[1-9]\d{0,14}$/.test(line.ean) ? Number(line.ean) : line.ean,
    sku: line.sku || false,
    size_x: line.sizeX || 0,
    size_y: line.sizeY || '0',
    size_z: line.sizeZ || null,
    weight: line.weight,
    volume: line.volume,
    colli: line.colli || '',
    stock_available: place === 2 ? Number(line.inStock) : line.inStock,
    ...line.sent,
  }
}

const nameOf = ({ firstname, lastname }: Customer) => [firstname, lastname].filter(Boolean).join(' ')

const customerOf = ({ customer, billing }: Pick<SentCustomer, 'customer' | 'billing'>) => ({
  ...liveCustomer,
  gender: '',
  ...customer,
  password: 'correct horse battery staple',
  company: customer.company || liveCustomer.company,
  type: customer.company ? ('company' as const) : liveCustomer.type,
  sameaddress: billing === undefined ? 1 : 0,
})

/** A house number is an integer where no company is '', and text where it is null. */
const addressOf = (
  customer: Customer,
  { extension = '', number, region, ...address }: DeliveryAddress,
  noCompany: '' | null,
) => ({
  ...liveAddress,
  ...address,
  name: nameOf(customer),
  company: customer.company || noCompany,
  number: noCompany === '' && /^\d{1,9}$/.test(number) ? Number(number) : number,
  extension,
  region: region ?? liveAddress.region,
})

/** POST shipment_methods of a cart. */
export const estimateCall = ({ address, ...cart }: SentCart & { address: Destination }) => ({
  ...estimateExample,
  shop: named(cart),
  shipping_address: { zipcode: address.zipcode, country: address.country },
  quote: quote(cart),
})

/** POST shipment_methods and POST payment_methods of a checkout. */
export const checkoutCall = (sent: SentCart & SentCustomer) => ({
  ...checkoutExample,
  checkout_id: sent.id + 500,
  shop: named(sent),
  customer: sent.guest ? null : customerOf(sent),
  billing_address: addressOf(sent.customer, sent.billing ?? sent.address, ''),
  shipping_address: addressOf(sent.customer, sent.address, null),
  quote: quote(sent),
})

interface SentOrder extends Pick<SentCart, 'id' | 'currency'>, Omit<SentCustomer, 'address'> {
  number: string
  /** The id of the customer's account at the shop. Default: that of a sample. */
  customerId?: number | undefined
  amounts: Amounts
  /** `id` names the external service on live platforms, and the choice with some senders. */
  method: { id: string; method: string; title: string; data: Record<string, unknown> }
  redirectUrl: string
  webhookUrl: string
  /** Set if the platform names the shop in this call too. */
  shop?: NamedShop | undefined
}

export function paymentCall(sent: SentOrder) {
  const { id, number, currency, amounts, customer, method } = sent
  const { incl, excl } = amounts
  return {
    ...(sent.shop && { shop: sent.shop }),
    order: {
      id,
      number,
      price_incl: decimal(incl).toFixed(4),
      price_excl: Number(excl),
      price_tax: Number(roundToCurrency(decimal(incl).minus(excl), currency)),
      currency,
    },
    customer: {
      ...livePayer,
      ...customerOf(sent),
      id: sent.customerId ?? livePayer.id,
      birthdate: livePayer.birthdate,
      fulllastname: customer.lastname,
      fullname: nameOf(customer),
    },
    payment_method: { ...method, data: Object.keys(method.data).length > 0 ? method.data : [] },
    redirect_url: sent.redirectUrl,
    webhook_url: sent.webhookUrl,
  }
}
