import type { Quote } from '../contract/index.ts'
import { type Big, type Decimal, decimal, readDecimal } from '../money/index.ts'

/** So many digits a blended rate has after the point. */
const digits = 4

/**
 * The tax rates of the goods of a cart as one rate: each in proportion to the price without tax, as the EU asks for shipping. It is rounded
 * to four decimals. `undefined` if the rate or the price of a line is not known.
 */
export function rateOfGoods(quote: Pick<Quote, 'products' | 'price_excl'>): Decimal | undefined {
  const lines = quote.products.map(lineOf)
  if (lines.length === 0 || lines.some((line) => line === undefined)) return undefined
  const known = lines as Line[]
  const [first] = known
  if (known.every(({ rate }) => rate.eq(first!.rate))) return readDecimal(first!.rate.toFixed(digits))
  // Some platforms send the price of a line, others that of a piece: the total of the quote shows which.
  const total = decimal(quote.price_excl)
  const byLine = sum(known.map(({ excl }) => excl))
  const byPiece = sum(known.map(({ excl, quantity }) => excl.times(quantity)))
  const ofPieces = byPiece.minus(total).abs().lt(byLine.minus(total).abs())
  const worth = ({ excl, quantity }: Line) => (ofPieces ? excl.times(quantity) : excl)
  const base = ofPieces ? byPiece : byLine
  if (base.lte(0)) return undefined
  const tax = sum(known.map((line) => worth(line).times(line.rate)))
  return readDecimal(tax.div(base).toFixed(digits))
}

interface Line {
  excl: Big
  rate: Big
  quantity: Big
}

function lineOf({
  price_incl,
  price_excl,
  tax_rate,
  quantity = 1,
}: Quote['products'][number]): Line | undefined {
  if (price_excl === undefined) return undefined
  const excl = decimal(price_excl)
  const rate =
    tax_rate ?? (price_incl === undefined || excl.lte(0) ? undefined : decimal(price_incl).div(excl).minus(1))
  if (rate === undefined || excl.lt(0)) return undefined
  const read = decimal(typeof rate === 'object' ? rate.toFixed(digits) : rate)
  return read.lt(0) || read.gte(1) ? undefined : { excl, rate: read, quantity: decimal(quantity) }
}

const sum = (values: readonly Big[]): Big => values.reduce((one, other) => one.plus(other), decimal('0'))
