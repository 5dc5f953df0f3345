import { hasCode, PurveyorError, wrongCall } from '../errors.ts'
import { decimal, isCurrency, readDecimal } from '../money/index.ts'
import { type LineOptions, onlyKnown } from '../sandbox/cart.ts'
import { checkoutCall, estimateCall, paymentCall, shopId } from '../sandbox/payloads.ts'
import {
  type Customer,
  type DeliveryAddress,
  type Destination,
  seededAddress,
  seededCustomer,
} from '../sandbox/people.ts'
import { linesFrom, type PresetName } from '../sandbox/presets.ts'

/** The cart, destination and language of a message. Default: three products of 1,510 g for 47.13 EUR with tax, to Amsterdam. */
export interface MessageOptions extends Partial<Destination> {
  /** Two letters. Default `nl`. */
  language?: string
  /** The id of the quote. Default 6001. */
  id?: number
  /** The platform's id of the shop. Default 4711. */
  shop?: number
  /** Three letters. Default `eur`. */
  currency?: string
  /** The products: a list, or the name of a preset such as `letter`, `heavy` or `nothing`. */
  lines?: PresetName | readonly LineOptions[]
  /** The weight of the whole cart, a whole number in the unit of the shop. The cart then holds one product; not beside `lines`. Default: that of the products. */
  weight?: number
  /**
   * The value of the whole cart with tax, in `currency`, such as `'80.00'`. The cart then holds one product; not beside `lines`. Default:
   * that of the products.
   */
  value?: string | number
  /** The tax rate of `value`, a fraction. Default `0.21`. */
  taxRate?: string | number
  /** The shipping address. `country` and `zipcode` may also stand alone. */
  address?: Partial<DeliveryAddress>
}

/** The fields of a checkout beside its cart. */
export interface CheckoutBodyOptions extends MessageOptions {
  /** Default: a customer in Amsterdam. */
  customer?: Partial<Customer>
  /** The billing address, if it is a different one. */
  billing?: Partial<DeliveryAddress>
}

/**
 * The body of POST shipment_methods and POST payment_methods in a checkout (spec 4.3). Throws `ARGUMENT_INVALID` for a cart that no shop sends,
 * such as a negative weight.
 */
export function checkoutBody(options: CheckoutBodyOptions = {}) {
  const { billing, customer } = options
  const address = addressOf(options)
  return checkoutCall({
    ...cartOf('checkoutBody', options),
    customer: { ...seededCustomer, ...customer },
    address,
    billing: billing && { ...address, ...billing },
  })
}

/** The body of POST shipment_methods in a cart (spec 4.3). Throws as `checkoutBody` does. */
export const estimateBody = (options: MessageOptions = {}) =>
  estimateCall({ ...cartOf('estimateBody', options), address: addressOf(options) })

function addressOf({ address, country, zipcode }: MessageOptions): DeliveryAddress {
  const where = { ...seededAddress, ...address }
  if (country !== undefined) where.country = country
  if (zipcode !== undefined) where.zipcode = zipcode
  return { ...where, country: where.country.toLowerCase() }
}

const messageOptions = [
  ...['language', 'id', 'shop', 'currency', 'lines', 'weight', 'value', 'taxRate', 'address', 'country'],
  ...['zipcode', 'customer', 'billing'],
]

function cartOf(caller: string, options: MessageOptions) {
  onlyKnown(options, messageOptions, (name) => `${caller}(): ${name} is not known`)
  const { language = 'nl', id = 6001, shop = shopId, weight, value } = options
  const currency = (options.currency ?? 'eur').toLowerCase()
  if (!isCurrency(currency)) throw wrongCall(`${caller}(): currency is a code such as eur`)
  const { lines = weight === undefined && value === undefined ? 'usual' : oneLine(caller, options) } = options
  if (options.lines !== undefined && (weight !== undefined || value !== undefined))
    throw wrongCall(`${caller}() takes either lines, or weight and value`)
  try {
    const quote = { id, currency, lines: linesFrom(lines, currency) }
    return { shop: { id: shop, language, currency }, quote }
  } catch (error) {
    if (!hasCode(error, 'ARGUMENT_INVALID')) throw error
    throw new PurveyorError('ARGUMENT_INVALID', `${caller}(): ${error.message}`, { cause: error })
  }
}

const lineLimits = { weight: 1_000_000_000, value: 1_000_000 }

/** One product that is the whole cart. Checked here, so that the fault names the option and not the line. */
function oneLine(caller: string, { weight = 0, value = '47.13', taxRate = '0.21' }: MessageOptions) {
  if (!Number.isInteger(weight) || weight < 0 || weight > lineLimits.weight)
    throw wrongCall(`${caller}(): weight is a whole number from 0 to ${lineLimits.weight}`)
  const incl = readDecimal(value)
  if (incl === undefined || decimal(incl).lt(0) || decimal(incl).gt(lineLimits.value))
    throw wrongCall(`${caller}(): value is a price from 0 to ${lineLimits.value}, such as '80.00'`)
  return [{ title: 'Stoneware mug', weight, incl, taxRate, articleCode: 'ART-101' }]
}

/** The fields of a payment start. */
export interface PaymentBodyOptions {
  /** The platform's id of the order. Default 1001. */
  id?: number
  /** With VAT. Default `29.34`. */
  amount?: string
  /** Three letters. Default `eur`. */
  currency?: string
  /** The id of the payment method. Default `card`. */
  method?: string
  /** The customer's data for the payment method. Default: none. */
  data?: Record<string, unknown>
  /** Default: a customer in Amsterdam. */
  customer?: Partial<Customer>
  /** The address of the shop that the customer returns to. Default `https://shop.example/return?order=1001`. */
  redirectUrl?: string
  /** The address of the shop for webhooks. Default `https://shop.example/webhook?order=1001`. */
  webhookUrl?: string
}

/** The body of POST payment (spec 4.3). */
export const paymentBody = ({
  id = 1001,
  amount = '29.34',
  currency = 'eur',
  method = 'card',
  data = {},
  customer,
  redirectUrl = 'https://shop.example/return?order=1001',
  webhookUrl = 'https://shop.example/webhook?order=1001',
}: PaymentBodyOptions = {}) =>
  paymentCall({
    order: { id, number: `ORD${id}`, amounts: { incl: amount, excl: amount }, currency },
    customer: { ...seededCustomer, ...customer },
    method: { id: method, method, title: method, data },
    redirectUrl,
    webhookUrl,
  })
