import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AskPauses, askAgainAfter, asksSoFar } from '../../src/payments/payment-memory.ts'
import { forAll } from '../for-all.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

test('the calls of a day are spread over its hours and within each of them, and come to the limit', () => {
  forAll(fc.integer({ min: 1, max: 100_000 }), (perDay) => {
    const ends = Array.from({ length: 24 }, (_, at) => asksSoFar(perDay, 10 * day + (at + 1) * hour - 1).most)
    expect(ends.reduce((sum, most) => sum + most, 0)).toBe(perDay)
    expect(Math.max(...ends) - Math.min(...ends)).toBeLessThanOrEqual(1)
  })
  expect([0, 15, 30, 45, 59].map((at) => asksSoFar(960, 10 * day + at * minute).most)).toEqual([
    0, 10, 20, 30, 40,
  ])
  expect(asksSoFar(960, 10 * day + 61 * minute)).toEqual({ hour: 10 * day + hour, most: 1 })
})

test('what could not be asked is looked at again when there is room, and not all at once', () => {
  expect([askAgainAfter(24, 0), askAgainAfter(24, 1)]).toEqual([hour, 2 * hour])
  expect(askAgainAfter(1_000_000, 0)).toBe(15 * minute)
})

test('a pause is of one account, a minute without a time and a day at most', () => {
  const pauses = new AskPauses()
  const account = { adapter: 'psp', shop: 'one' }
  pauses.begin(account, 0)
  expect([pauses.left(account, 0), pauses.left(account, minute)]).toEqual([minute, 0])
  expect(pauses.left({ ...account, shop: 'two' }, 0)).toBe(0)
  pauses.begin(account, 0, 2 * day)
  expect(pauses.left(account, 0)).toBe(day)
})
