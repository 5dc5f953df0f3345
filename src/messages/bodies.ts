import type { z } from 'zod'
import { hasCode, PurveyorError, wrongCall } from '../errors/errors.ts'
import { type Decimal, roundToCurrency } from '../money/index.ts'
import { amountOf, linesFrom } from './lines.ts'
import { checkoutCall, estimateCall, paymentCall, shopId } from './live.ts'
import {
  type CheckoutBodyOptions,
  type LineOptions,
  type MessageOptions,
  only,
  optionsOf,
  type PaymentBodyOptions,
  readOptions,
} from './options.ts'
import { personOf } from './people.ts'
import { most } from './products.ts'

const checkoutOptions = optionsOf<CheckoutBodyOptions>(
  only(
    ...(['language', 'id', 'shop', 'currency', 'lines', 'weight', 'value', 'taxRate'] as const),
    ...(['address', 'country', 'zipcode', 'customer', 'billing', 'guest'] as const),
  ),
)
const paymentOptions = optionsOf<PaymentBodyOptions>(
  only('id', 'amount', 'currency', 'method', 'data', 'customer', 'redirectUrl', 'webhookUrl'),
)

/**
 * The body of POST shipment_methods and POST payment_methods in a checkout (spec 4.3). Throws `ARGUMENT_INVALID` for an option
 * that does not exist, and for a checkout that no shop sends, such as one with a negative weight or to no country.
 */
export const checkoutBody = (options: CheckoutBodyOptions = {}) =>
  bodyOf('checkoutBody()', checkoutOptions, options, (read) =>
    checkoutCall({ ...cartOf(read), ...personOf(read) }),
  )

/** The body of POST shipment_methods in a cart (spec 4.3). Throws as `checkoutBody` does. */
export const estimateBody = (options: MessageOptions = {}) =>
  bodyOf('estimateBody()', checkoutOptions, options, (read) =>
    estimateCall({ ...cartOf(read), address: personOf(read).address }),
  )

const shopUrl = 'https://shop.example'

/** The body of POST payment (spec 4.3). Throws as `checkoutBody` does. */
export const paymentBody = (options: PaymentBodyOptions = {}) =>
  bodyOf('paymentBody()', paymentOptions, options, (read) => {
    const { id = 1001, currency = 'eur', amount, method = 'card', data = {}, customer } = read
    const { redirectUrl = `${shopUrl}/return?order=1001`, webhookUrl = `${shopUrl}/webhook?order=1001` } =
      read
    const sum =
      amount === undefined
        ? roundToCurrency('29.34', currency)
        : amountOf('amount', amount, 999_999_999_999, currency)
    return paymentCall({
      ...{ id, number: `ORD${id}`, currency, amounts: { incl: sum, excl: sum } },
      customer: personOf({ customer }).customer,
      method: { id: method, method, title: method, data },
      redirectUrl,
      webhookUrl,
    })
  })

/** Makes a body of the options as they were read. Each fault begins with the call. */
function bodyOf<Options, Body>(
  call: string,
  schema: z.ZodType,
  options: Options,
  make: (read: Options) => Body,
): Body {
  const read = readOptions(call, schema, options)
  try {
    return make(read)
  } catch (error) {
    if (!hasCode(error, 'ARGUMENT_INVALID')) throw error
    throw new PurveyorError('ARGUMENT_INVALID', `${call}: ${error.message}`, { cause: error })
  }
}

function cartOf(options: MessageOptions) {
  const { language = 'nl', id = 6001, shop = shopId, currency = 'eur', weight, value } = options
  const isWhole = weight !== undefined || value !== undefined
  if (options.lines !== undefined && isWhole) throw wrongCall('takes either lines, or weight and value')
  const { lines = isWhole ? [wholeCart(options, currency)] : 'usual' } = options
  return { ...{ id, shop, language, currency }, lines: linesFrom(lines, currency) }
}

function wholeCart({ weight = 0, value, taxRate = '0.21' }: MessageOptions, currency: string): LineOptions {
  const incl =
    value === undefined ? roundToCurrency('47.13', currency) : amountOf('value', value, most.price, currency)
  return { title: 'Stoneware mug', weight, incl, taxRate: taxRate as Decimal, articleCode: 'ART-101' }
}
