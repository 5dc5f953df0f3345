import { expect, test } from 'vitest'
import { durationOf, MovingClock } from '../../src/sandbox/clock.ts'

test('what waits for a moment that was passed is called at once, in the order of the moments', () => {
  const clock = new MovingClock()
  const called: string[] = []
  clock.after(3_600_000, () => called.push('hour'))
  clock.after(60_000, () => called.push('minute'))
  clock.after(60_000, () => called.push('taken back'))()
  clock.after(86_400_000, () => called.push('day'))
  const before = clock.now()
  clock.advance(2 * 3_600_000)
  expect(called).toEqual(['minute', 'hour'])
  expect(clock.now() - before).toBeGreaterThanOrEqual(2 * 3_600_000)
  clock.advance(22 * 3_600_000)
  expect(called).toEqual(['minute', 'hour', 'day'])
})

test('what a call waits for anew is not called in the same move', () => {
  const clock = new MovingClock()
  let calls = 0
  const again = () => {
    calls++
    clock.after(1_000, again)
  }
  clock.after(1_000, again)
  clock.advance(60_000)
  expect(calls).toBe(1)
  clock.advance(1_000)
  expect(calls).toBe(2)
})

test('without being moved it goes as time does', async () => {
  const clock = new MovingClock(3_600_000)
  const before = Date.now()
  const ahead = clock.now() - 3_600_000
  expect(ahead).toBeGreaterThanOrEqual(before)
  expect(ahead).toBeLessThanOrEqual(Date.now())
  await new Promise<void>((resolve) => clock.after(5, resolve, true))
})

test('turned back, it lets every call wait as long as before', async () => {
  const clock = new MovingClock()
  const called: string[] = []
  clock.advance(86_400_000)
  clock.after(3_600_000, () => called.push('hour'))
  const soon = new Promise<void>((resolve) => clock.after(5, resolve, true))
  clock.move(-86_400_000)
  await soon
  expect(clock.offset).toBe(0)
  const before = Date.now()
  const now = clock.now()
  expect(now).toBeGreaterThanOrEqual(before)
  expect(now).toBeLessThanOrEqual(Date.now())
  clock.advance(3_500_000)
  expect(called).toEqual([])
  clock.advance(100_000)
  expect(called).toEqual(['hour'])
})

test('it moves by no negative time and by no text', () => {
  expect(() => new MovingClock().advance(-1)).toThrow(RangeError)
  expect(() => new MovingClock().advance(Number.NaN)).toThrow(RangeError)
})

test.each([
  ['5s', 5_000],
  ['30m', 1_800_000],
  ['2h', 7_200_000],
  ['1d', 86_400_000],
  ['1month', 28 * 86_400_000],
  ['2months', 59 * 86_400_000],
  ['soon', undefined],
  ['-5s', undefined],
  ['5', undefined],
  ['', undefined],
])('%s from the last of January on', (text, ms) => {
  expect(durationOf(text, Date.parse('2026-01-31T10:00:00Z'))).toBe(ms)
})
