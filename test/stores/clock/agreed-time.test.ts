import { describe, expect, test } from 'vitest'
import type { MachineTime } from '../../../src/network/steady-clock.ts'
import { AgreedClock } from '../../../src/stores/clock/agreed-clock.ts'
import { agreedNow, type Seen } from '../../../src/stores/clock/agreed-time.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
const start = Date.UTC(2026, 0, 1)

/** A node that starts `after` milliseconds after the last agreement, on the machine that agreed last. */
const starting = (
  after: number,
  { serverJump = 0, ...change }: Partial<Seen> & { serverJump?: number } = {},
): Seen => ({
  serverAt: start + after + serverJump,
  wall: start + after,
  up: 5 * hour + after,
  own: undefined,
  agreed: { serverAt: start, agreedAt: start, releases: 0 },
  witness: { serverAt: start, agreedAt: start, releases: 0, up: 5 * hour },
  othersRun: false,
  ...change,
})
/** On a machine that has booted since, or is new. */
const anew = { witness: undefined, up: 20 * second }

describe('a node that starts', () => {
  test.each([2 * hour, -2 * hour, 6 * second])(
    'keeps the agreed time where the clock was set by %d ms',
    (serverJump) => {
      const { at, off } = agreedNow(starting(30 * second, { serverJump }))
      expect(Math.abs(at - (start + 30 * second))).toBeLessThanOrEqual(1.5 * second)
      expect(off).toBe(serverJump)
    },
  )

  test('knows a clock that was set, although the counter of its machine counts in steps and was read a moment earlier', () => {
    const seen = starting(0, { serverJump: 2 * hour, wall: start + 2 * hour, up: 5 * hour - 8 })
    expect(agreedNow(seen).off).toBeGreaterThan(2 * hour - second)
  })

  test('follows a difference of less than a third of a lease at once', () => {
    expect(agreedNow(starting(30 * second, { serverJump: 4 * second }))).toEqual({
      at: start + 34 * second,
      off: 0,
    })
  })

  test('takes the new time after two days in which the provider was stopped', () => {
    expect(agreedNow(starting(2 * day))).toEqual({ at: start + 2 * day, off: 0 })
    expect(agreedNow(starting(2 * day, anew))).toEqual({ at: start + 2 * day, off: 0 })
  })

  test('knows a clock that was set during two days of a stop, by the counter of its machine', () => {
    expect(agreedNow(starting(2 * day, { serverJump: 5 * hour })).off).toBe(5 * hour)
  })

  test('follows what others have renewed since, on a machine that is new', () => {
    const agreed = { serverAt: start + 2 * hour, agreedAt: start, releases: 0 }
    const { at, off } = agreedNow(starting(minute, { ...anew, agreed, serverJump: 2 * hour }))
    expect(at).toBe(start + minute + 3 * second)
    expect(off).toBe(2 * hour)
  })

  test('keeps the agreed time where others run that have not seen the new time yet', () => {
    const seen = starting(30 * second, {
      ...anew,
      wall: start + 2 * hour,
      serverJump: 2 * hour,
      othersRun: true,
    })
    expect(agreedNow(seen).at).toBe(start)
  })

  test('goes by the earlier of two clocks that differ where nothing else is known, and never back', () => {
    expect(agreedNow(starting(hour, { ...anew, serverJump: 2 * hour })).at).toBe(
      start + hour + 60 * 3 * second,
    )
    expect(agreedNow(starting(2 * day, { ...anew, wall: 0 })).at).toBe(start + 2 * day)
    const back = agreedNow(starting(minute, { ...anew, wall: start - day, serverJump: -day }))
    expect(back.at).toBe(start)
  })

  test('of a machine whose counter began anew under the same id takes no word of it', () => {
    expect(agreedNow(starting(2 * day, { up: minute })).at).toBe(start + 2 * day)
  })

  test('goes on with what was agreed of a clock that stayed wrong through a boot', () => {
    const agreed = { serverAt: start + 2 * hour, agreedAt: start, releases: 0 }
    const { at } = agreedNow(
      starting(hour, { ...anew, agreed, serverJump: 2 * hour, wall: start + 3 * hour }),
    )
    expect(at).toBe(start + hour + 60 * 3 * second)
  })
})

describe('a node that runs', () => {
  test('moves towards a clock that was set by three seconds a minute, and reaches it', () => {
    let agreed = { serverAt: start, agreedAt: start, releases: 0 }
    let at = start
    let minutes = 0
    for (; agreed.serverAt - at !== 0 || minutes === 0; minutes++) {
      const serverAt = start + 60 * second + (minutes + 1) * minute
      const seen = { ...starting(0), own: at + minute, serverAt, agreed, witness: undefined }
      at = agreedNow(seen).at
      agreed = { serverAt, agreedAt: at, releases: 0 }
    }
    expect(minutes).toBeGreaterThan(15)
    expect(minutes).toBeLessThan(21)
  })

  test('that stood still while others went on takes their time', () => {
    const agreed = { serverAt: start + hour, agreedAt: start + hour, releases: 0 }
    const seen = { ...starting(hour + minute), agreed, own: start + 10 * second }
    expect(agreedNow(seen)).toEqual({ at: start + hour + minute, off: 0 })
  })
})

/** A machine whose clock is set, and that sleeps, when the test says so. */
function machine() {
  const time = { wall: start, awake: 5_000.25, up: 90_000 }
  const read: MachineTime = { wall: () => time.wall, awake: () => time.awake, up: () => time.up }
  return { time, read }
}

describe('the clock of a process', () => {
  test('goes by what was agreed, whatever becomes of the clock of its machine, and reports a jump once', () => {
    const { time, read } = machine()
    const clock = new AgreedClock(read, 'boot')
    const agreement = { at: start + 10 * hour, off: 0, releases: 0, awake: time.awake }
    expect(clock.take(agreement)).toBeUndefined()
    time.wall += 2 * hour
    time.awake += 1_000
    time.up += 1_000
    expect(clock.now()).toBe(start + 10 * hour + 1_000)
    const off = { ...agreement, off: 2 * hour }
    expect(clock.take(off)).toBe(2 * hour)
    expect(clock.take({ ...off, off: 2 * hour - 3_000 })).toBeUndefined()
  })

  test('counts the time that the machine was asleep', () => {
    const { time, read } = machine()
    const clock = new AgreedClock(read, 'boot')
    clock.take({ at: start, off: 0, releases: 0, awake: time.awake })
    time.wall += 8 * hour
    time.up += 8 * hour
    expect(clock.momentSince(time.awake, 0)?.own).toBe(start + 8 * hour)
    expect(clock.now()).toBe(start + 8 * hour)
  })

  test('says nothing of a moment that took too long, and forgets its own time when a person has set the time', () => {
    const { time, read } = machine()
    const clock = new AgreedClock(read, 'boot')
    const sent = time.awake
    expect(clock.momentSince(sent, undefined)?.own).toBeUndefined()
    clock.take({ at: start, off: 0, releases: 0, awake: time.awake })
    expect(clock.momentSince(sent, 1)?.own).toBeUndefined()
    time.awake += 6_000
    time.up += 6_000
    expect(clock.momentSince(sent, 0)).toBeUndefined()
  })
})
