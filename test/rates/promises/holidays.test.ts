import { beforeAll, expect, test } from 'vitest'
import { Holidays } from '../../../src/rates/promises/holidays.ts'

const holidays = new Holidays()
beforeAll(() => holidays.load(['nl', 'il', 'de']))

test.each([
  ['nl', '2026-04-27', true],
  ['nl', '2026-04-28', false],
  // Easter Monday moves each year.
  ['nl', '2027-03-29', true],
  ['de', '2026-10-03', true],
  ['us', '2026-11-26', true],
  // It begins in the evening of the day before, which is a working day.
  ['il', '2026-09-20', false],
  ['il', '2026-09-21', true],
])('%s %s: %s', (place, date, expected) => {
  expect(holidays.isHoliday(place, date)).toBe(expected)
})
