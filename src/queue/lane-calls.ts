import { type Db, nameOf } from '../store/columns.ts'
import { alone, ask, type Command, holding, inGroups, lastly, type Step, together } from '../store/query.ts'
import { freshLane, isClosed, type Lane } from './lane.ts'
import { laneClaims } from './lane-claims.ts'
import { type CallsInLanes, type LaneNames, laneFrom, laneQueries } from './lanes.ts'

/** Beside good calls a lane that single calls have closed opens sooner: an outage is long from here on, in milliseconds. */
const longOutage = 15 * 60_000

/** Claims calls that are due in their lanes, and closes and opens lanes by what becomes of the calls. */
export function laneCalls<Due extends object>(db: Db, of: CallsInLanes) {
  const queries = laneQueries<Due>(db, of)

  const holdOf = (lane: string) => `lane ${lane}`
  /** Commands change the row of a lane without holding it, so these steps come last. */
  const inLane = (lane: string, ...steps: Step[]): Step[] =>
    steps.map((step) => ({ ...step, shared: holdOf(lane) }))
  /** Writes these of a held lane, and when its next call is due. */
  const saving = (lane: string, steps: readonly Step[]): Step[] =>
    inLane(lane, ask(queries.lock, { lane }), ...steps, ask(queries.lookAgain, { lane }))
  const savingOutage = (lane: string, was: Lane, now: number): Step => {
    const began = was.failingSince ?? was.closedAt ?? now
    return ask(queries.saveOutage, { lane, began, now, failure: was.lastFailure })
  }

  function* hold(lane: string): Command<Lane> {
    yield* holding(holdOf(lane))
    return (yield* known(lane)) ?? freshLane
  }

  function* known(lane: string): Command<Lane | undefined> {
    const [[row]] = yield* together(ask(queries.laneOf, { lane }))
    return row && laneFrom(row)
  }

  /**
   * Closes or opens a held lane and writes `more` with it. Opening makes its calls due at once, closing makes them wait again. A call that
   * fails once more beside good ones keeps its own schedule.
   */
  function* change(
    lane: string,
    { was, becomes, now, more }: { was: Lane; becomes: Lane; now: number; more: readonly Step[] },
  ): Command<void> {
    const isOpened = isClosed(was) && !isClosed(becomes)
    const closes = !isClosed(was) && isClosed(becomes)
    const isWell = of.recallsAtSuccess === true && was.failures > 0 && becomes.failures === 0
    const long = now - (was.closedAt ?? now) >= longOutage ? 1 : 0
    yield* lastly(
      ...more,
      ...saving(lane, [
        ...(isOpened || isWell ? [ask(queries.recall, { lane, now, long })] : []),
        ...(isOpened ? [savingOutage(lane, was, now)] : []),
        ...(closes ? [ask(queries.waitAgain, { lane, now })] : []),
        ...(was === becomes ? [] : [ask(queries.saveLane, { lane, ...becomes })]),
      ]),
    )
  }

  return {
    hold,
    known,
    change,

    /**
     * Takes what is due. The command runs alone in its transaction. It relies on the rows that it locks: lanes and calls that another transaction
     * has locked are left to that one or to the next claim, and a call that is added meanwhile makes its lane due earlier once this has ended.
     */
    claim: laneClaims(db, of, queries),

    /** The lane is looked into as soon as a call is due that the command adds or takes away. */
    lookSooner: (names: LaneNames): Step[] => inLane(names.lane, ask(queries.lookSooner, names)),

    /** A call of the lane has ended at this time: if it was full, the next calls are due. A claim may be filling it at this moment. */
    makeRoom: (lane: string, now: number): Step[] => inLane(lane, queries.makeRoom(1, [now, lane])),

    /** The same for many lanes, by a command that is alone in its transaction. */
    makeRoomIn: (lanes: ReadonlySet<string>, now: number): Step[] =>
      inGroups([...lanes]).map((group) => queries.makeRoom(group.length, [now, ...group])),

    /** Opens a lane unconditionally, and writes `more` with it. */
    *open(lane: string, now: number, more: readonly Step[]): Command<void> {
      yield* change(lane, { was: yield* hold(lane), becomes: freshLane, now, more })
    },

    /** A person opens the lane, closed or not: what it may have made fail is due at once. Returns the number of due calls. */
    *openByHand(lane: string, now: number, more: readonly Step[]): Command<number> {
      const was = yield* hold(lane)
      const saved = saving(lane, [
        ask(queries.recallByHand, { lane, now }),
        ask(queries.countDue, { lane, now }),
        ...(isClosed(was) ? [savingOutage(lane, was, now)] : []),
        ask(queries.saveLane, { lane, ...freshLane }),
      ])
      const rows: readonly unknown[][] = yield* together(...more, ...saved)
      const [due] = rows[more.length + 2] as [{ count: number }]
      return Number(due.count)
    },

    /** Renews claims, each named by its key and its owner. What another process has taken over stays with it. */
    *renew(leased: readonly Record<string, string>[], leaseUntil: number): Command<void> {
      yield* alone()
      const [last, ...others] = of.key.map(nameOf).toReversed()
      const common = [...others.toReversed(), 'owner']
      const alike = Map.groupBy(leased, (call) => common.map((name) => call[name]).join(' '))
      const renewing = (group: typeof leased) => {
        const values = [...common.map((name) => group[0]![name]!), ...group.map((call) => call[last!]!)]
        return queries.renew(group.length, [leaseUntil, ...values])
      }
      yield* lastly(...[...alike.values()].flatMap(inGroups).map(renewing))
    },

    /** Gives up a claim: the call is as it was. */
    release: (call: Record<string, string>): Step => ask(queries.release, call),

    /** A call failed: due again at `dueAt`, or never without it. `aboutOne`: the failure is its own, and not of its lane. */
    postpone(
      call: Record<string, string>,
      { dueAt, was, aboutOne }: { dueAt: number | undefined; was: Lane; aboutOne: boolean },
    ): Step {
      const [waits, closed] = [aboutOne ? 0 : 1, isClosed(was) ? 1 : 0]
      return ask(queries.postpone, { ...call, dueAt, waits, closed })
    },
  }
}
