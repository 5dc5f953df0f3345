import { expect, test } from 'vitest'
import { readRetryAfter } from '../src/world.ts'

const now = Date.UTC(2026, 0, 1)

test.each([
  ['120', 120_000],
  [' 12 ', 12_000],
  ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
  ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
  ['soon', undefined],
  ['', undefined],
  [undefined, undefined],
  [null, undefined],
])('Retry-After %j is seconds or a date', (header, ms) => {
  expect(readRetryAfter(header, now)).toBe(ms)
})
