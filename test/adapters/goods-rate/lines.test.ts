import { expect, test } from 'vitest'
import { linesOf, readingsOf } from '../../../src/adapters/goods-rate/lines.ts'

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

test('a price is that of the line, or that of a piece', () => {
  const lines = linesOf([{ price_excl: '5', tax_rate: '0.21', quantity: 3 }] as never, [], 'eur')!
  expect(readingsOf(lines).map(({ total }) => Number(total))).toEqual([5, 15])
})
