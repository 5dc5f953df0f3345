import { optionFaults } from '../checked-options.ts'
import { PurveyorError, wrongCall } from '../errors/errors.ts'
import {
  currencyDigits,
  type Decimal,
  decimal,
  type Price,
  type PriceInput,
  price,
  readDecimal,
  roundToCurrency,
} from '../money/index.ts'
import { type LineOptions, lineOptions } from './options.ts'
import { isPresetName, type LineHabits, type PresetName, presetNames, presets } from './presets.ts'
import { emptyProduct, most, type Product } from './products.ts'

/** A line of the cart. Prices, weight, volume and colli are of all its pieces; 0 and empty text are no data. */
export interface CartLine
  extends Omit<Price, 'currency'>,
    Omit<Product, 'id' | 'priceExcl' | 'taxRate' | 'stockLevel'>,
    LineHabits {
  productId: number
  quantity: number
  inStock: boolean
}

/** An amount with and without tax, as decimal text. */
export interface Amounts {
  incl: Decimal
  excl: Decimal
}

export const lineOf = (product: Product, quantity: number, currency: string): CartLine =>
  piecesOf(product, quantity, { currency }, `products[${product.id}]`)

/** `incl`: the price of one piece with tax, where it counts in place of the product's. */
function piecesOf(
  { id, priceExcl, taxRate, stockLevel, ...product }: Product,
  quantity: number,
  { currency, incl }: { currency: string; incl?: Decimal | undefined },
  place: string,
): CartLine {
  const amount = decimal(incl ?? priceExcl)
    .times(quantity)
    .toFixed()
  return {
    ...product,
    weight: product.weight * quantity,
    volume: product.volume * quantity,
    colli: product.colli * quantity,
    ...pricesOf({ ...(incl ? { incl: amount } : { excl: amount }), taxRate, currency }, place),
    productId: id,
    quantity,
    inStock: stockLevel >= quantity,
  }
}

/** No currency has more decimals than its four. */
const mostDigits = 'clf'

/** The lines of a preset, or of products in code. Throws `ARGUMENT_INVALID`, which names the field that no shop sends. */
export function linesFrom(lines: PresetName | readonly LineOptions[], currency: string): CartLine[] {
  if (isPresetName(lines)) {
    const { items } = presets[lines]
    return items.map(({ product, quantity, habits }) => ({
      ...lineOf(product, quantity, habits?.finer ? mostDigits : currency),
      ...habits,
    }))
  }
  if (!Array.isArray(lines))
    throw wrongCall(`lines must be a list of products, or one of ${presetNames.join(', ')}`)
  if (lines.length > most.lines) throw wrongCall(`lines may have at most ${most.lines} products`)
  return lines.map((line, index) => readLine(line, index, currency))
}

function readLine(given: LineOptions, place: number, currency: string): CartLine {
  const at = `lines[${place}]`
  const [fault] = optionFaults(lineOptions, given)
  if (fault) throw wrongCall(`${fault.path ? `${at}.${fault.path}` : at} ${fault.message}`)
  const read = lineOptions.parse(given) as LineOptions
  const { excl = '10.00', incl, taxRate = '0.21', quantity = 1, inStock = true, ...rest } = read
  const piece = incl === undefined ? undefined : amountOf(`${at}.incl`, incl, most.price, currency)
  const product: Product = {
    ...{ ...emptyProduct, title: `Product ${place + 1}`, ...rest, id: 101 + place },
    priceExcl: amountOf(`${at}.excl`, excl, most.price),
    taxRate: taxRate as Decimal,
    stockLevel: inStock ? quantity : 0,
  }
  return piecesOf(product, quantity, { currency, incl: piece }, at)
}

/** An amount from 0 to `limit` that its currency can write. Throws `ARGUMENT_INVALID`, which names the option. */
export function amountOf(option: string, given: unknown, limit: number, currency?: string): Decimal {
  const amount = readDecimal(given)
  if (amount === undefined || decimal(amount).lt(0) || decimal(amount).gt(limit))
    throw wrongCall(`${option} must be a price from 0 to ${limit}, such as '9.50'`)
  if (currency && !decimal(amount).round(currencyDigits(currency)).eq(amount))
    throw wrongCall(`${option} has more decimals than ${currency} has: ${currencyDigits(currency)}`)
  return amount
}

/** Both prices of a line or a method. A wrong tax rate throws `ARGUMENT_INVALID` with the place. */
function pricesOf(given: PriceInput, place: string): Omit<Price, 'currency'> {
  try {
    const { currency: _, ...prices } = price(given)
    return prices
  } catch (error) {
    throw new PurveyorError('ARGUMENT_INVALID', `${place}: ${(error as Error).message}`, { cause: error })
  }
}

/** Adds up amounts, such as the lines of a cart and the prices of the chosen methods. */
export function total(
  currency: string,
  ...added: { price_incl: Decimal; price_excl: Decimal; finer?: true | undefined }[]
): Amounts {
  const written = added.some(({ finer }) => finer) ? mostDigits : currency
  const sum = (field: 'price_incl' | 'price_excl') => {
    const all = added.reduce((amount, one) => amount.plus(one[field]), decimal(0))
    return roundToCurrency(all, written)
  }
  return { incl: sum('price_incl'), excl: sum('price_excl') }
}
