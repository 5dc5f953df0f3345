import { PurveyorError, wrongCall } from '../errors.ts'
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
import { didYouMean } from '../use-cases/nearest.ts'
import { emptyProduct, most, type Product } from './products.ts'

/** A line of the cart. Prices, weight, volume and colli are of all its pieces; 0 and empty text are no data. */
export interface CartLine
  extends Omit<Price, 'currency'>,
    Omit<Product, 'id' | 'priceExcl' | 'taxRate' | 'stockLevel'> {
  productId: number
  quantity: number
  inStock: boolean
}

/** One product of a cart in code. Figures are of one piece, in the units of the shop. */
export interface LineOptions extends Partial<Omit<Product, 'id' | 'priceExcl' | 'taxRate' | 'stockLevel'>> {
  /** The price of one piece without tax, in the currency of the shop. Default `10.00`. */
  excl?: Decimal | number
  /** The same with tax, in the currency of the shop. Default: computed from `excl`. */
  incl?: Decimal | number
  /** A fraction. Default `0.21`. */
  taxRate?: Decimal | number
  /** The number of pieces: a whole number from 1. Default 1. */
  quantity?: number
  /** Default true. */
  inStock?: boolean
}

/** An amount with and without tax, as decimal text. */
export interface Amounts {
  incl: Decimal
  excl: Decimal
}

/** The line of some pieces of a product. */
export function lineOf(product: Product, quantity: number, currency: string): CartLine {
  const { id, priceExcl, taxRate, stockLevel, ...rest } = product
  const excl = decimal(priceExcl).times(quantity).toFixed()
  return {
    ...rest,
    ...ofAll(rest, quantity),
    ...pricesOf({ excl, taxRate, currency }, `products[${id}]`),
    productId: id,
    quantity,
    inStock: stockLevel >= quantity,
  }
}

const ofAll = (
  { weight, volume, colli }: Pick<Product, 'weight' | 'volume' | 'colli'>,
  quantity: number,
) => ({
  weight: weight * quantity,
  volume: volume * quantity,
  colli: colli * quantity,
})

/** Lines from code. Throws `ARGUMENT_INVALID`, which names the field for a figure that no shop sends. */
export function linesOf(given: readonly LineOptions[], currency: string): CartLine[] {
  if (given.length > most.lines) throw wrongCall(`lines has at most ${most.lines} products`)
  for (const [place, line] of given.entries())
    onlyKnown(line, lineOptions, (name) => `lines[${place}].${name} is not known`)
  return given.map(({ excl, incl, taxRate = '0.21', quantity = 1, inStock = true, ...rest }, place) => {
    const { priceExcl: _, taxRate: __, stockLevel: ___, ...empty } = emptyProduct
    const product = { ...empty, title: `Product ${place + 1}`, ...rest }
    const check = (name: string, value: number, least: number, limit: number, whole = true) => {
      if (
        typeof value === 'number' &&
        value >= least &&
        value <= limit &&
        (!whole || Number.isInteger(value))
      )
        return
      const number = whole ? 'a whole number' : 'a number'
      throw wrongCall(`lines[${place}].${name} is ${number} from ${least} to ${limit}`)
    }
    check('quantity', quantity, 1, most.quantity)
    for (const name of ['weight', 'volume'] as const) check(name, product[name], 0, most.whole)
    check('colli', product.colli, 0, most.colli)
    for (const name of ['sizeX', 'sizeY', 'sizeZ'] as const) check(name, product[name], 0, most.size, false)
    const piece = readDecimal(incl ?? excl ?? '10.00')
    if (piece === undefined || piece.startsWith('-') || decimal(piece).gt(most.price))
      throw wrongCall(
        `lines[${place}].${incl === undefined ? 'excl' : 'incl'} is a price from 0 to ${most.price}, such as '9.50'`,
      )
    const digits = incl === undefined ? undefined : digitsFault(piece, currency)
    if (digits !== undefined) throw wrongCall(`lines[${place}].incl ${digits}`)
    const all = decimal(piece).times(quantity).toFixed()
    const prices = incl === undefined ? { excl: all } : { incl: all }
    return {
      ...product,
      ...ofAll(product, quantity),
      ...pricesOf({ ...prices, taxRate, currency } as PriceInput, `lines[${place}]`),
      productId: 101 + place,
      quantity,
      inStock,
    }
  })
}

/** The fault of an amount that the currency cannot write, such as half a yen. */
export function digitsFault(amount: Decimal, currency: string): string | undefined {
  const digits = currencyDigits(currency)
  if (decimal(amount).round(digits).eq(amount)) return undefined
  return `has more decimals than ${currency} has: ${digits}`
}

/** Both prices of a line or a method. A wrong tax rate throws `ARGUMENT_INVALID` with the place. */
export function pricesOf(given: PriceInput, place: string): Omit<Price, 'currency'> {
  try {
    const { currency: _, ...prices } = price(given)
    return prices
  } catch (error) {
    throw new PurveyorError('ARGUMENT_INVALID', `${place}: ${(error as Error).message}`, { cause: error })
  }
}

const lineOptions = [
  ...Object.keys(emptyProduct).filter((name) => name !== 'priceExcl' && name !== 'stockLevel'),
  ...['title', 'excl', 'incl', 'quantity', 'inStock'],
]

/** Throws `ARGUMENT_INVALID` for a name that is not among the known ones, with the nearest of them. */
function onlyKnown(given: object, known: readonly string[], sentence: (name: string) => string): void {
  const unknown = Object.keys(given).find((name) => !known.includes(name))
  if (unknown !== undefined) throw wrongCall(`${sentence(unknown)}: ${didYouMean(unknown, known)}`)
}

/** Adds up amounts, such as the lines of a cart and the prices of the chosen methods. */
export function total(currency: string, ...added: { price_incl: Decimal; price_excl: Decimal }[]): Amounts {
  const sum = (field: 'price_incl' | 'price_excl') =>
    roundToCurrency(
      added.reduce((amount, one) => amount.plus(one[field]), decimal(0)),
      currency,
    )
  return { incl: sum('price_incl'), excl: sum('price_excl') }
}
