import { type Kysely, type RawBuilder, sql } from 'kysely'
import { freshLane, isClosed, type Lane, openAtOnce, refusedPlaces } from '../../payments/lane.ts'
import type { Claim } from '../../store.ts'
import {
  type Column,
  columns,
  isServer,
  lockRows,
  matching,
  type Place,
  skipLocked,
  valuesIn,
} from './columns.ts'
import { firstDue, hasCall, inFront, isFresh, isRefused } from './fresh-first.ts'
import { ended, outageColumns } from './lane-history.ts'
import {
  DamagedLanes,
  failedIn,
  leasedFirst,
  mayBeRecalled,
  mayWaitAgain,
  recallCounted,
  recalledByHand,
  takeFrom,
  waitsAfter,
  waitsForLane,
} from './lanes.ts'
import {
  type Asked,
  alone,
  ask,
  type Command,
  eachFor,
  holding,
  lastly,
  prepare,
  type Step,
  together,
} from './query.ts'
import { type Claimed, type LaneRow, laneFrom } from './rows.ts'
import type { Alike } from './simple.ts'
import type { Tables } from './tables.ts'

type Names = Record<string, string>

/** Calls that wait in lanes: webhooks by shop and host, pushes by shop and adapter. */
interface CallsInLanes<Key extends Names, Due, Call> {
  calls: 'webhooks' | 'pushes'
  lanes: 'lanes' | 'push_lanes'
  /** The columns that name a lane in both tables, and those that name a call. */
  byLane: readonly Column[]
  byCall: readonly Column[]
  callFrom(row: Due, claimed: Claimed<Key>): Call
  /** The hold of a command that changes the lane. */
  holds(lane: Key): string
  /** Lanes have the column `is_full`. */
  countsFull: boolean
  /** The notes of a failed call, beside the time when it is due again. */
  failed?: (value: Place) => object
}

function laneQueries<Due>(
  tables: Kysely<Tables>,
  { calls, lanes, byLane, byCall, countsFull, failed }: CallsInLanes<Names, Due, unknown>,
) {
  const db = tables as unknown as Kysely<Alike>
  const none = sql<never>`null`
  const zero = sql<never>`0`
  const full = <To>(to: To) => (countsFull ? { is_full: to } : {})
  const names = sql.join(byCall.map((column) => sql.ref(column)))
  const ofLane = (value: Place) => matching(value, ...byLane)
  const dueNow = (value: Place) => sql<boolean>`${ofLane(value)} and due_at <= ${value('now')}`
  const dueLater = (value: Place) => sql<boolean>`${ofLane(value)} and due_at > ${value('now')}`
  const firstOf = (value: Place) => firstDue(calls, sql`${ofLane(value)} and due_at is not null`)
  const dueIn = (value: Place) =>
    sql<never>`case when ${firstOf(value)} < probe_at then probe_at else ${firstOf(value)} end`
  const setLane = (to: (value: Place) => object) =>
    prepare((value) => db.updateTable(lanes).set(to(value)).where(ofLane(value)))
  const claimed = (value: Place) => db.selectFrom(calls).selectAll().where(dueNow(value))
  // A leased webhook was due first, so it comes before the others.
  const dueOf = (kind: RawBuilder<boolean>) =>
    prepare((value) =>
      claimed(value).where(kind).orderBy('due_at').limit(value('limit')).$call(skipLocked(tables)),
    )
  /** Rows that another transaction changes at this moment are left to it, so that neither waits for the other. */
  const unlocked = (...conditions: RawBuilder<boolean>[]) => {
    const meant = sql.join<boolean>(conditions, sql` and `)
    if (!isServer(tables)) return meant
    const rows = db.selectFrom(calls).select(byCall).where(meant).$call(skipLocked(tables))
    return sql<boolean>`(${names}) in ${rows}`
  }
  const dueAtOnce = (waits: RawBuilder<number>, which: RawBuilder<boolean>) =>
    prepare((value) =>
      db
        .updateTable(calls)
        .set({ due_at: value('now'), waits_for_lane: waits as never })
        .where(unlocked(dueLater(value), which, sql`owner is null`)),
    )

  return {
    laneOf: prepare((value) => db.selectFrom(lanes).selectAll().where(ofLane(value))),
    saveLane: setLane((value) =>
      columns(value, 'failures', 'failing_since', 'closed_at', 'probe_at', 'last_failure'),
    ),
    saveOutage: setLane((value) => outageColumns(value, calls, ofLane(value))),
    // Never later than it was: a call that another transaction adds at the same time is not visible here.
    lookSooner: prepare((value) =>
      db
        .insertInto(lanes)
        .values({
          ...columns(value, ...byLane),
          next_due: firstOf(value),
          failures: zero,
          ...full(zero),
        } as never)
        .onConflict((conflict) =>
          conflict.columns(byLane).doUpdateSet({
            next_due: sql`case when excluded.next_due is null or ${sql.ref(`${lanes}.next_due`)} <= excluded.next_due
              then ${sql.ref(`${lanes}.next_due`)}
              when excluded.next_due < ${sql.ref(`${lanes}.probe_at`)} then ${sql.ref(`${lanes}.probe_at`)}
              else excluded.next_due end`,
            ...full(zero),
          } as never),
        ),
    ),
    lock: prepare((value) =>
      db.selectFrom(lanes).select(zero.as('one')).where(ofLane(value)).$call(lockRows(tables)),
    ),
    // For a lane whose row is locked: whoever added a call before has committed it, and whoever adds one now lowers this afterwards.
    lookAgain: setLane((value) => ({ next_due: dueIn(value), ...full(zero) })),
    takeAgain: prepare((value) =>
      db
        .updateTable(lanes)
        .set({ next_due: dueIn(value), ...full(zero) })
        .where(ofLane(value))
        .where(sql<boolean>`is_full = 1`),
    ),
    lookAt: setLane((value) => ({ next_due: value('nextDue'), ...full(value('full')) })),
    lookAtEmpty: setLane((value) => ({
      next_due: sql<never>`case when ${hasCall(calls, dueNow(value))}
        then cast(${value('leaseUntil')} as bigint) else cast(${value('nextDue')} as bigint) end`,
      ...full(zero),
    })),
    earliestAfter: prepare((value) => db.selectNoFrom(firstDue(calls, dueLater(value)).as('due_at'))),
    dueFresh: dueOf(isFresh),
    dueRefused: dueOf(isRefused),
    probe: prepare((value) =>
      db
        .selectFrom(calls)
        .selectAll()
        .where(inFront(calls, byCall, dueNow(value)))
        .orderBy(leasedFirst(value('now')))
        .orderBy('tries')
        .orderBy('due_at')
        .limit(sql<number>`1`)
        .$call(skipLocked(tables)),
    ),
    lease: prepare((value) =>
      db
        .updateTable(calls)
        .set({ leased_until: value('leaseUntil'), owner: value('owner') })
        .where(matching(value, ...byCall)),
    ),
    // A row locked by another client is left to the next renewal, so that the others of the batch do not wait.
    renew: prepare((value) =>
      db
        .updateTable(calls)
        .set({ leased_until: value('leaseUntil') })
        .where(
          sql<boolean>`(${names}) in ${db
            .selectFrom(calls)
            .select(byCall)
            .where(matching(value, ...byCall, 'owner'))
            .$call(skipLocked(tables))}`,
        ),
    ),
    // A call that was refused itself, or failed while others succeeded, keeps its own schedule.
    release: dueAtOnce(recallCounted, waitsForLane),
    recall: dueAtOnce(recalledByHand, mayBeRecalled),
    countDue: prepare((value) =>
      db.selectFrom(calls).select(sql<number>`count(*)`.as('count')).where(dueNow(value)),
    ),
    waitAgain: prepare((value) =>
      db
        .updateTable(calls)
        .set({ waits_for_lane: recallCounted as never })
        .where(unlocked(dueLater(value), mayWaitAgain)),
    ),
    postpone: prepare((value) =>
      db
        .updateTable(calls)
        .set({
          ...columns(value, 'due_at'),
          tries: sql<never>`tries + 1`,
          waits_for_lane: waitsAfter(value) as never,
          owner: none,
          leased_until: none,
          ...failed?.(value),
        })
        .where(matching(value, ...byCall, 'owner'))
        .where('due_at', 'is not', null),
    ),
  }
}

interface Lease {
  leased_until: number | null
}

/** Claims calls that are due in their lanes, and closes and opens lanes by what becomes of the calls. */
export class LaneCalls<Key extends Names, Due extends Lease, Call> {
  readonly #of: CallsInLanes<Key, Due, Call>
  readonly #queries: ReturnType<typeof laneQueries<Due>>
  readonly #damaged = new DamagedLanes()
  readonly #laneIn: (row: object) => Key
  readonly #callIn: (row: object) => Names

  constructor(tables: Kysely<Tables>, of: CallsInLanes<Key, Due, Call>) {
    this.#of = of
    this.#queries = laneQueries<Due>(tables, of)
    this.#laneIn = valuesIn<Key>(of.byLane)
    this.#callIn = valuesIn<Names>(of.byCall)
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

  /** Closes or opens a held lane and writes `more` with it. Opening makes its calls due at once, closing makes them wait again. */
  *change(
    lane: Key,
    { was, becomes, now, more }: { was: Lane; becomes: Lane; now: number; more: readonly Step[] },
  ): Command<void> {
    const { release, saveOutage, waitAgain, saveLane } = this.#queries
    const isOpened = isClosed(was) && !isClosed(becomes)
    const closes = !isClosed(was) && isClosed(becomes)
    yield* lastly(
      ...more,
      ...this.#saving(lane, [
        ...(isOpened
          ? [ask(release, { ...lane, now }), ask(saveOutage, { ...lane, ...ended(was, now) })]
          : []),
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

  /** Takes of these lanes what is due. */
  *claim(found: readonly LaneRow[], claim: Claim): Command<Call[]> {
    const { now, limit, perLane } = claim
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
          ask(dueFresh, { ...at, limit: 2 * most }),
          ask(dueRefused, { ...at, limit: 2 * refusedPlaces(most).atMost }),
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
    const [later, fresh, refused = []] = rows as [[{ due_at: number | null }], Due[], Due[]?]
    const after = later[0].due_at ?? undefined
    const most = openAtOnce(state, perLane)
    const { taken, full, nextDue, empty } = takeFrom(state, {
      fresh,
      refused,
      after,
      most,
      room,
      now,
      leaseUntil,
    })
    const calls = taken.map((row) => this.#of.callFrom(row, { lane, owner, full, probe: isClosed(state) }))
    const look = empty
      ? ask(lookAtEmpty, { ...lane, nextDue, now, leaseUntil })
      : ask(lookAt, { ...lane, nextDue, full: full ? 1 : 0 })
    return {
      calls,
      steps: [...taken.map((row) => ask(lease, { ...this.#callIn(row), leaseUntil, owner })), look],
    }
  }

  *renew(leased: readonly Names[], leaseUntil: number): Command<void> {
    yield* alone()
    yield* lastly(...leased.map((call) => ask(this.#queries.renew, { ...call, leaseUntil })))
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
export const lanesFor = (limit: number): number => Math.max(limit, 64)

/** A lane that a claim looks into. */
interface Known<Key> {
  lane: Key
  state: Lane
}
