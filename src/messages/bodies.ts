import { hasCode, PurveyorError, wrongCall } from '../errors.ts'
import { type Decimal, decimal, isCurrency, readDecimal, roundToCurrency } from '../money/index.ts'
import { digitsFault } from './lines.ts'
import { checkoutCall, estimateCall, paymentCall, shopId } from './live.ts'
import {
  type CheckoutBodyOptions,
  checkMessageOptions,
  checkPaymentOptions,
  type MessageOptions,
  type PaymentBodyOptions,
} from './message-options.ts'
import { given, inSmall } from './options.ts'
import { type DeliveryAddress, seededAddress, seededCustomer } from './people.ts'
import { linesFrom } from './presets.ts'

/**
 * The body of POST shipment_methods and POST payment_methods in a checkout (spec 4.3). Throws `ARGUMENT_INVALID` for an option
 * that does not exist, and for a checkout that no shop sends, such as one with a negative weight or to no country.
 */
export function checkoutBody(options: CheckoutBodyOptions = {}) {
  checkMessageOptions('checkoutBody', options)
  const { billing, customer } = options
  const address = addressOf(options)
  return checkoutCall({
    ...cartOf('checkoutBody', options),
    customer: { ...seededCustomer, ...given(customer) },
    address,
    billing: billing && inSmall({ ...address, ...given(billing) }),
  })
}

/** The body of POST shipment_methods in a cart (spec 4.3). Throws as `checkoutBody` does. */
export function estimateBody(options: MessageOptions = {}) {
  checkMessageOptions('estimateBody', options)
  return estimateCall({ ...cartOf('estimateBody', options), address: addressOf(options) })
}

const addressOf = ({ address, country, zipcode }: MessageOptions): DeliveryAddress =>
  inSmall({ ...seededAddress, ...given(address), ...given({ country, zipcode }) })

function currencyOf(caller: string, currency: unknown = 'eur'): string {
  if (!isCurrency(currency)) throw wrongCall(`${caller}(): currency is a code such as eur`)
  return currency.toLowerCase()
}

/** Checked here, so that the fault names the option. Ones that cannot be read, below 0 or above `most` throw `ARGUMENT_INVALID`. */
function amountOf(
  option: string,
  given: unknown,
  { currency, most }: { currency: string; most: number },
): Decimal {
  const amount = readDecimal(given)
  if (amount === undefined || decimal(amount).lt(0) || decimal(amount).gt(most))
    throw wrongCall(`${option} is a price from 0 to ${most}, such as '80.00'`)
  const fault = digitsFault(amount, currency)
  if (fault !== undefined) throw wrongCall(`${option} ${fault}`)
  return amount
}

function cartOf(caller: string, options: MessageOptions) {
  const { language = 'nl', id = 6001, shop = shopId, weight, value } = options
  const currency = currencyOf(caller, options.currency)
  const whole = weight === undefined && value === undefined
  const { lines = whole ? 'usual' : oneLine(caller, currency, options) } = options
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

/** One product that is the whole cart. */
function oneLine(caller: string, currency: string, { weight = 0, value, taxRate = '0.21' }: MessageOptions) {
  if (!Number.isInteger(weight) || weight < 0 || weight > lineLimits.weight)
    throw wrongCall(`${caller}(): weight is a whole number from 0 to ${lineLimits.weight}`)
  const incl =
    value === undefined
      ? roundToCurrency('47.13', currency)
      : amountOf(`${caller}(): value`, value, { currency, most: lineLimits.value })
  return [{ title: 'Stoneware mug', weight, incl, taxRate, articleCode: 'ART-101' }]
}

const mostAmount = 999_999_999_999

/** The body of POST payment (spec 4.3). Throws as `checkoutBody` does. */
export function paymentBody(options: PaymentBodyOptions = {}) {
  checkPaymentOptions('paymentBody', options)
  const { id = 1001, amount, method = 'card', data = {}, customer } = options
  const {
    redirectUrl = 'https://shop.example/return?order=1001',
    webhookUrl = 'https://shop.example/webhook?order=1001',
  } = options
  const currency = currencyOf('paymentBody', options.currency)
  const sum =
    amount === undefined
      ? roundToCurrency('29.34', currency)
      : amountOf('paymentBody(): amount', amount, { currency, most: mostAmount })
  return paymentCall({
    order: { id, number: `ORD${id}`, amounts: { incl: sum, excl: sum }, currency },
    customer: { ...seededCustomer, ...given(customer) },
    method: { id: method, method, title: method, data },
    redirectUrl,
    webhookUrl,
  })
}
