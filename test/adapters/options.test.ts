import { expect, test } from 'vitest'
import { combine, deliveryPromise, flatRate, tableRates, taxed, when } from '../../src/adapters/index.ts'

const door = flatRate({ id: 'door', title: 'Door', excl: 5, taxRate: 0 })
const promise = { timeZone: 'Europe/London', cutOff: '17:00' }

test.each<[string, () => unknown, string]>([
  [
    'a country of flatRate',
    () => flatRate({ id: 'a', title: 'A', excl: 5, taxRate: 0, countries: ['uk'] }),
    'countries.0: uk is not a country: write gb',
  ],
  ['a country of when', () => when({ countries: ['nl', 'zz'] }, door), 'countries.1: zz is not a country'],
  ['capitals', () => when({ countries: ['NL'] }, door), 'countries.0: NL is not a country: write nl'],
  [
    'a tax rate by country',
    () => taxed({ rate: { uk: '0.2', '*': 0 } }, door),
    'rate.uk: uk is not a country',
  ],
  [
    'a tax rate in capitals',
    () => taxed({ rate: { NL: '0.21' } }, door),
    'rate.NL: NL is not a country: write nl',
  ],
  [
    'days by country',
    () => deliveryPromise({ ...promise, transit: { uk: 1 } }),
    'transit.uk: uk is not a country: write gb',
  ],
  [
    'a currency of tableRates',
    () => tableRates({ file: 'tariff.csv', currency: 'euro' }),
    'currency: must be three letters such as eur',
  ],
  ['no adapters', () => combine('c', []), 'adapters: must have one adapter at least'],
])('%s that can never fit is refused', (_what, make, message) => {
  expect(make).toThrow(message)
})

test('countries of both kinds are taken', () => {
  expect(() => taxed({ rate: { gb: '0.2', '*': 0 } }, door)).not.toThrow()
  expect(() => deliveryPromise({ ...promise, transit: { gb: 1, '*': [2, 4] } })).not.toThrow()
})
