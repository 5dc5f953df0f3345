import { liveAddress, liveCustomer, livePayer, liveProduct, liveQuote } from '../contract/examples/live.ts'
import { checkoutExample, estimateExample, shopExample } from '../contract/examples/requests.ts'
import { decimal, roundToCurrency } from '../money/index.ts'
import { type Amounts, type CartLine, total } from './lines.ts'
import type { Customer, DeliveryAddress, Destination } from './people.ts'
import { fulltitleOf } from './products.ts'

// Messages to the provider. They have the habits of live platforms rather than tidy values. No data is '', null, false or a missing key.
// Prices are numbers and text, flags are 0 and 1, and there is a password that must never be stored.

export const shopId = shopExample.id
export const clusterId = 'sandbox'
export const languages = ['en', 'nl', 'de', 'fr', 'es'] as const

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

/** The shop that a call names: its id, and the language and currency of the customer. */
export interface NamedShop {
  id: number
  language: string
  currency: string
}

/** The cart of a call. */
export interface SentQuote {
  id: number
  currency: string
  lines: readonly CartLine[]
}

/** The id of the variant that every product has. */
export const variantIdOf = (product: number): number => product + 1_000
const sizesWithoutData = [0, '0', null] as const

function quote({ id, currency, lines }: SentQuote) {
  const { incl, excl } = total(currency, ...lines)
  const sum = (field: 'weight' | 'volume' | 'colli') => lines.reduce((all, line) => all + line[field], 0)
  return {
    ...liveQuote,
    id,
    price_incl: decimal(incl).toFixed(4),
    price_excl: Number(excl),
    totals: { sub_total: Number(excl), taxes: taxesOf(lines, currency), grand_total: incl },
    vat_shifted: 0,
    weight: sum('weight'),
    volume: sum('volume') || '',
    colli: sum('colli') || 1,
    products: lines.map(quoteProduct),
  }
}

/** One entry for each tax rate, in the order of the lines. */
function taxesOf(lines: readonly CartLine[], currency: string) {
  return [...new Set(lines.map(({ tax_rate }) => tax_rate))].map((rate) => {
    const { incl, excl } = total(currency, ...lines.filter(({ tax_rate }) => tax_rate === rate))
    return { percentage: Number(rate), amount: roundToCurrency(decimal(incl).minus(excl), currency) }
  })
}

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
    ean: codeOf(line.ean),
    sku: line.sku || false,
    size_x: line.sizeX || sizesWithoutData[0],
    size_y: line.sizeY || sizesWithoutData[1],
    size_z: line.sizeZ || sizesWithoutData[2],
    weight: line.weight,
    volume: line.volume,
    colli: line.colli || '',
    stock_available: place === 2 ? Number(line.inStock) : line.inStock,
  }
}

/** A number of digits alone is sent as a number. */
const codeOf = (code: string) => (/^[1-9]\d{0,14}$/.test(code) ? Number(code) : code)

const password = 'correct horse battery staple'

const customer = (
  { firstname, lastname, email, company, ...given }: Customer,
  billing?: DeliveryAddress,
) => ({
  ...liveCustomer,
  gender: '',
  ...given,
  email,
  password,
  firstname,
  lastname,
  ...(company && { type: 'company' as const, company }),
  sameaddress: billing === undefined ? 1 : 0,
})

const address = (
  { firstname, lastname, company }: Customer,
  { address1, number, zipcode, city, country, extension = '', region = false }: SentAddress,
  withoutCompany: '' | null,
) => ({
  ...liveAddress,
  name: [firstname, lastname].filter(Boolean).join(' '),
  company: company || withoutCompany,
  address1,
  // A house number is an integer in some calls and text in others.
  number: withoutCompany === '' && /^\d{1,9}$/.test(number) ? Number(number) : number,
  extension,
  zipcode,
  city,
  region,
  country,
})

type SentAddress = Omit<DeliveryAddress, 'region'> & { region?: string | false }

/** The customer and the place of a checkout. `billing`: the billing address, if it is a different one. */
export interface SentCheckout {
  shop: NamedShop
  quote: SentQuote
  customer: Customer
  address: DeliveryAddress
  billing?: DeliveryAddress | undefined
}

export const estimateCall = (options: { shop: NamedShop; quote: SentQuote; address: Destination }) => ({
  ...estimateExample,
  shop: options.shop,
  shipping_address: { zipcode: options.address.zipcode, country: options.address.country },
  quote: quote(options.quote),
})

export const checkoutCall = ({
  shop,
  quote: sent,
  customer: who,
  address: where,
  billing,
}: SentCheckout) => ({
  ...checkoutExample,
  checkout_id: sent.id + 500,
  shop,
  customer: customer(who, billing),
  billing_address: address(who, billing ?? where, ''),
  shipping_address: address(who, where, null),
  quote: quote(sent),
})

export function paymentCall(options: {
  order: { id: number; number: string; amounts: Amounts; currency: string }
  customer: Customer
  billing?: DeliveryAddress | undefined
  /** `id` names the external service on live platforms, and the choice with some senders. */
  method: { id: string; method: string; title: string; data: Record<string, unknown> }
  redirectUrl: string
  webhookUrl: string
  /** Set if the platform names the shop in this call too. */
  shop?: NamedShop | undefined
}) {
  const { order, method } = options
  const { incl, excl } = order.amounts
  return {
    ...(options.shop && { shop: options.shop }),
    order: {
      id: order.id,
      number: order.number,
      price_incl: decimal(incl).toFixed(4),
      price_excl: Number(excl),
      price_tax: Number(roundToCurrency(decimal(incl).minus(excl), order.currency)),
      currency: order.currency,
    },
    customer: {
      ...livePayer,
      ...customer(options.customer, options.billing),
      birthdate: livePayer.birthdate,
      fulllastname: options.customer.lastname,
      fullname: [options.customer.firstname, options.customer.lastname].filter(Boolean).join(' '),
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
