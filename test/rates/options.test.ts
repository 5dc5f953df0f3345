import { expect, test } from 'vitest'
import { combine, deliveryPromise, flatRate, tableRates, taxed, when } from '../../src/rates/index.ts'

const a = { id: 'a', title: 'A', excl: 5, taxRate: 0 }
const door = flatRate(a)
const promise = { timeZone: 'Europe/London', cutOff: '17:00' }

test.each<[string, () => unknown]>([
  ['countries.0: uk is not a country: write gb', () => flatRate({ ...a, countries: ['uk'] })],
  ['countries.1: zz is not a country', () => when({ countries: ['nl', 'zz'] }, door)],
  ['countries.0: NL is not a country: write nl', () => when({ countries: ['NL'] }, door)],
  ['rate.uk: uk is not a country', () => taxed({ rate: { uk: '0.2', '*': 0 } }, door)],
  ['rate.NL: NL is not a country: write nl', () => taxed({ rate: { NL: '0.21' } }, door)],
  ['transit.uk: uk is not a country: write gb', () => deliveryPromise({ ...promise, transit: { uk: 1 } })],
  ['currency: must be three letters such as eur', () => tableRates({ file: 'a.csv', currency: 'euro' })],
  ['adapters: must have one adapter at least', () => combine('c', [])],
])('an option that can never fit is refused: %s', (message, make) => {
  expect(make).toThrow(message)
})

test('countries of both kinds are taken', () => {
  expect(() => taxed({ rate: { gb: '0.2', '*': 0 } }, door)).not.toThrow()
  expect(() => deliveryPromise({ ...promise, transit: { gb: 1, '*': [2, 4] } })).not.toThrow()
})
