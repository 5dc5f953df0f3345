import fc from 'fast-check'
import { expect, test } from 'vitest'
import { quoteReader } from '../../../src/contract/index.ts'
import { decimal } from '../../../src/index.ts'
import { rateOfGoods } from '../../../src/rates/adapters/lines.ts'
import { flatRate, taxed } from '../../../src/rates/index.ts'
import { asking, priceOf } from './quote.ts'

const ofGoods = (excl: number) =>
  taxed({ rate: 'goods' }, flatRate({ id: 'door', title: 'Door', excl, taxRate: 0 }))

/** Lines such as `10/12.1@0.21*3`: price without tax, price with tax, rate and quantity, of which each but the first may be left out. */
const linesOf = (text: string) =>
  text.split(' ').flatMap((line) => {
    const [found, excl, incl, rate, quantity] = /^(.*?)(?:\/(.*?))?(?:@(.*?))?(?:\*(.*))?$/.exec(line)!
    const figures = { price_excl: excl || undefined, price_incl: incl || undefined, tax_rate: rate }
    return found ? [{ ...figures, quantity: quantity && Number(quantity) }] : []
  })
const cart = (lines: string, total?: string) => {
  const products = linesOf(lines)
  const sum = products.reduce((all, { price_excl }) => all + Number(price_excl), 0)
  return { price_excl: total ?? String(sum), products } as never
}

test.each<[string, never, string | undefined]>([
  ['one rate', cart('10@0.21 5@0.21'), '0.21'],
  ['two rates in proportion', cart('75@0.21 25@0.09'), '0.18'],
  ['a rate of four decimals', cart('10@0.21 20@0.09'), '0.13'],
  ['a rate that is rounded', cart('10@0.21 5@0.09 1@0'), '0.1594'],
  ['lines of which one is free', cart('10@0.21 0@0.09'), '0.21'],
  ['prices of pieces', cart('10@0.21*3 10@0.09*1', '40'), '0.18'],
  ['prices of lines', cart('30@0.21*3 10@0.09*1', '40'), '0.18'],
  ['a rate that is missing', cart('10@0.21 10'), undefined],
  ['a rate that is a percentage', cart('10@21'), undefined],
  ['no goods', cart(''), undefined],
  ['goods that cost nothing, at two rates', cart('0@0.09 0@0.21'), '0.21'],
  ['goods that cost nothing, without a rate', cart('0'), undefined],
  ['a gift without a rate', cart('10@0.09 0'), '0.09'],
  ['a discount at one of two rates', cart('60@0.21 25@0.09 -10@0.21'), '0.17'],
  ['a discount at a rate that nothing else has', cart('60@0.09 -10@0.21'), '0.09'],
])('%s', (_what, quote, rate) => {
  expect(rateOfGoods(quote, 'eur')).toBe(rate)
})

/** A cart with both prices, such as `10/12.1`, and the taxes of its totals, such as `0.21:2.1`. */
const priced = (prices: string, lines: string, taxes = '') => {
  const [price_excl, price_incl] = prices.split('/')
  const ofTotals = taxes.split(' ').map((tax) => tax.split(':'))
  return {
    ...{ price_excl, price_incl, products: linesOf(lines) },
    totals: { taxes: taxes ? ofTotals.map(([percentage, amount]) => ({ percentage, amount })) : [] },
  } as never
}

test.each<[string, never, string | undefined]>([
  ['two prices', priced('10/12.1', '10/12.1'), '0.21'],
  ['two prices of a cent more or less', priced('3.31/4.01', '3.31/4.01'), '0.21'],
  ['two prices, of which the larger ones show the rate', priced('4.13/5.00', '0.41/0.50 3.72/4.50'), '0.21'],
  ['two prices and a rate of three decimals', priced('20/21.1', '20/21.1'), '0.055'],
  ['two prices and a percentage that is no fraction', priced('100/121', '100/121@21'), '0.21'],
  ['a price with tax and a rate', priced('100/121', '/121@0.21'), '0.21'],
  ['the totals of the cart', priced('100/115', '100 0/0'), '0.15'],
])('a line without a rate: %s', (_what, quote, rate) => {
  expect(rateOfGoods(quote, 'eur')).toBe(rate)
})

const twoRates = '10/12.1@0.21*3 20/21.8@0.09*1'
const exact = '1.66/2.01@0.21 1.67/1.82@0.09'
test.each<[string, never, string | undefined]>([
  ['one rate', priced('100/121', '', '0.21:21'), '0.21'],
  ['one rate that the cents do not show', priced('0.41/0.50', '', '0.21:0.09'), '0.21'],
  ['a percentage', priced('100/121', '/', '21:21'), '0.21'],
  ['half a percent', priced('100/100.5', '', '0.5:0.5'), '0.005'],
  ['half a percent of many pieces', priced('2/2.01', '2/2.01*250', '0.5:0.01'), '0.005'],
  ['half a percent beside 21 %', priced('200/221.5', '', '0.5:0.5 21:21'), '0.1075'],
  ['half', priced('100/150', '', '0.5:50'), '0.5'],
  ['a fraction of a cent', priced('0.05/0.06', '', '0.21:0.01'), '0.21'],
  ['half a percent in a line', priced('100/100.5', '100/100.5@0.5'), '0.005'],
  ['two rates', priced('100/118', '', '0.21:15.75 0.09:2.25'), '0.18'],
  ['goods without tax beside others', priced('100/105', '', '0.1:5'), '0.05'],
  [
    'a discount of the cart, on prices of pieces',
    priced('30/34.86', twoRates, '0.21:3.78 0.09:1.08'),
    '0.162',
  ],
  ['cents that the lines have exactly', priced('3.33/3.83', exact, '0.21:0.35 0.09:0.15'), '0.1498'],
  ['taxes that are not those of the totals', priced('100/109', '100/109@0.09', '0.21:21'), '0.09'],
  ['taxes of more than the totals', priced('10/31', '10/31@0.09', '0.21:21'), '0.09'],
])('the taxes of the totals: %s', (_what, quote, rate) => {
  expect(rateOfGoods(quote, 'eur')).toBe(rate)
})

test('without taxes, prices of lines and of pieces are distinguished by the tax of the totals', () => {
  // 10 + 20 is 30 as well as 30 + 20 less a discount of 20.
  expect(rateOfGoods(priced('30/34.86', twoRates), 'eur')).toBe('0.162')
  expect(rateOfGoods(priced('30/33.9', twoRates), 'eur')).toBe('0.13')
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
      const { price_excl, price_incl, tax_rate } = await priceOf(ofGoods(excl / 100), { products })
      expect(String(tax_rate)).toMatch(/^0(\.\d{1,4})?$/)
      const all = products.map((one) => Number(one.tax_rate))
      expect(Number(tax_rate)).toBeGreaterThanOrEqual(Math.min(...all) - 0.00005)
      expect(Number(tax_rate)).toBeLessThanOrEqual(Math.max(...all) + 0.00005)
      const off = decimal(price_excl).times(decimal(tax_rate!).plus(1)).minus(price_incl!).abs()
      expect(off.lte('0.005')).toBe(true)
    }),
    { numRuns: 300 },
  )
})

test('whatever a platform sends, the rate is a fraction or unknown', () => {
  const figure = fc.oneof(
    fc.constantFrom(undefined, null, '', 0, '0', -1, '0.21', 21, '-999999999999'),
    fc.double({ noNaN: true, min: -1e6, max: 1e6 }),
  )
  const product = fc.record({ price_incl: figure, price_excl: figure, tax_rate: figure, quantity: figure })
  const taxes = fc.array(fc.record({ percentage: figure, amount: figure }), { maxLength: 4 })
  const goods = fc.record({
    id: fc.constant(1),
    price_incl: figure,
    price_excl: figure,
    totals: fc.record({ taxes }),
    products: fc.array(product, { maxLength: 6 }),
  })
  fc.assert(
    fc.property(goods, fc.constantFrom('jpy', 'eur', 'kwd'), (given, currency) => {
      const { data } = quoteReader.safeParse(given)
      fc.pre(data !== undefined)
      expect(rateOfGoods(data!, currency) ?? '0').toMatch(/^0(\.\d{1,4})?$/)
    }),
    { numRuns: 1_000 },
  )
})

test('goods without known tax have no rate, and that is said', async () => {
  const asked = asking(ofGoods(5))
  expect(await asked.rates()).toEqual(['none: the tax rates of the goods are not known'])
  expect(await asked.ask({ vatShifted: true })).toMatchObject([{ tax_rate: '0' }])
})

test.each(['21', 21, '1.21'])('a tax rate of %j is refused with the fraction that it means', (rate) => {
  const flat = (taxRate: string | number) => flatRate({ id: 'a', title: 'A', excl: 1, taxRate })
  for (const make of [
    () => flat(rate),
    () => taxed({ rate }, flat(0)),
    () => taxed({ rate: { nl: rate } }, flat(0)),
    () => taxed({ rate: 0, shifted: rate }, flat(0)),
  ])
    expect(make).toThrow('did you mean 0.21?')
})
