import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isDay, isTimeZone, plusDays, weekdayOf, ZonedTime } from '../../src/rates/zoned-time.ts'
import { forAll, forRuns } from '../for-all.ts'

const zones = [
  ...'Europe/Amsterdam Europe/London America/New_York America/St_Johns America/Sao_Paulo'.split(' '),
  ...'Australia/Lord_Howe Africa/Cairo Asia/Kathmandu Pacific/Apia UTC'.split(' '),
]
/** From 2005 to 2035, so that zones with changes of the date line and of their laws are among them. */
const instant = fc.integer({ min: Date.UTC(2005, 0, 1), max: Date.UTC(2035, 0, 1) })

/** What a clock on the wall reads, by the runtime's own words. */
const read = (timeZone: string, at: number) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(at)

test('the day of an instant is the one on the wall', () => {
  forAll(fc.constantFrom(...zones), instant, (zone, at) => {
    expect(new ZonedTime(zone).dayAt(at)).toBe(read(zone, at).slice(0, 10))
  })
})

test('a time of a day is its first instant on the wall, or a later one where the clock skips it', () => {
  forRuns(500, fc.constantFrom(...zones), instant, fc.integer({ min: 0, max: 1439 }), (zone, at, minutes) => {
    const time = new ZonedTime(zone)
    const day = time.dayAt(at)
    const found = time.instantOf(day, minutes)
    const hour = `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
    const wanted = `${day} ${hour}`
    expect(read(zone, found) >= wanted).toBe(true)
    if (read(zone, found) !== wanted) return
    // One millisecond earlier the wall reads less, unless a clock was set back just then.
    const before = read(zone, found - 1)
    expect(before < wanted || before > read(zone, found)).toBe(true)
  })
})

test.each([
  ['skipped', 'Europe/Amsterdam', '2026-03-29', 150, '2026-03-29T01:30:00.000Z'],
  ['repeated', 'Europe/Amsterdam', '2026-10-25', 150, '2026-10-25T00:30:00.000Z'],
  ['repeated', 'America/New_York', '2026-11-01', 90, '2026-11-01T05:30:00.000Z'],
  ['skipped', 'Australia/Lord_Howe', '2026-10-04', 135, '2026-10-03T15:45:00.000Z'],
  ['plain', 'Asia/Kathmandu', '2026-11-24', 0, '2026-11-23T18:15:00.000Z'],
] as const)('a %s time in %s', (_, zone, day, minutes, expected) => {
  expect(new Date(new ZonedTime(zone).instantOf(day, minutes)).toISOString()).toBe(expected)
})

test('a day without midnight begins when its clock was changed', () => {
  const cairo = new ZonedTime('Africa/Cairo')
  expect(new Date(cairo.instantOf('2026-04-24', 0)).toISOString()).toBe('2026-04-23T22:00:00.000Z')
})

test('days', () => {
  expect(plusDays('2028-02-28', 2)).toBe('2028-03-01')
  expect(weekdayOf('2026-11-24')).toBe('tue')
  expect(['2026-02-30', '2026-2-3', 'today', '', '2027-02-28'].filter(isDay)).toEqual(['2027-02-28'])
  expect(['Europe/Amsterdam', 'Mars/Olympus', ''].map(isTimeZone)).toEqual([true, false, false])
})
