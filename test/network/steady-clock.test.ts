import { expect, onTestFinished, test, vi } from 'vitest'
import { type MachineTime, SteadyClock } from '../../src/network/steady-clock.ts'

const hour = 3_600_000
const start = Date.UTC(2026, 0, 1)

/** A machine whose clock is set, and that sleeps, when the test says so. */
function machine() {
  const time = { wall: start, awake: 5_000.25, up: 90_000 }
  const pass = (ms: number) => {
    time.wall += ms
    time.awake += ms
    time.up += ms
  }
  const sleep = (ms: number) => {
    time.wall += ms
    time.up += ms
  }
  const set = (ms: number) => {
    time.wall += ms
  }
  const read: MachineTime = { wall: () => time.wall, awake: () => time.awake, up: () => time.up }
  return { pass, sleep, set, read, time }
}

test('a clock that is set, forward or back, moves nothing, and is seen once', () => {
  const { pass, set, read } = machine()
  const clock = new SteadyClock(read)
  pass(1_000)
  expect([clock.now(), clock.look()]).toEqual([start + 1_000, { jumped: 0, slept: 0 }])
  set(2 * hour)
  expect(clock.now()).toBe(start + 1_000)
  expect(clock.look()).toEqual({ jumped: 2 * hour, slept: 0 })
  expect(clock.look()).toEqual({ jumped: 0, slept: 0 })
  set(-3 * hour)
  pass(500)
  expect(clock.look()).toEqual({ jumped: -3 * hour, slept: 0 })
  expect(clock.now()).toBe(start + 1_500)
})

test('a machine that was asleep has gone on, and its clock was not set', () => {
  const { sleep, set, read } = machine()
  const clock = new SteadyClock(read)
  sleep(hour)
  expect(clock.look()).toEqual({ jumped: 0, slept: hour })
  expect(clock.now()).toBe(start + hour)
  sleep(hour)
  set(2 * hour)
  expect(clock.look()).toEqual({ jumped: 2 * hour, slept: hour })
  expect(clock.now()).toBe(start + 2 * hour)
})

test('what is set by less than two seconds at a time adds up until it is seen', () => {
  const { set, read } = machine()
  const clock = new SteadyClock(read)
  const seen = [1_500, 1_500, 1_500].map((ms) => {
    set(ms)
    return clock.look().jumped
  })
  expect(seen).toEqual([0, 3_000, 0])
})

test('this machine: the time is that of Date, whoever sets Date later', () => {
  const clock = new SteadyClock()
  const before = Date.now()
  const shown = clock.now()
  const now = Date.now()
  // Two counters of a machine differ by less than 2 ms.
  expect(shown).toBeGreaterThan(before - 2)
  expect(shown).toBeLessThan(now + 2)
  const set = vi.spyOn(Date, 'now').mockReturnValue(now + 2 * hour)
  onTestFinished(() => set.mockRestore())
  expect(clock.now() - now).toBeLessThan(hour)
  expect(Math.round(clock.look().jumped / hour)).toBe(2)
})
