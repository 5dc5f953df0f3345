import { freshLane, isClosed, type Lane } from '../../../payments/lane.ts'
import type { Claim } from '../../../store/webhooks.ts'
import { type Column, type Db, isServer, nameOf } from '../columns.ts'
import {
  type Asked,
  alone,
  ask,
  type Command,
  columnsOf,
  holding,
  lastly,
  type Step,
  together,
} from '../query.ts'
import { type LaneRow, laneFrom } from './call-rows.ts'
import { serverQueries } from './claim-queries.ts'
import { type ClaimOptions, LaneClaims } from './lane-claims.ts'
import { type CallsInLanes, laneQueries, type Names, opens } from './lane-queries.ts'
import { ended, failedIn, isLong } from './lanes.ts'

/** Calls of a lane that have ended together. */
export interface EndedCalls {
  /** When the last one ended. */
  now: number
  /** The lane was full when one of them was claimed. */
  wasFull: boolean
}

/** Claims calls that are due in their lanes, and closes and opens lanes by what becomes of the calls. */
export class LaneCalls<Key extends Names, Due extends object, Call> {
  readonly #of: CallsInLanes<Key, Due, Call>
  readonly #queries: ReturnType<typeof laneQueries<Due>>
  readonly #onServer: ReturnType<typeof serverQueries> | undefined
  readonly #claims: LaneClaims<Key, Due, Call>

  constructor(tables: Db, of: CallsInLanes<Key, Due, Call>) {
    this.#of = of
    this.#queries = laneQueries<Due>(tables, of)
    this.#onServer = isServer(tables) ? serverQueries(tables, of) : undefined
    this.#claims = new LaneClaims(tables, of, this.#queries)
  }

  look(lane: Key): Asked<LaneRow & { is_full?: number }> {
    return ask(this.#queries.laneOf, lane)
  }

  /** The lane is looked into as soon as a call is due that the command adds or takes away. */
  lookSooner(lane: Key): Step {
    return this.#inLane(lane, ask(this.#queries.lookSooner, lane))
  }

  /** A call of the lane has ended: if it was full, the next calls are due. A claim may be filling it at this moment. */
  makeRoom(lane: Key): Step[] {
    const { lock, takeAgain } = this.#queries
    return [ask(lock, lane), ask(takeAgain, lane)].map((step) => this.#inLane(lane, step))
  }

  /** Commands change the row of a lane without holding it, so these steps come last. */
  #inLane<Asks extends Step>(lane: Key, step: Asks): Asks {
    return { ...step, shared: this.#of.holds(lane) }
  }

  /** Writes these of a held lane, and when its next call is due. */
  #saving(lane: Key, steps: readonly Step[]): Step[] {
    const { lock, lookAgain } = this.#queries
    return [ask(lock, lane), ...steps, ask(lookAgain, lane)].map((step) => this.#inLane(lane, step))
  }

  *hold(lane: Key): Command<Lane> {
    yield* holding(this.#of.holds(lane))
    const [[row]] = yield* together(this.look(lane))
    return row ? laneFrom(row) : freshLane
  }

  /**
   * Closes or opens a held lane and writes `more` with it. Opening makes its calls due at once, closing makes them wait again. A call that
   * fails once more beside good ones keeps its own schedule.
   */
  *change(
    lane: Key,
    { was, becomes, now, more }: { was: Lane; becomes: Lane; now: number; more: readonly Step[] },
  ): Command<void> {
    const { release, saveOutage, waitAgain, saveLane } = this.#queries
    const isOpened = opens(was, becomes)
    const closes = !isClosed(was) && isClosed(becomes)
    const isWell = this.#of.recallsAtSuccess === true && was.failures > 0 && becomes.failures === 0
    yield* lastly(
      ...more,
      ...this.#saving(lane, [
        ...(isOpened || isWell ? [ask(release, { ...lane, now, long: isLong(was, now) })] : []),
        ...(isOpened ? [ask(saveOutage, { ...lane, ...ended(was, now) })] : []),
        ...(closes ? [ask(waitAgain, { ...lane, now })] : []),
        ...(was === becomes ? [] : [ask(saveLane, { ...lane, ...becomes })]),
      ]),
    )
  }

  /** Opens a lane unconditionally, and writes `more` with it. */
  *open(lane: Key, now: number, more: readonly Step[]): Command<void> {
    const was = yield* this.hold(lane)
    yield* this.change(lane, { was, becomes: freshLane, now, more })
  }

  /** A person opens the lane, closed or not: what it may have made fail is due at once. Returns the number of due calls. */
  *openByHand(lane: Key, now: number, more: readonly Step[]): Command<number> {
    const { recall, countDue, saveOutage, saveLane } = this.#queries
    const was = yield* this.hold(lane)
    const rows: readonly unknown[][] = yield* together(
      ...more,
      ...this.#saving(lane, [
        ask(recall, { ...lane, now }),
        ask(countDue, { ...lane, now }),
        ...(isClosed(was) ? [ask(saveOutage, { ...lane, ...ended(was, now) })] : []),
        ask(saveLane, { ...lane, ...freshLane }),
      ]),
    )
    const [due] = rows[more.length + 2] as [{ count: number }]
    return Number(due.count)
  }

  /**
   * As `makeRoom` for many lanes on a server: looks into those that are or were full. One that another transaction has locked is left to that
   * one. A look into a lane that has no room changes nothing.
   */
  makeRoomIn(lanes: readonly (EndedCalls & Key)[]): Step {
    const { byLane } = this.#of
    const rows = lanes.map((lane) => ({
      ...rowOf(lane, byLane),
      ended_at: lane.now,
      was_full: lane.wasFull ? 1 : 0,
    }))
    return ask(this.#onServer!.lookInto, columnsOf(rows, [...byLane, 'ended_at', 'was_full']))
  }

  /**
   * Takes what is due. The command runs alone in its transaction. It relies on the rows that it locks: lanes and calls that another transaction
   * has locked are left to that one or to the next claim, and a call that is added meanwhile makes its lane due earlier once this has ended.
   */
  claim(claim: Claim, options?: Partial<ClaimOptions>): Command<Call[]> {
    return this.#claims.claim(claim, options)
  }

  *renew(leased: readonly Names[], leaseUntil: number): Command<void> {
    yield* alone()
    const names = [...this.#of.byCall, 'owner'] as const
    const rows = leased.map((one) => rowOf(one, names))
    if (this.#onServer) yield* lastly(ask(this.#onServer.renew, { ...columnsOf(rows, names), leaseUntil }))
    else yield* lastly(...leased.map((call) => ask(this.#queries.renew, { ...call, leaseUntil })))
  }

  /** A call failed: due again at `dueAt`, or never without it. `aboutOne`: the failure is its own, and not of its lane. */
  postpone(
    call: Names,
    { dueAt, was, aboutOne }: { dueAt: number | undefined; was: Lane; aboutOne: boolean },
  ): Step {
    return ask(this.#queries.postpone, { ...call, dueAt, ...failedIn(was, aboutOne) })
  }
}

const rowOf = (values: object, names: readonly Column[]) =>
  Object.fromEntries(names.map((name) => [name, values[nameOf(name) as never]]))
