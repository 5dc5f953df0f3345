import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type PromiseRules, PromiseTexts, promisedDays } from '../../../src/rates/promises/promise.ts'
import { plusDays, weekdayOf, ZonedTime } from '../../../src/rates/zoned-time.ts'
import { forRuns } from '../../for-all.ts'

const amsterdam = new ZonedTime('Europe/Amsterdam')
const workday = (day: string) => !['sat', 'sun'].includes(weekdayOf(day))
const rules = (given: Partial<PromiseRules> = {}): PromiseRules => ({
  time: amsterdam,
  cutOff: (day) => (workday(day) ? 17 * 60 : undefined),
  delivers: workday,
  transit: [1, 1],
  ...given,
})
const at = (text: string) => Date.parse(text)

test.each([
  ['a minute before the cut-off', '2026-11-23T16:59:59+01:00', '2026-11-23', '2026-11-24'],
  ['at the cut-off', '2026-11-23T17:00:00+01:00', '2026-11-24', '2026-11-25'],
  ['on Friday evening', '2026-11-20T18:00:00+01:00', '2026-11-23', '2026-11-24'],
  ['on Sunday', '2026-11-22T12:00:00+01:00', '2026-11-23', '2026-11-24'],
])('%s', (_, now, sent, from) => {
  expect(promisedDays(at(now), rules())).toMatchObject({ sent, from, to: from })
})

test('a window counts days of delivery only', () => {
  const found = promisedDays(at('2026-11-25T12:00:00Z'), rules({ transit: [1, 3] }))
  expect(found).toMatchObject({ from: '2026-11-26', to: '2026-11-30' })
})

test('the same day, where it is one of delivery', () => {
  const sameDay = rules({ transit: [0, 0] })
  expect(promisedDays(at('2026-11-23T10:00:00Z'), sameDay)).toMatchObject({ from: '2026-11-23' })
})

test('nothing is promised where nothing is ever sent or delivered', () => {
  expect(promisedDays(0, rules({ cutOff: () => undefined }))).toBeUndefined()
  expect(promisedDays(0, rules({ delivers: () => false }))).toBeUndefined()
})

test('in every zone and over every change of its clock a promise holds until its cut-off and no longer', () => {
  const zones = 'Europe/Amsterdam America/New_York Australia/Lord_Howe Africa/Cairo Asia/Kathmandu'
  const zone = fc.constantFrom(...zones.split(' '))
  // Around the changes of spring and autumn in 2026, to the second.
  const changes = '2026-03-08 2026-03-29 2026-04-05 2026-04-24 2026-10-04 2026-10-25 2026-11-01'
  const seconds = fc.integer({ min: -72 * 3600, max: 72 * 3600 })
  const now = fc
    .tuple(fc.constantFrom(...changes.split(' ')), seconds)
    .map(([day, more]) => at(`${day}T00:00:00Z`) + more * 1000)
  const cutOff = fc.integer({ min: 0, max: 1439 })
  const sending = fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1 })
  forRuns(
    1_000,
    zone,
    now,
    cutOff,
    sending,
    fc.integer({ min: 0, max: 4 }),
    (name, moment, minutes, days, most) => {
      const time = new ZonedTime(name)
      const sends = (day: string) => days.includes(new Date(`${day}T00:00:00Z`).getUTCDay())
      const given = rules({ time, transit: [0, most], cutOff: (day) => (sends(day) ? minutes : undefined) })
      const found = promisedDays(moment, given)!
      expect(found.orderedBefore).toBeGreaterThan(moment)
      expect(sends(found.sent) && found.sent >= found.today && found.from <= found.to).toBe(true)
      expect(workday(found.from) && workday(found.to)).toBe(true)
      // No earlier day of sending was passed over.
      for (let day = found.today; day < found.sent; day = plusDays(day, 1))
        expect(sends(day) && time.instantOf(day, minutes) > moment).toBe(false)
      // The promise is the same until its end, and a later one from then on.
      const last = promisedDays(found.orderedBefore - 1, given)!
      expect([last.sent, last.from, last.to]).toEqual([found.sent, found.from, found.to])
      expect(promisedDays(found.orderedBefore, given)!.sent > found.sent).toBe(true)
    },
  )
})

const today = '2026-11-23'
const days = { today, sent: today, from: '2026-11-24', to: '2026-11-26', cutOff: 545, orderedBefore: 0 }
const texts = new PromiseTexts()

test('words that count from today end with it', () => {
  expect(texts.write(days)).toMatchObject({
    text: { en: 'Ordered before 09:05: tomorrow to Thursday 26 November' },
    ofToday: true,
  })
  const later = { ...days, sent: '2026-11-25', from: '2026-11-26' }
  expect(texts.write(later)).toMatchObject({ text: { en: 'Thursday 26 November' }, ofToday: false })
})

test('words of a language replace ours, and capitals are those of the language', () => {
  const own = { tr: { before: '{when} ({time})', window: '{from}-{to}', today: 'bugün', tomorrow: 'izle' } }
  const { text } = texts.write({ ...days, sent: '2026-11-24', to: '2026-11-24' }, own)
  expect(text).toMatchObject({ tr: 'İzle', en: 'Tomorrow' })
})
