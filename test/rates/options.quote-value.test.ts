import { expect, test } from 'vitest'
import type { AnyRateAdapter } from '../../src/any-adapter.ts'
import { flatRate, freeFrom, pickupPoints, tableRates, when } from '../../src/rates/index.ts'
import { quoteValue } from '../../src/rates/options.ts'
import { fileWith } from '../folder.ts'
import { asking } from './adapters/quote.ts'

test.each([
  ['59.9999', 'eur', '60.00'],
  ['59.9949', 'eur', '59.99'],
  ['59.99', 'EUR', '59.99'],
  ['59.5', 'jpy', '60'],
  ['59.9996', 'kwd', '60.000'],
  ['-0.01', 'eur', '0'],
])('%s %s is worth %s', (amount, currency, value) => {
  expect(quoteValue(amount, currency)).toBe(value)
})

const tariff = (column: string, value: 'incl' | 'excl' = 'incl') => {
  const file = fileWith('tariff.csv', `id,title,country,price_excl,${column}\ndoor,Door,nl,5,60\n`)
  return tableRates({ file, value, taxRate: 0 })
}
const paid = { id: 'door', title: 'Door', excl: '5', taxRate: 0 }
const point = { id: 'p', name: 'Point', kilometres: 1, country: 'nl', zipcode: '1012LG' }

const adapters: Record<string, AnyRateAdapter> = {
  flatRate: flatRate({ ...paid, freeFrom: 60 }),
  freeFrom: freeFrom({ value: 60 }, flatRate(paid)),
  'when from': when({ value: { from: 60 } }, flatRate(paid)),
  'when below': when({ value: { below: 60 } }, flatRate(paid)),
  free_from: tariff('free_from'),
  'free_from without tax': tariff('free_from', 'excl'),
  value_from: tariff('value_from'),
  value_to: tariff('value_to'),
  pickupPoints: pickupPoints({ points: () => [point] as never, excl: 5, taxRate: 0, freeFrom: 60 }),
}

test.each(Object.entries(adapters))('%s is about money: 59.9999 is 60', async (_, adapter) => {
  const { rates } = asking(adapter)
  const [at, just, almost] = await Promise.all(['60', '59.9999', '59.9949'].map((value) => rates({ value })))
  expect(just).toEqual(at)
  expect(almost).not.toEqual(at)
})

test('a cart below 0 keeps the methods that ask for no value', async () => {
  const { rates } = asking(tariff('free_from'))
  expect(await rates({ value: '-5' })).toEqual(['door 5.00'])
})
