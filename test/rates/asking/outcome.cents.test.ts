import { expect, test } from 'vitest'
import { looksLikeCents } from '../../../src/rates/asking/outcome.ts'

const cart = { price_incl: '24.20' }
const of = (price_excl: number | string, price_incl = price_excl) => ({ price_incl, price_excl })

test.each([
  ['with tax on top', [of('995', '1203.95')], { at: 0, written: 995, meant: '9.95' }],
  ['with tax in it', [of('822.31', '995')], { at: 0, written: 995, meant: '9.95' }],
  ['after a free method', [of(0), of(579)], { at: 1, written: 579, meant: '5.79' }],
])('prices in cents %s are seen', (_how, methods, found) => {
  expect(looksLikeCents(methods, cart, 'eur')).toEqual(found)
})

test.each([
  ['usual', [of('9.95', '12.04')], cart, 'eur'],
  ['whole and small', [of(99)], { price_incl: 1 }, 'eur'],
  ['whole and large as the cart', [of(450)], { price_incl: 90 }, 'eur'],
  ['large with digits after the point', [of('450.50', '545.11')], cart, 'eur'],
  ['partly usual', [of(995), of('9.95')], cart, 'eur'],
  ['of a currency without cents', [of(995)], cart, 'jpy'],
  ['for a cart without a value', [of(995)], { price_incl: 0 }, 'eur'],
  ['for a cart of no known value', [of(995)], { price_incl: undefined }, 'eur'],
  ['none', [], cart, 'eur'],
] as const)('prices that are %s are left alone', (_how, methods, value, currency) => {
  expect(looksLikeCents(methods, value, currency)).toBeUndefined()
})
