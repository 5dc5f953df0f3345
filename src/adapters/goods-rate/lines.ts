import type { Quote, QuoteProduct } from '../../contract/index.ts'
import { type Big, type Decimal, decimal } from '../../money/index.ts'
import { arePercent, derivedRate, halfUnit, rateOf, type Shares, sharesOf, sum } from './derived-rate.ts'

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

/** The parts of a cart that show its taxes. */
export type Goods = Pick<Quote, 'products' | 'price_excl' | 'price_incl' | 'totals'>

/** The taxes in the totals of a cart (spec 2.4 quote). */
export class TaxTotals {
  /** The worth of the goods of each rate: the tax divided by the rate. Goods of 0 % are the rest of the cart. */
  readonly shares: Shares
  readonly #off: (rate: Decimal) => Big

  private constructor(shares: Shares, off: (rate: Decimal) => Big) {
    this.shares = shares
    this.#off = off
  }

  /** `undefined` for a cart without taxes, or with others than those of its two prices. */
  static of({ totals, price_incl, price_excl, products }: Goods, currency: string): TaxTotals | undefined {
    const given = totals?.taxes ?? []
    if (given.length === 0 || price_incl === undefined) return undefined
    const pieces = products.reduce((all, { quantity = 1 }) => all + Math.max(1, quantity), 1)
    // Each piece may have been rounded by itself.
    const most = halfUnit(currency).times(pieces)
    const excl = decimal(price_excl)
    const tax = decimal(price_incl).minus(excl)
    const figures = given.map(({ percentage = '0' }) => decimal(percentage))
    const inPercent = arePercent(figures, { excl, tax }, currency)
    const taxes = given.map((one) => readTax(one, inPercent))
    if (!taxes.every((tax) => tax !== undefined)) return undefined
    const apart = sum(taxes.map(({ amount }) => amount)).minus(tax)
    if (apart.abs().gt(most.plus(halfUnit(currency).times(taxes.length)))) return undefined

    const taxed = taxes.filter(({ rate }) => rate !== '0')
    const parts = taxed.map(({ rate, amount }) => ({ rate, worth: amount.div(rate) }))
    const ofRate = (rate: Decimal) => most.div(rate)
    const ofAll = sum([...new Set(parts.map(({ rate }) => rate))].map(ofRate))
    const rest = excl.minus(sum(parts.map(({ worth }) => worth)))
    if (rest.lt(ofAll.times(-1))) return undefined
    const hasUntaxed =
      taxed.length < taxes.length ||
      products.some(({ tax_rate }) => tax_rate !== undefined && decimal(tax_rate).eq(0))
    if (hasUntaxed || rest.gt(ofAll)) parts.push({ rate: '0', worth: rest })
    const shares = sharesOf(parts)
    if (shares.size === 0) return undefined
    return new TaxTotals(shares, (rate) => (rate === '0' ? ofAll : ofRate(rate)))
  }

  /** Whether the shares of lines are these, but for rounding. */
  agreeWith(lines: Shares): boolean {
    const nothing = decimal('0')
    const rates = new Set([...lines.keys(), ...this.shares.keys()])
    const apart = (rate: Decimal) => (lines.get(rate) ?? nothing).minus(this.shares.get(rate) ?? nothing)
    return [...rates].every((rate) => apart(rate).abs().lte(this.#off(rate)))
  }
}

function readTax({ percentage, amount }: Quote['totals']['taxes'][number], inPercent: boolean) {
  if (percentage === undefined || amount === undefined) return undefined
  const rate = rateOf(inPercent ? decimal(percentage).div(100) : decimal(percentage))
  return rate === undefined ? undefined : { rate, amount: decimal(amount) }
}
