import type { Quote } from '../../contract/index.ts'
import { type Big, type Decimal, decimal } from '../../money/index.ts'
import { arePercent, halfUnit, rateOf } from './derived-rate.ts'
import { type Shares, sharesOf, sum } from './shares.ts'

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
