import { isClosed, type Lane, openAtOnce, refusedPlaces } from '../../../payments/lane.ts'
import type { Claim } from '../../../store/webhooks.ts'
import { type Column, type Db, isServer, nameOf, valuesIn } from '../columns.ts'
import { ask, type Command, eachFor, inGroups, lastlyAsking, type Step, together } from '../query.ts'
import { type LaneRow, laneFrom } from './call-rows.ts'
import type { CallsInLanes, Looked, laneQueries, Names } from './lane-queries.ts'
import { DamagedLanes, lookedAt, takeFrom } from './lanes.ts'

/** The most lanes of one look: those that are due first may have nothing free. */
const mostLanes = 256
/**
 * On a server a lane that is full is looked into again after this time, in milliseconds. The end of one of its calls makes it due earlier,
 * unless another process ends that call without knowing that the lane is full, or has the lane locked at that moment.
 */
const againAfter = 1_000

export interface ClaimOptions {
  among: Names
  /** Steps of the first flight. */
  before: readonly Step[]
  /** Gets the rows of these steps. */
  answered: ((rows: readonly unknown[][]) => void) | undefined
}

/** A due lane. `planned` counts the due calls of all that were found together, on a server. */
type DueLane = LaneRow & { planned?: number }

/** A lane that a claim looks into. */
interface Known<Key> {
  lane: Key
  state: Lane
}

/**
 * Claims in three flights: find lanes, look at their calls, lease them with the commit. A server locks the lanes that are found, and leaves out
 * lanes and calls that another client has locked. The look comes after the locks, so it sees every call that was added before.
 */
export class LaneClaims<Key extends Names, Due extends object, Call> {
  readonly #of: CallsInLanes<Key, Due, Call>
  readonly #queries: ReturnType<typeof laneQueries<Due>>
  readonly #locks: boolean
  readonly #damaged = new DamagedLanes()
  readonly #laneIn: (row: object) => Key

  constructor(tables: Db, of: CallsInLanes<Key, Due, Call>, queries: ReturnType<typeof laneQueries<Due>>) {
    this.#of = of
    this.#queries = queries
    this.#locks = isServer(tables)
    this.#laneIn = valuesIn<Key>(of.byLane)
  }

  /** `among` names the lanes of one adapter. */
  *claim(claim: Claim, { among = {}, before = [], answered }: Partial<ClaimOptions> = {}): Command<Call[]> {
    const { now, limit, perLane } = claim
    const refused = refusedPlaces(perLane).atMost
    const claimed: Call[] = []
    let first = before
    for (;;) {
      const wanted = limit - claimed.length
      const values = { ...among, now, wanted, perLane, refused, lanes: Math.max(limit, mostLanes) }
      const rows: readonly unknown[][] = yield* together(...first, ask(this.#queries.dueLanes, values))
      if (first.length > 0) answered?.(rows)
      first = []
      const found = rows.at(-1) as DueLane[]
      // Fewer than there may be: others have locked some.
      const mayBeMore = (found[0]?.planned ?? 0) >= wanted
      const left = yield* this.#withoutDamaged(found, now)
      let isLast = true
      while (left.length > 0 && claimed.length < limit) {
        const some = left.splice(0, this.#locks ? left.length : Math.ceil((limit - claimed.length) / perLane))
        const took = yield* this.#takeFrom(some, claim, { room: limit - claimed.length, mayBeMore })
        claimed.push(...took.calls)
        isLast = took.isLast
      }
      if (isLast) return claimed
    }
  }

  /** Claims look at a damaged lane again when its rest is over. */
  *#withoutDamaged(found: readonly LaneRow[], now: number): Command<Known<Key>[]> {
    const known = found.map((row) => {
      const lane = this.#laneIn(row)
      return { lane, state: laneFrom(row), restsUntil: this.#damaged.restsUntil(this.#of.holds(lane), now) }
    })
    const resting = known.filter(({ restsUntil }) => restsUntil !== undefined)
    const steps = resting.map(({ lane, restsUntil }) =>
      this.#lookAt([{ lane, nextDue: restsUntil, full: false }]),
    )
    if (steps.length > 0) yield* together(...steps)
    return known.filter(({ restsUntil }) => restsUntil === undefined)
  }

  *#takeFrom(
    lanes: readonly Known<Key>[],
    claim: Claim,
    { room, mayBeMore }: { room: number; mayBeMore: boolean },
  ): Command<{ calls: Call[]; isLast: boolean }> {
    const { now, leaseUntil, owner, perLane } = claim
    const isDamaged = (lane: Key) => this.#damaged.add(this.#of.holds(lane), now)
    const found = yield* eachFor(
      lanes.map((one) => [one.lane, this.#look(one, claim)] as const),
      isDamaged,
    )
    const taken: { lane: Key; row: Looked<Due>; call: Call }[] = []
    const looks = lanes.flatMap(({ lane, state }, place) => {
      const rows = found[place] as Looked<Due>[]
      const { full, ...took } = takeFrom(state, {
        fresh: rows.filter(({ is_refused }) => is_refused === 0),
        refused: rows.filter(({ is_refused }) => is_refused === 1),
        after: rows[0]!.later ?? undefined,
        most: openAtOnce(state, perLane),
        ...{ room: room - taken.length, now, leaseUntil },
      })
      const claimed = { lane, owner, full, probe: isClosed(state) }
      taken.push(...took.taken.map((row) => ({ lane, row, call: this.#of.callFrom(row, claimed) })))
      const nextDue = full && this.#locks ? Math.min(took.nextDue!, now + againAfter) : took.nextDue
      // A lane without a place in this claim keeps its place among the lanes.
      return took.taken.length === 0 && nextDue === now ? [] : [{ lane, nextDue, full }]
    })
    const ofLanes = [...Map.groupBy(taken, ({ lane }) => lane).values()]
    const leases = ofLanes
      .flatMap(inGroups)
      .map((group) => [group[0]!.lane, this.#lease(group, claim)] as const)
    // One statement is about many lanes on a server. In the process a damaged page stops one lane only.
    const groups = this.#locks ? inGroups(looks) : looks.map((look) => [look])
    const steps = [...leases, ...groups.map((group) => [group[0]!.lane, this.#lookAt(group)] as const)]
    const isLast = !mayBeMore || taken.length === room || taken.length === 0
    // A lease whose answer was lost ends, and the call is claimed again.
    const answers: unknown[][] =
      isLast && this.#locks
        ? yield* lastlyAsking(...steps.map(([, step]) => step))
        : yield* eachFor(steps, isDamaged)
    const leased = new Set(answers.slice(0, leases.length).flat().map(this.#keyOf))
    const mine = taken.filter(({ row }) => !this.#locks || leased.has(this.#keyOf(row)))
    return { calls: mine.map(({ call }) => call), isLast }
  }

  /** The query that finds what is due in a lane. */
  #look({ lane, state }: Known<Key>, { now, perLane }: Claim): Step {
    const { probe, due } = this.#queries
    const refused = lookedAt(refusedPlaces(perLane).atMost)
    return ask(isClosed(state) ? probe : due, { ...lane, now, fresh: lookedAt(perLane), refused })
  }

  #lease(group: readonly { row: object }[], { leaseUntil, owner, now }: Claim): Step {
    const { byCall } = this.#of
    const textOf = ({ row }: { row: object }, name: Column) => row[name as never] as string
    const common = byCall.slice(0, -1).map((name) => textOf(group[0]!, name))
    const ofEach = group.map((one) => textOf(one, byCall.at(-1)!))
    return this.#queries.lease(group.length, [leaseUntil, owner, ...common, ...ofEach, now])
  }

  #lookAt(group: readonly { lane: Key; nextDue: number | undefined; full: boolean }[]): Step {
    const { byLane, countsFull } = this.#of
    const values = group.flatMap(({ lane, nextDue = null, full }) => [
      ...byLane.map((name) => lane[nameOf(name)]!),
      nextDue,
      ...(countsFull ? [full ? 1 : 0] : []),
    ])
    return this.#queries.lookAt(group.length, values)
  }

  readonly #keyOf = (row: unknown): string =>
    this.#of.byCall.map((name) => (row as object)[name as never]).join(' ')
}
