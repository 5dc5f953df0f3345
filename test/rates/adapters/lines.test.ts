import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decimal } from '../../../src/money/index.ts'
import { linesOf, rateOfGoods, taxTotalsOf } from '../../../src/rates/adapters/lines.ts'

const read = (products: object[], known: string[] = []) =>
  linesOf(products as never, known, 'eur')?.map(({ excl, rate }) => [Number(excl), rate])

test.each<[object[], string[], unknown]>([
  [[{ price_excl: '5', tax_rate: '0.21' }], [], [[5, '0.21']]],
  [[{ price_incl: '6.05', tax_rate: '0.21' }], [], [[5, '0.21']]],
  [[{ price_excl: '5', price_incl: '6.05', tax_rate: '21' }], [], [[5, '0.21']]],
  [[{ price_excl: '0.41', price_incl: '0.50' }], ['0.23'], [[0.41, '0.23']]],
  [[{ price_excl: '0' }], [], [[0, undefined]]],
  [[{ price_incl: '0' }], [], [[0, undefined]]],
  [[{ price_excl: '5' }], ['0.21'], undefined],
  [[{ price_incl: '5' }], ['0.21'], undefined],
  [[{}], ['0.21'], undefined],
  [[], [], []],
])('%j beside %j', (products, known, lines) => {
  expect(read(products, known)).toEqual(lines)
})

test('a price of several pieces may be rounded as often', () => {
  // Three pieces of 3.31 and 4.01.
  const three = { price_excl: '9.93', price_incl: '12.03' }
  expect(read([{ ...three, quantity: 3 }])).toEqual([[9.93, '0.21']])
})

test('whatever a platform sends of a cart, its goods have the rate of its taxes', () => {
  const rates = ['0', '0.06', '0.09', '0.21']
  const line = fc.record({
    cents: fc.integer({ min: 100, max: 100_000 }),
    quantity: fc.integer({ min: 1, max: 5 }),
    rate: fc.constantFrom(...rates),
    gift: fc.boolean(),
  })
  const sends = fc.record({
    priceOf: fc.constantFrom('line' as const, 'piece' as const),
    taxes: fc.boolean(),
    rates: fc.boolean(),
    discount: fc.constantFrom(0, 0.25, 0.5),
  })
  const money = (cents: number) => (cents / 100).toFixed(2)
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 8 }), sends, (lines, sent) => {
      const worth = lines.map(({ cents, quantity }) => cents * quantity)
      const total = worth.reduce((all, one) => all + one, 0)
      const byRate = new Map<string, number>()
      for (const [at, { rate }] of lines.entries())
        byRate.set(rate, (byRate.get(rate) ?? 0) + worth[at]! * (1 - sent.discount))
      const taxes = [...byRate].map(([rate, base]) => [rate, Math.round(base * Number(rate))] as const)
      const excl = Math.round(total * (1 - sent.discount))
      const incl = excl + taxes.reduce((all, [, tax]) => all + tax, 0)
      const right = lines.reduce((all, { rate }, at) => all + worth[at]! * Number(rate), 0) / total
      const products = lines.flatMap(({ cents, quantity, rate, gift }) => {
        const sum = sent.priceOf === 'line' ? cents * quantity : cents
        const product = {
          quantity,
          price_excl: money(sum),
          price_incl: money(Math.round(sum * (1 + Number(rate)))),
          tax_rate: sent.rates ? rate : undefined,
        }
        const free = { ...product, price_excl: '0', price_incl: '0', tax_rate: undefined }
        return gift ? [product, free] : [product]
      })
      const listed = taxes.map(([percentage, tax]) => ({ percentage, amount: money(tax) }))
      const totals = { taxes: sent.taxes ? listed : [] }
      const cart = { price_excl: money(excl), price_incl: money(incl), products, totals }
      const found = rateOfGoods(cart as never, 'eur')
      // Cents are half a percent of the smallest cart.
      const isExact = sent.taxes && sent.rates && sent.discount === 0
      const near = sent.taxes || sent.rates ? (lines.length * 0.5) / (excl * 0.06) : 0.02
      expect(Math.abs(Number(found) - right)).toBeLessThanOrEqual((isExact ? 0 : near) + 0.00006)
    }),
    { numRuns: 500 },
  )
})

const totals = (price_excl: string, price_incl: string, taxes: [string, string][], tax_rate?: string) =>
  taxTotalsOf(
    {
      price_excl,
      price_incl,
      products: tax_rate === undefined ? [] : [{ quantity: 1, tax_rate }],
      totals: { taxes: taxes.map(([percentage, amount]) => ({ percentage, amount })) },
    } as never,
    'eur',
  )
const shares = (...given: Parameters<typeof totals>) => {
  const read = totals(...given)
  return read && [...read.shares].map(([rate, worth]) => [rate, worth.toFixed(2)])
}

test('taxes divided by their rates are what goods are worth, and the rest has no tax', () => {
  expect(shares('100', '121', [['0.21', '21']])).toEqual([['0.21', '100.00']])
  const half = { '0.21': '50.00', '0': '50.00' }
  expect(Object.fromEntries(shares('100', '110.5', [['0.21', '10.5']])!)).toEqual(half)
  // A cent is none, unless the cart has goods without tax.
  expect(shares('10.02', '12.12', [['0.21', '2.1']])).toEqual([['0.21', '10.00']])
  expect(shares('10.02', '12.12', [['0.21', '2.1']], '0')).toHaveLength(2)
})

test.each<Parameters<typeof totals>>([
  ['100', '121', []],
  ['100', '121', [['0.21', '15']]],
  ['10', '31', [['0.21', '21']]],
  ['100', '99', [['-0.01', '-1']]],
  ['0', '0', [['0.21', '0']]],
])('%s, %s and %j are no taxes of a cart', (...given) => {
  expect(totals(...given)).toBeUndefined()
})

test('lines agree with taxes but for cents', () => {
  const taxes = totals('100', '121', [['0.21', '21']])!
  expect(taxes.agreeWith(new Map([['0.21', decimal('100.01')]]))).toBe(true)
  expect(taxes.agreeWith(new Map([['0.21', decimal('50')]]))).toBe(false)
  expect(taxes.agreeWith(new Map([['0.09', decimal('100')]]))).toBe(false)
})
