import fc from 'fast-check'
import { expect, test } from 'vitest'
import { flatRate, markup } from '../../../src/rates/index.ts'
import { asking, cents, priceOf, taxRates } from './quote.ts'

const door = (given: { excl: string } | { incl: string }, taxRate: string | number = '0.21') =>
  flatRate({ id: 'door', title: 'Door', taxRate, ...given })

test.each([
  ['10.00', {}, '8.26', '10.00'],
  ['10.00', { percent: 10 }, '9.09', '11.00'],
  ['3.95', { percent: 100 }, '6.53', '7.90'],
  ['10.00', { amount: '1.00' }, '9.26', '11.21'],
  ['10.00', { percent: -10 }, '7.44', '9.00'],
  ['10.00', { amount: '-2.00' }, '6.26', '7.58'],
  ['10.00', { percent: '-100' }, '0.00', '0.00'],
  ['10.00', { amount: -20 }, '0.00', '0.00'],
])('%s with tax and a markup of %j', async (incl, more, price_excl, price_incl) => {
  expect(await priceOf(markup(more, door({ incl })))).toEqual({ price_excl, price_incl, tax_rate: '0.21' })
})

test('a discount of more than the price makes the method free, and says so; a free one stays free', async () => {
  const { ask, notes } = asking(markup({ amount: -20 }, door({ excl: '5.00' })))
  expect(await ask()).toMatchObject([{ price_incl: '0.00' }])
  expect(notes).toEqual(['door is free: its discount is more than its price'])
  const free = asking(markup({ amount: -20 }, door({ excl: '0' })))
  expect(await free.ask()).toMatchObject([{ price_incl: '0.00' }])
  expect(free.notes).toEqual([])
})

test.each([
  [{ percent: -101 }, 'percent: must be -100 or more'],
  [{ amount: 'x' }, "amount: must be a number, or a decimal string such as '-4.95'"],
])('%j is refused by name', (options, message) => {
  expect(() => markup(options as never, door({ excl: '5' }))).toThrow(message)
})

const side = fc.constantFrom('excl', 'incl')

test('a markup of nothing changes no price', async () => {
  await fc.assert(
    fc.asyncProperty(side, cents, taxRates, async (given, amount, rate) => {
      const plain = door({ [given]: amount } as never, rate)
      expect(await priceOf(markup({ percent: 0 }, plain))).toEqual(await priceOf(plain))
      expect(await priceOf(markup({ amount: '0.00' }, plain))).toEqual(await priceOf(plain))
    }),
  )
})

test('with any markup both prices agree with the tax rate, and none is lower than before', async () => {
  const percent = fc.integer({ min: 0, max: 20_000 }).map((one) => one / 100)
  await fc.assert(
    fc.asyncProperty(side, cents, taxRates, percent, async (given, amount, rate, more) => {
      const plain = door({ [given]: amount } as never, rate)
      const before = await priceOf(plain)
      const { price_excl, price_incl } = await priceOf(markup({ percent: more }, plain))
      const off = Math.abs(Number(price_excl) * (1 + Number(rate)) - Number(price_incl))
      expect(off).toBeLessThanOrEqual(0.005 * (1 + Number(rate)) + 1e-9)
      expect(Number(price_incl)).toBeGreaterThanOrEqual(Number(before.price_incl))
      expect(Number(price_excl)).toBeGreaterThanOrEqual(Number(before.price_excl))
    }),
    { numRuns: 300 },
  )
})
