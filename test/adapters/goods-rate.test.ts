import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rateOfGoods } from '../../src/adapters/goods-rate.ts'
import { flatRate, taxed } from '../../src/adapters/index.ts'
import { decimal } from '../../src/index.ts'
import { asking } from './quote.ts'

const cart = (lines: [excl: string, rate: string | undefined, quantity?: number][], total?: string) =>
  ({
    price_excl: total ?? String(lines.reduce((sum, [excl]) => sum + Number(excl), 0)),
    products: lines.map(([price_excl, tax_rate, quantity]) => ({ price_excl, tax_rate, quantity })),
  }) as never

test.each<[string, never, string | undefined]>([
  [
    'one rate',
    cart([
      ['10', '0.21'],
      ['5', '0.21'],
    ]),
    '0.21',
  ],
  [
    'two rates in proportion',
    cart([
      ['75', '0.21'],
      ['25', '0.09'],
    ]),
    '0.18',
  ],
  [
    'a rate of four decimals',
    cart([
      ['10', '0.21'],
      ['20', '0.09'],
    ]),
    '0.13',
  ],
  [
    'a rate that is rounded',
    cart([
      ['10', '0.21'],
      ['5', '0.09'],
      ['1', '0'],
    ]),
    '0.1594',
  ],
  [
    'lines of which one is free',
    cart([
      ['10', '0.21'],
      ['0', '0.09'],
    ]),
    '0.21',
  ],
  [
    'prices of pieces',
    cart(
      [
        ['10', '0.21', 3],
        ['10', '0.09', 1],
      ],
      '40',
    ),
    '0.18',
  ],
  [
    'prices of lines',
    cart(
      [
        ['30', '0.21', 3],
        ['10', '0.09', 1],
      ],
      '40',
    ),
    '0.18',
  ],
  [
    'a rate that is missing',
    cart([
      ['10', '0.21'],
      ['10', undefined],
    ]),
    undefined,
  ],
  ['a rate that is a percentage', cart([['10', '21']]), undefined],
  ['no goods', cart([]), undefined],
  [
    'goods that cost nothing, at two rates',
    cart([
      ['0', '0.21'],
      ['0', '0.09'],
    ]),
    undefined,
  ],
])('%s', (_what, quote, rate) => {
  expect(rateOfGoods(quote)).toBe(rate)
})

test('a line without a rate has that of its two prices', () => {
  const products = [{ price_excl: '10', price_incl: '12.1' }]
  expect(rateOfGoods({ price_excl: '10', products } as never)).toBe('0.21')
})

test('whatever the goods are, the blended rate lies between theirs and agrees with both prices', async () => {
  const rates = fc.constantFrom('0', '0.025', '0.055', '0.06', '0.09', '0.1', '0.19', '0.21', '0.25', '0.27')
  const line = fc.record({
    price_excl: fc.integer({ min: 1, max: 1_000_000 }).map((cents) => String(cents / 100)),
    tax_rate: rates,
    quantity: fc.integer({ min: 1, max: 9 }),
  })
  const cents = fc.integer({ min: 0, max: 100_000 })
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 30 }), cents, async (products, excl) => {
      const asked = asking(
        taxed({ rate: 'goods' }, flatRate({ id: 'door', title: 'Door', excl: excl / 100, taxRate: 0 })),
      )
      const answer = await asked.ask({ products })
      if (!Array.isArray(answer)) throw new Error(answer.none)
      const [{ price_excl, price_incl, tax_rate }] = answer as unknown as [
        { price_excl: string; price_incl: string; tax_rate: string },
      ]
      expect(String(tax_rate)).toMatch(/^0(\.\d{1,4})?$/)
      const all = products.map((one) => Number(one.tax_rate))
      expect(Number(tax_rate)).toBeGreaterThanOrEqual(Math.min(...all) - 0.00005)
      expect(Number(tax_rate)).toBeLessThanOrEqual(Math.max(...all) + 0.00005)
      const off = decimal(price_excl).times(decimal(tax_rate).plus(1)).minus(price_incl).abs()
      expect(off.lte('0.005')).toBe(true)
    }),
    { numRuns: 300 },
  )
})

test('goods without known tax have no rate, and that is said', async () => {
  const asked = asking(taxed({ rate: 'goods' }, flatRate({ id: 'door', title: 'Door', excl: 5, taxRate: 0 })))
  expect(await asked.rates()).toEqual(['none: the tax rates of the goods are not known'])
  expect(await asked.ask({ vatShifted: true })).toMatchObject([{ tax_rate: '0' }])
})

test.each(['21', 21])(
  'a tax rate of %j is refused with the fraction that it means, wherever one is given',
  (rate) => {
    expect(() => flatRate({ id: 'a', title: 'A', excl: 1, taxRate: rate })).toThrow('did you mean 0.21?')
    const inner = flatRate({ id: 'a', title: 'A', excl: 1, taxRate: 0 })
    expect(() => taxed({ rate }, inner)).toThrow('did you mean 0.21?')
    expect(() => taxed({ rate: { nl: rate } }, inner)).toThrow('did you mean 0.21?')
    expect(() => taxed({ rate: 0, shifted: rate }, inner)).toThrow('did you mean 0.21?')
  },
)
