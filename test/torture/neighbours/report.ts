import type { Stall } from './witness.ts'

/** How the calls of the other shops went beside a bad neighbour. */
export interface NeighbourReport {
  name: string
  others: {
    /** Made while the neighbour was bad, and until it was well again. */
    calls: number
    failed: number
    /** Answered after their deadline. */
    late: number
    p99_before_ms: number
    p99_ms: number
    ratio: number
  }
  healed_within_s: number
  /** For how long the machine itself stood still, if it did. Calls that waited then are not counted. */
  machine_stalled_s?: number
  violations: string[]
}

/** One call of another shop. */
export interface Call {
  /** In milliseconds since its process started, where time is real. */
  due?: number
  ok: boolean
  /** From when it was due, so that what holds up the caller counts too. */
  ms: number
}

/** The measurements: `well` and `bad` take turns, so that other load of the machine affects both. */
export interface Measured {
  name: string
  /** In milliseconds: an answer after this is late. */
  deadline: number
  /** The calls of each turn in which the neighbour was well. */
  well: readonly (readonly Call[])[]
  /** The calls of each turn in which it was bad. */
  bad: readonly (readonly Call[])[]
  /** The calls made after the cause's end, until it was well again. */
  healing: readonly Call[]
  /** For how many milliseconds the machine stood still. Default: 0. */
  stalledFor?: number
  /** Milliseconds from the cause's end until it was well again. Not set where it never was. */
  healedAfter: number | undefined
}

const mostRatio = 1.2
/** In milliseconds: a difference below this is the machine's. */
const noise = 5
/** In seconds. */
export const healsWithin = 60

/** Leaves out the calls that waited while the machine stood still: that is nobody's fault. */
export function withoutStalls(measured: Measured, stalls: readonly Stall[]): Measured {
  const began = performance.timeOrigin
  const isFair = ({ due, ms }: Call) =>
    due === undefined || !stalls.some(({ from, to }) => began + due < to && from < began + due + ms)
  const fair = (turns: Measured['well']) => turns.map((calls) => calls.filter(isFair))
  const left = {
    ...measured,
    well: fair(measured.well),
    bad: fair(measured.bad),
    healing: measured.healing.filter(isFair),
  }
  return { ...left, stalledFor: stalls.reduce((sum, { from, to }) => sum + to - from, 0) }
}

/** Judges by the rules that all bad neighbours share: 0 failed or late, p99 at most 1.2 x before as `isSlower` sees it, well again within 60 s. */
export function judge(measured: Measured): NeighbourReport {
  const { name, deadline, well, bad, healing, healedAfter } = measured
  const beside = [...bad.flat(), ...healing]
  const failed = beside.filter(({ ok }) => !ok)
  const late = beside.filter(({ ms }) => ms > deadline)
  const failedBefore = well.flat().filter(({ ok }) => !ok)
  const [before, during] = [p99Of(well), p99Of(bad)]
  const healedWithin = Math.ceil((healedAfter ?? healsWithin * 1_000) / 1_000)
  const violations = [
    ...(beside.length === 0 ? ['no call of another shop was made'] : []),
    ...violationOf(failed, `of ${beside.length} calls of other shops failed`),
    ...violationOf(failedBefore, 'calls of other shops failed while the neighbour was well'),
    ...violationOf(late, `calls of other shops were answered after ${deadline} ms`),
    ...(isSlower(measured)
      ? [`p99 of other shops is ${during.toFixed(1)} ms, and was ${before.toFixed(1)} ms before`]
      : []),
    ...(healedAfter === undefined || healedWithin > healsWithin
      ? [`not well again ${healsWithin} s after the cause's end`]
      : []),
  ]
  return {
    name,
    others: {
      calls: beside.length,
      failed: failed.length,
      late: late.length,
      p99_before_ms: rounded(before),
      p99_ms: rounded(during),
      ratio: rounded(during / before),
    },
    healed_within_s: healedWithin,
    ...(measured.stalledFor && { machine_stalled_s: rounded(measured.stalledFor / 1_000) }),
    violations: violations.map((violation) => `${name}: ${violation}`),
  }
}

/** A violation of calls, with when they were due: a moment has another cause than all turns. */
function violationOf(calls: readonly Call[], what: string): string[] {
  if (calls.length === 0) return []
  const dues = calls.flatMap(({ due }) => due ?? [])
  const second = (due: number) => Math.round(due / 1_000)
  const when = dues.length && `, due in second ${second(Math.min(...dues))} to ${second(Math.max(...dues))}`
  const median = msAt(calls, 0.5)
  return [`${calls.length} ${what} (median ${median.toFixed(0)} ms${when || ''})`]
}

/**
 * Whether the other shops wait longer while the neighbour is bad: more than 1.2 times as long and more than 5 ms longer, over all turns, and
 * in three of four beside the turn before. Two halves of a busy machine seldom differ in so many. The results page says so too.
 */
export function isSlower({ well, bad }: Pick<Measured, 'well' | 'bad'>): boolean {
  const slower = (before: number, during: number) => during > Math.max(before * mostRatio, before + noise)
  const slowerTurns = bad.filter((calls, turn) => slower(p99Of([well[turn] ?? []]), p99Of([calls])))
  return slower(p99Of(well), p99Of(bad)) && slowerTurns.length >= bad.length * 0.75
}

/** The median of the turns' p99: a machine that is busy for a moment spoils one turn, and a bad neighbour all of its own. */
function p99Of(turns: readonly (readonly Call[])[]): number {
  const each = turns.map((calls) => msAt(calls, 0.99))
  return at(each, 0.5)
}

function msAt(calls: readonly Call[], share: number): number {
  const all = calls.map(({ ms }) => ms)
  return at(all, share)
}

const at = (values: number[], share: number): number =>
  values.sort((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? 0

const rounded = (value: number): number => Math.round(value * 100) / 100
