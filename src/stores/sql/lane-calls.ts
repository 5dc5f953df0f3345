import { freshLane, isClosed, type Lane, openAtOnce, refusedPlaces } from '../../payments/lane.ts'
import type { Claim } from '../../store/webhooks.ts'
import { type LaneRow, laneFrom } from './call-rows.ts'
import { type Db, isServer, valuesIn } from './columns.ts'
import { type ClaimOptions, type EndedCalls, LaneClaims } from './lane-claims.ts'
import { type CallsInLanes, laneQueries, type Names, opens } from './lane-queries.ts'
import { DamagedLanes, ended, failedIn, isLong, lookedAt, takeFrom } from './lanes.ts'
import {
  type Asked,
  all,
  alone,
  ask,
  type Command,
  eachFor,
  holding,
  inGroups,
  lastly,
  type Query,
  type Step,
  together,
  type Value,
} from './query.ts'

/** A row that a look found. */
type Looked<Due> = Due & { leased_until: number | null }

/** Claims calls that are due in their lanes, and closes and opens lanes by what becomes of the calls. */
export class LaneCalls<Key extends Names, Due extends object, Call> {
  readonly #of: CallsInLanes<Key, Due, Call>
  readonly #queries: ReturnType<typeof laneQueries<Due>>
  readonly #onServer: LaneClaims<Key, Due, Call> | undefined
  readonly #damaged = new DamagedLanes()
  readonly #laneIn: (row: object) => Key

  constructor(tables: Db, of: CallsInLanes<Key, Due, Call>) {
    this.#of = of
    this.#queries = laneQueries<Due>(tables, of)
    this.#onServer = isServer(tables) ? new LaneClaims(tables, of) : undefined
    this.#laneIn = valuesIn<Key>(of.byLane)
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

  /** As `makeRoom` for many lanes on a server: one that another transaction has locked is left to that one. */
  makeRoomIn(lanes: readonly (EndedCalls & Key)[]): Step {
    return this.#onServer!.makeRoom(lanes)
  }

  /**
   * Takes what is due, after the steps `before`. `dueLanes` finds lanes, `among` names those of one adapter. The command runs alone in its transaction. It relies on the
   * rows that it locks: lanes and calls that another transaction has locked are left to that one or to the next claim, and a call that is
   * added meanwhile makes its lane due earlier once this has ended.
   */
  *claim(
    dueLanes: Query<LaneRow>,
    claim: Claim,
    { among = {}, before = [], answered }: Partial<ClaimOptions> = {},
  ): Command<Call[]> {
    const { now, limit, perLane } = claim
    if (this.#onServer) return yield* this.#onServer.claim(claim, { among, before, answered })
    if (before.length > 0) yield* together(...before)
    const found = yield* all(dueLanes, { ...among, now, limit: lanesFor(limit) })
    const claimed: Call[] = []
    const isDamaged = (lane: Key) => this.#damaged.add(this.#of.holds(lane), now)
    const left = yield* this.#withoutDamaged(found, now)
    while (left.length > 0 && claimed.length < limit) {
      // At most as many as are still wanted.
      const some = left.splice(0, Math.ceil((limit - claimed.length) / perLane))
      const looked = yield* eachFor(
        some.flatMap((one) => this.#lookInto(one, claim)),
        isDamaged,
      )
      const changes = some.flatMap((one) => {
        const rows = looked.splice(0, isClosed(one.state) ? 2 : 3)
        const { calls, steps } = this.#take(one, rows, claim, limit - claimed.length)
        claimed.push(...calls)
        return steps.map((step) => [one.lane, step] as const)
      })
      yield* eachFor(changes, isDamaged)
    }
    return claimed
  }

  /** Claims look at a damaged lane again when its rest is over. */
  *#withoutDamaged(found: readonly LaneRow[], now: number): Command<Known<Key>[]> {
    const known = found.map((row) => {
      const lane = this.#laneIn(row)
      return { lane, state: laneFrom(row), restsUntil: this.#damaged.restsUntil(this.#of.holds(lane), now) }
    })
    const resting = known.filter(({ restsUntil }) => restsUntil !== undefined)
    const steps = resting.map(({ lane, restsUntil }) =>
      ask(this.#queries.lookAt, { ...lane, nextDue: restsUntil, full: 0 }),
    )
    if (steps.length > 0) yield* together(...steps)
    return known.filter(({ restsUntil }) => restsUntil === undefined)
  }

  /** The queries that find what is due in a lane. */
  #lookInto({ lane, state }: Known<Key>, { now, perLane }: Claim): (readonly [Key, Step])[] {
    const { earliestAfter, probe, dueFresh, dueRefused } = this.#queries
    const at = { ...lane, now }
    const most = openAtOnce(state, perLane)
    const inLane = isClosed(state)
      ? [ask(probe, at)]
      : [
          ask(dueFresh, { ...at, limit: lookedAt(most) }),
          ask(dueRefused, { ...at, limit: lookedAt(refusedPlaces(most).atMost) }),
        ]
    return [ask(earliestAfter, at), ...inLane].map((step) => [lane, step] as const)
  }

  /** The calls that are taken of those found in a lane, and the steps that lease them. */
  #take(
    { lane, state }: Known<Key>,
    rows: unknown[][],
    { now, leaseUntil, perLane, owner }: Claim,
    room: number,
  ): { calls: Call[]; steps: Step[] } {
    const { lease, lookAt, lookAtEmpty } = this.#queries
    const [[later], fresh, refused = []] = rows as [
      [{ due_at: number | null }],
      Looked<Due>[],
      Looked<Due>[]?,
    ]
    const { taken, full, nextDue, empty } = takeFrom(state, {
      fresh,
      refused,
      after: later.due_at ?? undefined,
      most: openAtOnce(state, perLane),
      ...{ room, now, leaseUntil },
    })
    const calls = taken.map((row) => this.#of.callFrom(row, { lane, owner, full, probe: isClosed(state) }))
    const look = empty
      ? ask(lookAtEmpty, { ...lane, nextDue, now, leaseUntil })
      : ask(lookAt, { ...lane, nextDue, full: full ? 1 : 0 })
    return {
      calls,
      steps: [
        ...inGroups(taken).map((group) => lease(group.length, this.#leased(group, leaseUntil, owner))),
        look,
      ],
    }
  }

  /** The values of a lease: the calls of a lane have all columns of their name but the last in common. */
  #leased(group: readonly object[], leaseUntil: number, owner: string): Value[] {
    const names = this.#of.byCall
    const textOf = (row: object, name: string) => row[name as never] as string
    const common = names.slice(0, -1).map((name) => textOf(group[0]!, name))
    return [leaseUntil, owner, ...common, ...group.map((row) => textOf(row, names.at(-1)!))]
  }

  *renew(leased: readonly Names[], leaseUntil: number): Command<void> {
    yield* alone()
    if (this.#onServer) yield* lastly(this.#onServer.renew(leased, leaseUntil))
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

/** How many lanes a claim may look into: those that are due first may have nothing free. */
const lanesFor = (limit: number): number => Math.max(limit, 64)

/** A lane that a claim looks into. */
interface Known<Key> {
  lane: Key
  state: Lane
}
