import { expect, test } from 'vitest'
import { blended, sharesOf } from '../../../src/adapters/goods-rate/shares.ts'
import { decimal } from '../../../src/money/index.ts'

const part = (rate: string, worth: number) => ({ rate, worth: decimal(worth) })

test('worths are added by rate, and what is below 0 in all has no share', () => {
  const shares = sharesOf([part('0.21', 60), part('0.09', 5), part('0.21', -10), part('0.09', -6)])
  expect([...shares].map(([rate, worth]) => [rate, worth.toFixed()])).toEqual([['0.21', '50']])
})

test.each([
  [[], undefined],
  [[part('0.21', 3)], '0.21'],
  [[part('0.21', 75), part('0.09', 25)], '0.18'],
  [[part('0.21', 2), part('0.09', 1)], '0.17'],
  [[part('0.21', 1), part('0', 2)], '0.07'],
])('%j', (parts, rate) => {
  expect(blended(sharesOf(parts))).toBe(rate)
})
