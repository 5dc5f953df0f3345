import { type Big, type Decimal, decimal } from '../../money/index.ts'
import { blended, derivedRate, halfUnit } from './derived-rate.ts'
import { type Goods, linesOf, type Reading, readingsOf, type TaxedLine, TaxTotals } from './lines.ts'

/**
 * The tax rates of the goods of a cart as one rate: each in proportion to the price without tax, as the EU asks for shipping. It is rounded
 * to four decimals. The taxes of the cart's totals count first, then the lines, then the two totals. Goods that all cost nothing have the
 * highest of their rates. `undefined` if no tax is known.
 */
export function rateOfGoods(goods: Goods, currency: string): Decimal | undefined {
  const taxes = TaxTotals.of(goods, currency)
  const lines = linesOf(goods.products, taxes?.shares.keys() ?? [], currency)
  const readings = lines ? readingsOf(lines) : []
  if (taxes) {
    // Taxes are rounded to cents. Lines that agree with them are not.
    const exact = readings.find(({ shares }) => taxes.agreeWith(shares))
    return blended((exact ?? taxes).shares)
  }
  if (!lines || lines.length === 0) return rateOfTotals(goods, currency)
  return blended(likelier(goods, readings as [Reading, Reading]).shares) ?? highestRate(lines)
}

/** Prices of lines or of pieces: the tax of the totals shows which, or else their sum. */
function likelier(goods: Goods, [line, piece]: readonly [Reading, Reading]): Reading {
  const [byLine, byPiece] = [blended(line.shares), blended(piece.shares)]
  if (byLine === undefined || byPiece === undefined || byLine === byPiece) return line
  const nearer = (one: Big, other: Big, to: Big) =>
    other.minus(to).abs().lt(one.minus(to).abs()) ? piece : line
  const own = ownRate(goods)
  const rates = [...line.shares.keys()].map(Number)
  // A rate that these goods cannot have is that of something else.
  if (own && Number(own) >= Math.min(...rates) && Number(own) <= Math.max(...rates))
    return nearer(decimal(byLine), decimal(byPiece), own)
  return nearer(line.total, piece.total, decimal(goods.price_excl))
}

function ownRate({ price_incl, price_excl }: Goods): Big | undefined {
  if (price_incl === undefined || decimal(price_excl).lte(0)) return undefined
  return decimal(price_incl).div(price_excl).minus(1)
}

/** The rate of the cart's two totals. Two equal ones may mean that nobody has computed the tax. */
function rateOfTotals(goods: Goods, currency: string): Decimal | undefined {
  const own = ownRate(goods)
  if (!own || own.lte(0)) return undefined
  const sides = { excl: decimal(goods.price_excl), incl: decimal(goods.price_incl) }
  return derivedRate(sides, halfUnit(currency), [])
}

function highestRate(lines: readonly TaxedLine[]): Decimal | undefined {
  const rates = lines.flatMap(({ rate }) => rate ?? [])
  return rates.sort((one, other) => Number(other) - Number(one))[0]
}
