import type { Quote, QuoteProduct } from '../../contract/index.ts'
import { type Big, type Decimal, decimal, halfUnit, readDecimal } from '../../money/index.ts'

/**
 * The tax rates of the goods of a cart as one rate: each in proportion to the price without tax, as the EU asks for shipping. It is rounded
 * to four decimals. The taxes of the cart's totals count first, then the lines, then the two totals. Goods that all cost nothing have the
 * highest of their rates. `undefined` if no tax is known.
 */
export function rateOfGoods(goods: Goods, currency: string): Decimal | undefined {
  const taxes = taxTotalsOf(goods, currency)
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

const highestRate = (lines: readonly TaxedLine[]): Decimal | undefined =>
  lines.flatMap(({ rate }) => rate ?? []).sort((one, other) => Number(other) - Number(one))[0]

/** `excl` as the platform sent it, of the line or of one piece. Only a line that costs nothing may have no rate. */
type TaxedLine = { excl: Big; quantity: Big; rate: Decimal | undefined }

/** Reads the lines of a cart. A line without a tax rate has the one of its two prices. `undefined` if a line that costs something has none. */
export function linesOf(products: readonly QuoteProduct[], known: Iterable<Decimal>, currency: string) {
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

type Given = ReturnType<typeof readLine>

function readLine({ price_excl, price_incl, tax_rate, quantity = 1 }: QuoteProduct) {
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
type Reading = ReturnType<typeof readingsOf>[number]
/** Some platforms send the price of a line, others that of a piece. */
function readingsOf(lines: readonly TaxedLine[]) {
  const reading = (worthOf: (line: TaxedLine) => Big) => ({
    shares: sharesOf(lines.flatMap((line) => (line.rate ? [{ rate: line.rate, worth: worthOf(line) }] : []))),
    total: sum(lines.map(worthOf)),
  })
  return [reading(({ excl }) => excl), reading(({ excl, quantity }) => excl.times(quantity))]
}

export type Goods = Pick<Quote, 'products' | 'price_excl' | 'price_incl' | 'totals'>

/**
 * The taxes in the totals of a cart (spec 2.4 quote): the worth of the goods of each rate is the tax divided by the rate, and goods of 0 % are
 * the rest of the cart. `agreeWith` says whether the shares of lines are these, but for rounding. `undefined` for a cart without taxes, or with
 * others than those of its two prices.
 */
export function taxTotalsOf({ totals, price_incl, price_excl, products }: Goods, currency: string) {
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
  const nothing = decimal('0')
  const agreeWith = (lines: Shares): boolean =>
    [...lines.keys(), ...shares.keys()].every((rate) => {
      const apart = (lines.get(rate) ?? nothing).minus(shares.get(rate) ?? nothing)
      return apart.abs().lte(rate === '0' ? ofAll : ofRate(rate))
    })
  return { shares, agreeWith }
}

function readTax({ percentage, amount }: Quote['totals']['taxes'][number], inPercent: boolean) {
  if (percentage === undefined || amount === undefined) return undefined
  const rate = rateOf(inPercent ? decimal(percentage).div(100) : decimal(percentage))
  return rate === undefined ? undefined : { rate, amount: decimal(amount) }
}

/** Whole percents, halves and tenths of one: there is hardly another tax rate. */
const steps = [100, 200, 1000]

/** A tax rate as one text, with four digits after the point at most. `undefined` for one that is negative or not below 1. */
export function rateOf(rate: Big): Decimal | undefined {
  const rounded = rate.round(4)
  return rounded.lt(0) || rounded.gte(1) ? undefined : readDecimal(rounded.toFixed())
}

/** Whether figures are percentages, not fractions. Below 1 the tax decides: to which it is nearer, and if rounding explains it. */
function arePercent(figures: readonly Big[], prices: Record<'excl' | 'tax', Big>, currency: string): boolean {
  const { excl, tax } = prices
  const sorted = figures.filter((one) => one.gt(0)).toSorted((one, other) => one.cmp(other))
  const [least, most] = [sorted[0], sorted.at(-1)]
  if (!least || !most) return false
  if (most.gte(1)) return true
  const asPercent = excl.times(most).div(100)
  const missing = tax.minus(asPercent)
  if (tax.lte(0) || missing.gt(halfUnit(currency).times(figures.length))) return false
  return missing.abs().lt(excl.times(least).minus(tax).abs())
}

/** The tax rate of a price with and without tax, each off by at most `off`: the nearest known rate that fits, or the simplest. */
export function derivedRate(prices: Record<'excl' | 'incl', Big>, off: Big, known: Iterable<Decimal>) {
  const { excl, incl } = prices
  if (excl.eq(0) || excl.gt(0) !== incl.gt(0)) return undefined
  const [without, withTax] = [excl.abs(), incl.abs()]
  // Prices of which the one with tax is lower show none.
  if (without.minus(withTax).gt(off)) return undefined
  const center = withTax.gt(without) ? withTax.div(without).minus(1) : decimal('0')
  const isNear = (one: Big, other: Big) => one.minus(other).abs().lte(off)
  const explains = (rate: Big) =>
    isNear(without.times(rate.plus(1)), withTax) || isNear(withTax.div(rate.plus(1)), without)
  const distance = (rate: Big) => center.minus(rate).abs()
  const fitting = [...known].map((one) => decimal(one)).filter(explains)
  const [first, ...others] = fitting
  if (first)
    return rateOf(others.reduce((best, one) => (distance(one).lt(distance(best)) ? one : best), first))
  const simple = steps.map((step) => center.times(step).round().div(step)).find(explains)
  return rateOf(simple ?? center)
}

/** The worth of goods without tax, by tax rate. */
export type Shares = ReadonlyMap<Decimal, Big>

/** Adds worths by rate. A sum below 0, such as a discount at a rate of its own, has no share. */
export function sharesOf(parts: readonly { rate: Decimal; worth: Big }[]): Shares {
  const shares = new Map<Decimal, Big>()
  for (const { rate, worth } of parts) shares.set(rate, worth.plus(shares.get(rate) ?? 0))
  for (const [rate, worth] of shares) if (worth.lte(0)) shares.delete(rate)
  return shares
}

/** The rates in proportion. `undefined` where nothing has a worth. */
export function blended(shares: Shares): Decimal | undefined {
  const [first] = shares.keys()
  if (shares.size < 2) return first
  const tax = sum([...shares].map(([rate, worth]) => worth.times(rate)))
  return rateOf(tax.div(sum([...shares.values()])))
}

const sum = (amounts: readonly Big[]): Big => amounts.reduce((one, other) => one.plus(other), decimal('0'))
