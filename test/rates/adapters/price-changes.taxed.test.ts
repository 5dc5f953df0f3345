import fc from 'fast-check'
import { expect, test } from 'vitest'
import { price, type RateAdapter } from '../../../src/index.ts'
import { flatRate, taxed } from '../../../src/rates/index.ts'
import { ratesWith } from '../../helpers/rates.ts'
import { cents, priceOf, taxRates } from './quote.ts'

const door = (given: object, taxRate: string) =>
  flatRate({ id: 'door', title: 'Door', taxRate, ...given } as never)

test('the tax rate that a price has already changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('excl', 'incl'), cents, taxRates, async (side, amount, rate) => {
      const plain = door({ [side]: amount }, rate)
      expect(await priceOf(taxed({ rate: Number(rate).toFixed(4) }, plain))).toEqual(await priceOf(plain))
    }),
  )
})

test('with another tax rate the price without tax stays, and both prices agree with the rate', async () => {
  await fc.assert(
    fc.asyncProperty(cents, taxRates, taxRates, async (incl, before, rate) => {
      fc.pre(before !== rate)
      const plain = door({ incl }, before)
      const { price_excl, price_incl, tax_rate } = await priceOf(taxed({ rate }, plain))
      expect([price_excl, tax_rate]).toEqual([(await priceOf(plain)).price_excl, rate])
      const off = Math.abs(Number(price_excl) * (1 + Number(rate)) - Number(price_incl))
      expect(off).toBeLessThanOrEqual(0.005 + 1e-9)
    }),
  )
})

test('prices that do not agree with their own tax rate are computed from the one without tax', async () => {
  const offer = { id: 'a', title: 'A', price_excl: 5, price_incl: 5, tax_rate: '0.21' }
  const right = { price_excl: '5.00', price_incl: '6.05', tax_rate: '0.21' }
  expect(await priceOf(taxed({ rate: '0.21' }, { name: 'wrong', quote: () => [offer] }))).toEqual(right)
})

const fraction = "rate: must be a fraction such as '0.21', 'goods', or fractions by country"
test.each<[unknown, string]>([
  [['0.21'], `${fraction}: { nl: '0.21', '*': 0 }`],
  ['good', fraction],
  ['21', 'rate: must be a fraction below 1: did you mean 0.21?'],
  [{ nl: '21' }, 'rate.nl: must be a fraction below 1: did you mean 0.21?'],
  [{ nl: '' }, 'rate.nl: must be a number of 0 or more'],
])('a tax rate of %j is refused with a remedy', (rate, message) => {
  expect(() => taxed({ rate } as never, door({ excl: 5 }, '0'))).toThrow(message)
})

test('a cache never answers with the tax rate of other goods', async () => {
  const inner: RateAdapter = {
    name: 'inner',
    cache: { ttl: 60_000, key: ({ shipping_address: { zipcode } }) => zipcode ?? '' },
    quote: () => [{ id: 'a', title: 'A', ...price({ excl: 5, taxRate: 0, currency: 'eur' }) }],
  }
  const { ask, counts } = ratesWith([taxed({ rate: 'goods' }, inner)])
  const asked = async (rate: number) => {
    const { methods } = await ask(
      ({ quote }) => (quote.products = [{ ...quote.products[0]!, tax_rate: rate }]),
    )
    return methods.map(({ tax_rate }) => tax_rate)
  }
  expect([await asked(0.21), await asked(0.09), await asked(0.21)]).toEqual([[0.21], [0.09], [0.21]])
  expect(counts()).toMatchObject({ inner: { misses: 2, hits: 1 } })
})
