import { expect, onTestFinished, test, vi } from 'vitest'
import { type MachineTime, SteadyClock } from '../../src/network/system-world.ts'

const hour = 3_600_000
const start = Date.UTC(2026, 0, 1)

/** A machine whose clock is set, and that sleeps, when the test says so. */
function machine() {
  const time = { wall: start, awake: 5_000.25, up: 90_000 }
  const set = (ms: number) => {
    time.wall += ms
  }
  const sleep = (ms: number) => {
    set(ms)
    time.up += ms
  }
  const pass = (ms: number) => {
    sleep(ms)
    time.awake += ms
  }
  const read: MachineTime = { wall: () => time.wall, awake: () => time.awake, up: () => time.up }
  return { pass, sleep, set, read, time }
}

test('a clock that is set, forward or back, moves nothing', () => {
  const { pass, set, read } = machine()
  const clock = new SteadyClock(read)
  pass(1_000)
  set(2 * hour)
  expect(clock.now()).toBe(start + 1_000)
  set(-3 * hour)
  pass(10_000)
  expect(clock.now()).toBe(start + 11_000)
})

test('a machine that was asleep has gone on', () => {
  const { pass, sleep, read } = machine()
  const clock = new SteadyClock(read)
  sleep(hour)
  pass(5_000)
  expect(clock.now()).toBe(start + hour + 5_000)
  sleep(hour)
  pass(5_000)
  expect(clock.now()).toBe(start + 2 * hour + 10_000)
})

test('it goes on from the time of another clock, as that was halfway between question and answer', () => {
  const { pass, read, time } = machine()
  const clock = new SteadyClock(read)
  const sent = time.awake
  pass(100)
  clock.set(7 * hour, sent)
  expect(clock.now()).toBe(7 * hour + 50)
  pass(1_000)
  expect(clock.now()).toBe(7 * hour + 1_050)
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
})
