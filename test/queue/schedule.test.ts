import { expect, test } from 'vitest'
import { nextTry } from '../../src/queue/schedule.ts'

const hour = 3_600_000
const middle = (tries: number, more = {}) => nextTry({ tries, owedFor: 0, random: 0.5, ...more })

test('waits 5 s, 30 s, 2 min, 10 min, 30 min, 1 h, 2 h, 4 h, then 8 to 12 h', () => {
  expect([1, 2, 3, 4, 5, 6, 7, 8, 9, 30].map((tries) => middle(tries)! / 1000)).toEqual([
    5, 30, 120, 600, 1800, 3600, 7200, 14400, 36000, 36000,
  ])
  expect([0, 0.999].map((random) => Math.round(middle(20, { random })! / hour))).toEqual([8, 12])
})

test('spreads by 20 % either way', () => {
  expect([0, 1].map((random) => middle(3, { random }))).toEqual([96_000, 144_000])
})

test('gives up once it has been owed for 14 days', () => {
  expect(middle(40, { owedFor: 14 * 24 * hour })).toBeUndefined()
  expect(middle(40, { owedFor: 14 * 24 * hour - 1 })).toBeGreaterThan(0)
})

test('honours Retry-After up to 24 hours, and never calls sooner than the schedule', () => {
  expect(middle(1, { retryAfter: 60_000 })).toBe(60_000)
  expect(middle(1, { retryAfter: 1 })).toBe(5_000)
  expect(middle(1, { retryAfter: 100 * hour })).toBe(24 * hour)
})
