import { expect, test } from 'vitest'
import { type Call, judge, type Measured, withoutStalls } from './neighbours/report.ts'

// `npm run torture -- --neighbours` watches the neighbours themselves; here is what it makes of what it sees.

const turn = (ms: number, changed: Partial<Call> = {}): Call[] =>
  Array.from({ length: 200 }, () => ({ ok: true, ms, ...changed }))

const measured = (changed: Partial<Measured>): Measured => ({
  name: 'one',
  deadline: 4_000,
  well: [turn(20), turn(20), turn(20)],
  bad: [turn(20), turn(20), turn(20)],
  healing: turn(20),
  healedAfter: 900,
  ...changed,
})

test('others who see nothing of it are no violation, and neither is a machine that was busy for one turn', () => {
  expect(judge(measured({}))).toEqual({
    name: 'one',
    others: { calls: 800, failed: 0, late: 0, p99_before_ms: 20, p99_ms: 20, ratio: 1 },
    healed_within_s: 1,
    violations: [],
  })
  expect(judge(measured({ bad: [turn(20), turn(900), turn(20)] })).violations).toEqual([])
  expect(judge(measured({ well: [turn(2)], bad: [turn(6)] })).violations).toEqual([])
})

test('calls that waited while the machine stood still are not counted', () => {
  const due = Math.round(performance.now())
  const failed = { due, ok: false, ms: 5_000 }
  const stall = { from: performance.timeOrigin + due + 100, to: performance.timeOrigin + due + 4_100 }
  const bad = [[...turn(20), failed, { ...failed, due: due + 5_000 }]]
  const report = judge(withoutStalls(measured({ bad }), [stall]))
  expect([report.others.failed, report.machine_stalled_s]).toEqual([1, 4])
  expect(judge(withoutStalls(measured({}), []))).toEqual(judge(measured({})))
})

test.each<[string, Partial<Measured>, string]>([
  [
    'slower in most turns',
    { bad: [turn(30), turn(20), turn(31), turn(32)], well: [turn(20), turn(20), turn(20), turn(20)] },
    'p99 of other shops is 30.0 ms',
  ],
  ['one call failed', { bad: [[...turn(20), { ok: false, ms: 9 }]] }, '1 of 401 calls of other shops failed'],
  [
    'one call failed in real time',
    { bad: [[...turn(20), { due: 61_200, ok: false, ms: 9 }]] },
    '1 of 401 calls of other shops failed (median 9 ms, due in second 61 to 61)',
  ],
  ['one failed while it healed', { healing: [{ ok: false, ms: 9 }] }, '1 of 601 calls of other shops failed'],
  ['one call is late', { healing: [{ ok: true, ms: 4_001 }] }, '1 calls of other shops were answered after'],
  ['the others fail before', { well: [turn(20, { ok: false })] }, '200 calls of other shops failed while'],
  ['not well again', { healedAfter: undefined }, 'one: not well again 60 s after'],
  ['well again too late', { healedAfter: 60_001 }, 'one: not well again 60 s after'],
  ['nobody called', { bad: [], healing: [] }, 'no call of another shop was made'],
])('a violation: %s', (_what, changed, violation) => {
  expect(judge(measured(changed)).violations).toContainEqual(expect.stringContaining(violation))
})
