import { type Db, nameOf } from '../store/columns.ts'
import {
  alone,
  type Command,
  eachFor,
  holding,
  inGroups,
  lastly,
  type Step,
  together,
} from '../store/query.ts'
import { laneClaims } from './lane-claims.ts'
import { type CallsInLanes, type LaneQueries, laneQueries } from './lane-queries.ts'
import { afterFailure, freshLane, isClosed, type Lane, type LaneNames, laneFrom } from './lanes.ts'

/** Beside good calls a lane that single calls have closed opens sooner: an outage is long from here on, in milliseconds. */
const longOutage = 15 * 60_000

/** The values that name a call, and its owner. */
type Call = Readonly<Record<string, string>>

/** The other side failed. Times are in milliseconds. */
interface Failure {
  failure: string | undefined
  /** It asked for so long without a call. */
  pause?: number | undefined
  /** It was down for so long before: since the call began. */
  took?: number
}

/**
 * The end of a claimed call. `done`: its other side works. `failed`: due again at `dueAt`, or never without it; `refused`: so too, and the
 * failure is its own and not of its lane. `given up` says nothing of the lane.
 */
export type Outcome =
  | { is: 'done' }
  | { is: 'given up' }
  | ({ is: 'refused' | 'failed'; dueAt: number | undefined } & Failure)

const holdOf = (lane: string) => `lane ${lane}`
/** Commands change the row of a lane without holding it, so these steps come last. */
const inLane = (lane: string, ...steps: Step[]): Step[] =>
  steps.map((step) => ({ ...step, shared: holdOf(lane) }))

function laneAfter(of: CallsInLanes, was: Lane, outcome: Outcome, now: number): Lane {
  if (outcome.is === 'done') return was.failures > 0 ? freshLane : was
  if (outcome.is === 'refused') return of.refusalOpens && isClosed(was) ? freshLane : was
  if (outcome.is === 'given up') return was
  const { failure, pause, took = 0 } = outcome
  return afterFailure(was, { now, failure, pause, pace: { ...of.pace, longest: of.pace.longest - took } })
}

/** Claims calls that are due in their lanes, and closes and opens lanes by what becomes of the calls. */
export function laneCalls<Due extends object>(db: Db, of: CallsInLanes) {
  const queries = laneQueries<Due>(db, of)

  function* hold(lane: string): Command<Lane> {
    yield* holding(holdOf(lane))
    return (yield* known(lane)) ?? freshLane
  }

  function* known(lane: string): Command<Lane | undefined> {
    const [[row]] = yield* together(queries.laneOf({ lane }))
    return row && laneFrom(row)
  }

  /** Closes or opens a held lane: opening makes its calls due at once, closing makes them wait again. */
  function changing(
    lane: string,
    { was, becomes, now, byHand }: { was: Lane; becomes: Lane; now: number; byHand?: true },
  ): Step[] {
    const opens = isClosed(was) && !isClosed(becomes)
    const closes = !isClosed(was) && isClosed(becomes)
    const isWell = of.recallsAtSuccess === true && was.failures > 0 && becomes.failures === 0
    const long = byHand || now - (was.closedAt ?? now) < longOutage ? 0 : 1
    const recall = byHand ? queries.recallByHand : queries.recall
    const began = was.failingSince ?? was.closedAt ?? now
    return inLane(
      lane,
      queries.lock({ lane }),
      ...(byHand || opens || isWell ? [recall({ lane, now, long })] : []),
      ...(opens ? [queries.saveOutage({ lane, began, now, failure: was.lastFailure })] : []),
      ...(closes ? [queries.waitAgain({ lane, now })] : []),
      ...(was === becomes ? [] : [queries.saveLane({ lane, ...becomes })]),
      queries.lookAgain({ lane }),
    )
  }

  /** A call of these lanes has ended at this time: if one was full, its next calls are due. A claim may be filling it at this moment. */
  const makeRoom = (lanes: Iterable<string>, now: number): Step[] =>
    inGroups([...lanes]).map((group) => ({
      ...queries.makeRoom(group.length, [now, ...group]),
      shared: holdOf(group[0]!),
    }))

  return {
    ...manyCalls(of, queries),
    known,
    makeRoom,

    /**
     * Takes what is due. The command runs alone in its transaction. It relies on the rows that it locks: lanes and calls that another transaction
     * has locked are left to that one or to the next claim, and a call that is added meanwhile makes its lane due earlier once this has ended.
     */
    claim: laneClaims(db, of, queries),

    /** The lane is looked into as soon as a call is due that the command adds or takes away. */
    lookSooner: (names: LaneNames): Step[] => inLane(names.lane, queries.lookSooner(names)),

    /**
     * Ends the claim of a call by what became of it, and writes `more` with it. A success opens a lane that fails, and failures in a row close one.
     * `seen` is the lane, where the command has looked at it. Returns when it is due again: in a closed lane that only due calls probe with its next probe, however few wait there.
     */
    *settle(
      { lane, ...call }: Call & { lane: string },
      outcome: Outcome,
      now: number,
      more: readonly Step[],
      seen?: Lane,
    ): Command<number | undefined> {
      if (outcome.is === 'done') {
        const { failures } = seen ?? (yield* known(lane)) ?? freshLane
        if (failures === 0) {
          yield* lastly(...more)
          return undefined
        }
      }
      const was = yield* hold(lane)
      const becomes = laneAfter(of, was, outcome, now)
      const steps = [...more]
      let dueAt: number | undefined
      if ('dueAt' in outcome) {
        const { is, failure, pause = 0 } = outcome
        const probe = is === 'failed' && !of.probesAll ? becomes.probeAt : undefined
        dueAt = probe === undefined ? outcome.dueAt : Math.max(probe, now + pause)
        const [aboutOne, closed] = [is === 'refused' ? 1 : 0, isClosed(was) ? 1 : 0]
        steps.push(queries.postpone({ ...call, dueAt, aboutOne, closed, failure }))
      }
      yield* lastly(...steps, ...changing(lane, { was, becomes, now }))
      return dueAt
    },

    /** Opens a lane unconditionally, and writes `more` with it. */
    *open(lane: string, now: number, more: readonly Step[]): Command<void> {
      yield* lastly(...more, ...changing(lane, { was: yield* hold(lane), becomes: freshLane, now }))
    },

    /** A person opens the lane, closed or not: what it may have made fail is due at once. Returns the number of due calls. */
    *openByHand(lane: string, now: number, more: readonly Step[]): Command<number> {
      const steps = changing(lane, { was: yield* hold(lane), becomes: freshLane, now, byHand: true })
      const rows: readonly unknown[][] = yield* together(...more, ...steps, queries.countDue({ lane, now }))
      return (rows.at(-1) as [{ count: number }])[0].count
    },

    /** Gives up a claim: the call is as it was. */
    release: (call: Call): Step => queries.release(call),
  }
}

function manyCalls<Due>(of: CallsInLanes, queries: LaneQueries<Due>) {
  const versioned = [...of.key, 'version'] as const
  const ending = [...of.key, 'owner', 'version'] as const
  const wordsOf = (row: object, names: readonly string[]) => names.map((name) => row[name as never]).join(' ')

  return {
    /** Ends calls that went well, many at a time, and returns those that it ended. `damaged` gets those that a damaged page stops. */
    *endMany<Of>(
      given: readonly Of[],
      valuesOf: (one: Of) => Readonly<Record<string, string | number>>,
      damaged: (group: readonly Of[]) => void,
    ): Command<Of[]> {
      // A row ends once.
      const ends = new Map(given.map((one) => [wordsOf(valuesOf(one), versioned.map(nameOf)), one]))
      const steps = inGroups([...ends.values()]).map((group) => {
        const values = group.map(valuesOf).flatMap((call) => ending.map((name) => call[nameOf(name)]!))
        return [group, queries.endMany(group.length, values)] as const
      })
      const rows = (yield* eachFor(steps, damaged)).flat()
      return rows.map((row) => ends.get(wordsOf(row as object, versioned))!)
    },

    /** Renews claims, each named by its key and its owner. What another process has taken over stays with it. */
    *renew(leased: readonly Call[], leaseUntil: number): Command<void> {
      yield* alone()
      const [last, ...others] = of.key.map(nameOf).toReversed()
      const common = [...others.toReversed(), 'owner']
      const alike = Map.groupBy(leased, (call) => common.map((name) => call[name]).join(' '))
      const renewing = (group: readonly Call[]) => {
        const values = [...common.map((name) => group[0]![name]!), ...group.map((call) => call[last!]!)]
        return queries.renew(group.length, [leaseUntil, ...values])
      }
      yield* lastly(...[...alike.values()].flatMap(inGroups).map(renewing))
    },
  }
}
