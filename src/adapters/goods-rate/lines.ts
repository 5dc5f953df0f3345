import type { QuoteProduct } from '../../contract/index.ts'
import { type Big, type Decimal, decimal } from '../../money/index.ts'
import { arePercent, derivedRate, halfUnit, rateOf } from './derived-rate.ts'
import { type Shares, sharesOf, sum } from './shares.ts'

/** A line of a cart with its tax. */
export interface TaxedLine {
  /** As the platform sent it: of the line, or of one piece. */
  excl: Big
  quantity: Big
  /** `undefined` only where the line costs nothing. */
  rate: Decimal | undefined
}

/** Reads the lines of a cart. A line without a tax rate has the one of its two prices. `undefined` if a line that costs something has none. */
export function linesOf(
  products: readonly QuoteProduct[],
  known: Iterable<Decimal>,
  currency: string,
): TaxedLine[] | undefined {
  const given = products.map(readLine)
  const rates = new Set([...known, ...given.flatMap(({ rate }) => rate ?? [])])
  // The largest first: the rate that their prices show is known for smaller ones.
  const size = ({ excl, incl }: Given) => Math.abs(Number(excl ?? incl ?? 0))
  const lines: TaxedLine[] = []
  for (const { excl, incl, quantity, rate } of given.toSorted((one, other) => size(other) - size(one))) {
    const off = halfUnit(currency).times(quantity.gt(1) ? quantity : 1)
    const inPercent =
      rate && excl && incl && arePercent([decimal(rate)], { excl, tax: incl.minus(excl) }, currency)
    const found =
      (inPercent ? rateOf(decimal(rate).div(100)) : rate) ??
      (excl && incl && derivedRate({ excl, incl }, off, rates))
    if (found) rates.add(found)
    const worth = excl ?? (found ? incl?.div(decimal(found).plus(1)) : incl?.eq(0) ? incl : undefined)
    if (!worth || (!found && !worth.eq(0))) return undefined
    lines.push({ excl: worth, quantity, rate: found })
  }
  return lines
}

interface Given {
  excl: Big | undefined
  incl: Big | undefined
  quantity: Big
  rate: Decimal | undefined
}

function readLine({ price_excl, price_incl, tax_rate, quantity = 1 }: QuoteProduct): Given {
  // A price of 0 beside another one was not sent.
  const read = (amount: Decimal | undefined, other: Decimal = '0') =>
    amount === undefined || (Number(amount) === 0 && Number(other) !== 0) ? undefined : decimal(amount)
  const rate = read(tax_rate)
  return {
    excl: read(price_excl, price_incl),
    incl: read(price_incl, price_excl),
    quantity: decimal(quantity),
    rate: rate && rateOf(rate),
  }
}

/** A cart's lines, read as prices of lines or of pieces. */
export interface Reading {
  shares: Shares
  /** The worth of all goods without tax. */
  total: Big
}

/** Some platforms send the price of a line, others that of a piece. */
export function readingsOf(lines: readonly TaxedLine[]): Reading[] {
  const reading = (worthOf: (line: TaxedLine) => Big) => ({
    shares: sharesOf(lines.flatMap((line) => (line.rate ? [{ rate: line.rate, worth: worthOf(line) }] : []))),
    total: sum(lines.map(worthOf)),
  })
  return [reading(({ excl }) => excl), reading(({ excl, quantity }) => excl.times(quantity))]
}
