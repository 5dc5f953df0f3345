import { isClosed, type Lane, openAtOnce, refusedPlaces } from '../../payments/lane.ts'
import type { Claim } from '../../store/webhooks.ts'
import { type Claimed, type LaneRow, laneFrom } from './call-rows.ts'
import { claimQueries, type DueRow } from './claim-queries.ts'
import { type Db, nameOf, valuesIn } from './columns.ts'
import type { CallsInLanes, Names } from './lane-queries.ts'
import { lookedAt, takeFrom } from './lanes.ts'
import { ask, type Command, columnsOf, lastly, lastlyAsking, type Step, together } from './query.ts'

/** The most lanes of one look: those that are due first may have nothing free. */
const mostLanes = 256
/**
 * A lane that is full is looked into again after this time, in milliseconds. The end of one of its calls makes it due earlier, unless another
 * process ends that call without knowing that the lane is full, or has the lane locked at that moment: a look may lock a lane that it does not take.
 */
const againAfter = 1_000

export interface ClaimOptions {
  among: Names
  /** Steps of the first flight. */
  before: readonly Step[]
  /** Gets the rows of these steps. */
  answered: ((rows: readonly unknown[][]) => void) | undefined
}

/** Calls of a lane that have ended together. */
export interface EndedCalls {
  /** When the last one ended. */
  now: number
  /** The lane was full when one of them was claimed. */
  wasFull: boolean
}

/** A lane that a claim has locked, and what it takes of it. */
interface Locked<Key> {
  key: string
  lane: Key
  row: LaneRow
  state: Lane
}

/**
 * Claims on a server, in three flights whatever number of calls and lanes: lock the lanes, look at their calls, lease them with the commit. Lanes and calls
 * that another client has locked are left out. The look comes after the locks, so it sees every call that was added before.
 */
export class LaneClaims<Key extends Names, Due extends object, Call> {
  readonly #of: CallsInLanes<Key, Due, Call>
  readonly #queries: ReturnType<typeof claimQueries<Due>>
  readonly #laneIn: (row: object) => Key
  readonly #keyOfLane: (row: object) => string
  readonly #keyOfCall: (row: object) => string

  constructor(tables: Db, of: CallsInLanes<Key, Due, Call>) {
    this.#of = of
    this.#queries = claimQueries<Due>(tables, of as unknown as CallsInLanes<Names, Due, unknown>)
    this.#laneIn = valuesIn<Key>(of.byLane)
    this.#keyOfLane = keyBy(of.byLane)
    this.#keyOfCall = keyBy(of.byCall)
  }

  /** `among` names the lanes of one adapter. */
  *claim(claim: Claim, { among, before, answered }: ClaimOptions): Command<Call[]> {
    const { now, limit, perLane } = claim
    const claimed: Call[] = []
    const refused = refusedPlaces(perLane).atMost
    let first = before
    for (;;) {
      const wanted = limit - claimed.length
      const values = { ...among, now, wanted, perLane, refused, lanes: mostLanes }
      const answers: readonly unknown[][] = yield* together(...first, ask(this.#queries.lockLanes, values))
      const found = answers.at(-1) as (LaneRow & { planned: number })[]
      if (first.length > 0) answered?.(answers)
      first = []
      const { taken, isLast } = yield* this.#takeFrom(found, claim, wanted)
      claimed.push(...taken)
      if (isLast) return claimed
    }
  }

  *#takeFrom(
    found: readonly (LaneRow & { planned: number })[],
    claim: Claim,
    wanted: number,
  ): Command<{ taken: Call[]; isLast: boolean }> {
    if (found.length === 0) return { taken: [], isLast: true }
    const { now, leaseUntil, perLane, owner } = claim
    const { byLane, byCall, callFrom } = this.#of
    const locked = found.map((row): Locked<Key> => {
      return { key: this.#keyOfLane(row), lane: this.#laneIn(row), row, state: laneFrom(row) }
    })
    const [later, due] = yield* this.#look(locked, claim)
    const looks: object[] = []
    const taken = new Map<string, { row: DueRow; claimed: Claimed<Key> }>()
    for (const { key, lane, row, state } of locked) {
      const ofLane = due.get(key) ?? []
      const took = takeFrom(state, {
        fresh: ofLane.filter(({ is_refused }) => is_refused === 0),
        refused: ofLane.filter(({ is_refused }) => is_refused === 1),
        after: later.get(key),
        most: openAtOnce(state, perLane),
        room: wanted - taken.size,
        ...{ now, leaseUntil },
      })
      const { full, nextDue } = took
      for (const one of took.taken) {
        const claimed = { lane, owner, full, probe: isClosed(state) }
        taken.set(this.#keyOfCall(one), { row: one, claimed })
      }
      const next_at = full ? Math.min(nextDue!, now + againAfter) : nextDue
      // A lane without a place in this claim keeps its place among the lanes.
      if (took.taken.length > 0 || nextDue !== now)
        looks.push({ ...row, next_at, becomes_full: full ? 1 : 0 })
    }
    const lookAt = ask(this.#queries.lookAt, columnsOf(looks, [...byLane, 'next_at', 'becomes_full']))
    if (taken.size === 0) {
      yield* lastly(lookAt)
      return { taken: [], isLast: true }
    }
    // Fewer than there may be: others have locked some.
    const isLast = taken.size >= wanted || found[0]!.planned < wanted
    const keys = columnsOf(
      [...taken.values()].map(({ row }) => row),
      byCall,
    )
    const lease = ask(this.#queries.lease, { ...keys, now, leaseUntil, owner })
    // A lease whose answer was lost ends, and the call is claimed again.
    const [leased] = isLast ? yield* lastlyAsking(lease, lookAt) : yield* together(lease, lookAt)
    const rows = new Map(leased.map((row) => [this.#keyOfCall(row), row]))
    const calls = [...taken].flatMap(([key, { row: before, claimed }]) => {
      const row = rows.get(key)
      return row ? [callFrom({ ...row, owner: before.owner }, claimed)] : []
    })
    return { taken: calls, isLast }
  }

  /** Of each lane the time of its first call that is not due yet, and its due calls. */
  *#look(
    locked: readonly Locked<Key>[],
    { now, perLane }: Claim,
  ): Command<[Map<string, number | undefined>, Map<string, DueRow[]>]> {
    const { byLane } = this.#of
    const { later, due, probe } = this.#queries
    const refused = lookedAt(refusedPlaces(perLane).atMost)
    const rowsOfLanes = (lanes: readonly Locked<Key>[]) =>
      columnsOf(
        lanes.map(({ row }) => row),
        byLane,
      )
    const open = locked.filter(({ state }) => !isClosed(state))
    const closed = locked.filter(({ state }) => isClosed(state))
    const [afterwards, ...found] = yield* together(
      ask(later, { ...rowsOfLanes(locked), now }),
      ask(due, { ...rowsOfLanes(open), now, fresh: lookedAt(perLane), refused }),
      ...closed.map(({ lane }) => ask(probe, { ...lane, now })),
    )
    return [
      new Map(afterwards.map((row) => [this.#keyOfLane(row), row.due_at ?? undefined])),
      Map.groupBy(found.flat() as DueRow[], this.#keyOfLane),
    ]
  }

  renew(leased: readonly Names[], leaseUntil: number): Step {
    const names = [...this.#of.byCall, 'owner'] as const
    const rows = leased.map((one) => Object.fromEntries(names.map((name) => [name, one[nameOf(name)]])))
    return ask(this.#queries.renew, { ...columnsOf(rows, names), leaseUntil })
  }

  /**
   * Looks into lanes that are or were full, after calls have ended in them. One that another client has locked is left to that one. A look
   * into a lane that has no room changes nothing.
   */
  makeRoom(lanes: readonly (EndedCalls & Key)[]): Step {
    const { byLane } = this.#of
    const rows = lanes.map((lane) => ({
      ...Object.fromEntries(byLane.map((name) => [name, lane[nameOf(name) as keyof Key]])),
      ended_at: lane.now,
      was_full: lane.wasFull ? 1 : 0,
    }))
    return ask(this.#queries.lookInto, columnsOf(rows, [...byLane, 'ended_at', 'was_full']))
  }
}

const keyBy = (names: readonly string[]) => (row: object) =>
  names.map((name) => row[name as keyof typeof row]).join(' ')
