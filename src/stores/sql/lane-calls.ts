import { type Kysely, type RawBuilder, sql } from 'kysely'
import { freshLane, isClosed, type Lane, openAtOnce, refusedPlaces } from '../../payments/lane.ts'
import { type Column, columns, matching, type Place, valuesIn } from './columns.ts'
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
  ask,
  type Command,
  eachFor,
  first,
  holding,
  prepare,
  type Step,
  together,
} from './query.ts'
import { type Claimed, type LaneRow, laneFrom } from './rows.ts'
import { skipLocked } from './skip-locked.ts'
import type { Tables } from './tables.ts'

type Names = Record<string, string>

/** Calls that wait in lanes: webhooks by shop and host, pushes by shop and adapter. */
interface CallsInLanes<Key extends Names, Due, Call> {
  calls: 'webhooks' | 'pushes'
  lanes: 'lanes' | 'push_lanes'
  /** The columns that name a lane in both tables, and those that name a call. */
  byLane: readonly Column[]
  byCall: readonly Column[]
  /** What a claim reads of a call that is due. */
  due: readonly Column[]
  /** A call as its claim returns it. */
  callFrom(row: Due, claimed: Claimed<Key>): Call
  /** What a command holds that changes the lane. */
  holds(lane: Key): string
  /** Lanes have the column `is_full`. */
  countsFull: boolean
  /** What is noted of a call that failed beside when it is due again. */
  failed?: (value: Place) => object
}

/** What a claim asks for, and who claims. */
export interface Claim {
  now: number
  leaseUntil: number
  limit: number
  perLane: number
  owner: string
}

/** Both tables of calls, and both tables of lanes, by the columns that they share. */
type Alike = Record<string, Record<Column, never>>

/** Claims calls that are due in their lanes, and closes and opens lanes by what becomes of the calls. */
export function laneCalls<Key extends Names, Due extends { held_until: number | null }, Call>(
  tables: Kysely<Tables>,
  { calls, lanes, byLane, byCall, due, callFrom, holds, countsFull, failed }: CallsInLanes<Key, Due, Call>,
) {
  const db = tables as unknown as Kysely<Alike>
  const damaged = new DamagedLanes()
  const laneIn = valuesIn<Key>(byLane)
  const callIn = valuesIn<Names>(byCall)
  const dueNow = (value: Place) => sql<boolean>`${matching(value, ...byLane)} and due_at <= ${value('now')}`
  const dueLater = (value: Place) => sql<boolean>`${matching(value, ...byLane)} and due_at > ${value('now')}`
  const full = <To>(to: To) => (countsFull ? { is_full: to } : {})
  const none = sql<never>`null`
  const zero = sql<never>`0`

  const laneOf = prepare((value) =>
    db
      .selectFrom(lanes)
      .selectAll()
      .where(matching(value, ...byLane)),
  )
  const saveLane = prepare((value) =>
    db
      .updateTable(lanes)
      .set(columns(value, 'failures', 'failing_since', 'closed_at', 'probe_at', 'last_failure'))
      .where(matching(value, ...byLane)),
  )
  const saveOutage = prepare((value) =>
    db
      .updateTable(lanes)
      .set(outageColumns(value, calls, matching(value, ...byLane)) as never)
      .where(matching(value, ...byLane)),
  )
  // One statement, so that a webhook owed by another command at the same time is not overlooked.
  const lookAgain = prepare((value) =>
    db
      .insertInto(lanes)
      .values({
        ...columns(value, ...byLane),
        next_due: firstDue(calls, sql`${matching(value, ...byLane)} and due_at is not null`),
        failures: zero,
        ...full(zero),
      } as never)
      .onConflict((conflict) =>
        conflict.columns(byLane).doUpdateSet({
          next_due: sql`case when excluded.next_due < ${sql.ref(`${lanes}.probe_at`)}
            then ${sql.ref(`${lanes}.probe_at`)} else excluded.next_due end`,
          ...full(zero),
        } as never),
      ),
  )
  const lookAt = prepare((value) =>
    db
      .updateTable(lanes)
      .set({ next_due: value('nextDue'), ...full(value('full')) })
      .where(matching(value, ...byLane)),
  )
  const lookAtEmpty = prepare((value) =>
    db
      .updateTable(lanes)
      .set({
        next_due: sql<never>`case when ${hasCall(calls, dueNow(value))}
          then cast(${value('leaseUntil')} as bigint) else cast(${value('nextDue')} as bigint) end`,
        ...full(zero),
      })
      .where(matching(value, ...byLane)),
  )
  const earliestAfter = prepare((value) => db.selectNoFrom(firstDue(calls, dueLater(value)).as('due_at')))
  // A leased webhook was due first, so it comes before the others.
  const dueOf = (kind: RawBuilder<boolean>) =>
    prepare((value) =>
      db
        .selectFrom(calls)
        .select(due)
        .where(dueNow(value))
        .where(kind)
        .orderBy('due_at')
        .limit(value('limit'))
        .$call(skipLocked(tables)),
    )
  const dueFresh = dueOf(isFresh)
  const dueRefused = dueOf(isRefused)
  const probe = prepare((value) =>
    db
      .selectFrom(calls)
      .select(due)
      .where(inFront(calls, byCall, dueNow(value)))
      .orderBy(leasedFirst(value('now')))
      .orderBy('tries')
      .orderBy('due_at')
      .limit(sql<number>`1`)
      .$call(skipLocked(tables)),
  )
  const lease = prepare((value) =>
    db
      .updateTable(calls)
      .set({ held_until: value('leaseUntil'), owner: value('owner') })
      .where(matching(value, ...byCall)),
  )
  const names = sql.join(byCall.map((column) => sql.ref(column)))
  // A row locked by another client is left to the next renewal, so that the others of the batch do not wait.
  const renew = prepare((value) =>
    db
      .updateTable(calls)
      .set({ held_until: value('leaseUntil') })
      .where(
        sql<boolean>`(${names}) in ${db
          .selectFrom(calls)
          .select(byCall)
          .where(matching(value, ...byCall, 'owner'))
          .$call(skipLocked(tables))}`,
      ),
  )
  const dueAtOnce = (waits: RawBuilder<number>, which: RawBuilder<boolean>) =>
    prepare((value) =>
      db
        .updateTable(calls)
        .set({ due_at: value('now'), waits_for_lane: waits as never })
        .where(dueLater(value))
        .where(which)
        .where('owner', 'is', null),
    )
  // A call that was refused itself, or failed while others succeeded, keeps its own schedule.
  const release = dueAtOnce(recallCounted, waitsForLane)
  const recall = dueAtOnce(recalledByHand, mayBeRecalled)
  const countDue = prepare((value) =>
    db.selectFrom(calls).select(sql<number>`count(*)`.as('count')).where(dueNow(value)),
  )
  const waitAgain = prepare((value) =>
    db
      .updateTable(calls)
      .set({ waits_for_lane: recallCounted as never })
      .where(dueLater(value))
      .where(mayWaitAgain),
  )
  const postpone = prepare((value) =>
    db
      .updateTable(calls)
      .set({
        ...columns(value, 'due_at'),
        tries: sql<never>`tries + 1`,
        waits_for_lane: waitsAfter(value) as never,
        owner: none,
        held_until: none,
        ...failed?.(value),
      })
      .where(matching(value, ...byCall, 'owner'))
      .where('due_at', 'is not', null),
  )

  function* hold(lane: Key): Command<Lane> {
    yield* holding(holds(lane))
    const row = yield* first(laneOf, lane)
    return row ? laneFrom(row) : freshLane
  }

  /**
   * Closes or opens a lane and writes `more` with it. Opening makes its waiting pushes due at once. Closing makes those that failed since
   * it opened wait again. Its lane is held.
   */
  function* change(
    lane: Key,
    { was, becomes, now, more }: { was: Lane; becomes: Lane; now: number; more: readonly Step[] },
  ): Command<void> {
    const isOpened = isClosed(was) && !isClosed(becomes)
    const closes = !isClosed(was) && isClosed(becomes)
    yield* together(
      ...more,
      ...(isOpened ? [ask(release, { ...lane, now }), ask(saveOutage, { ...lane, ...ended(was, now) })] : []),
      ...(closes ? [ask(waitAgain, { ...lane, now })] : []),
      ...(was === becomes ? [] : [ask(saveLane, { ...lane, ...becomes })]),
      ask(lookAgain, lane),
    )
  }

  /** The queries that find what is due in a lane. */
  function lookInto(lane: Key, state: Lane, most: number, now: number): Step[] {
    const at = { ...lane, now }
    if (isClosed(state)) return [ask(earliestAfter, at), ask(probe, at)]
    const { atMost } = refusedPlaces(most)
    return [
      ask(earliestAfter, at),
      ask(dueFresh, { ...at, limit: 2 * most }),
      ask(dueRefused, { ...at, limit: 2 * atMost }),
    ]
  }

  return {
    hold,
    change,
    /** Looks when the next call of a lane is due, after one was added or taken away. */
    lookAgain: (lane: Key): Step => ask(lookAgain, lane),
    /** The lane as it is. */
    look: (lane: Key): Asked<LaneRow & { is_full?: number }> => ask(laneOf, lane),

    /** Opens a lane unconditionally. */
    *open(lane: Key, now: number): Command<void> {
      const was = yield* hold(lane)
      yield* change(lane, { was, becomes: freshLane, now, more: [] })
    },

    /**
     * A person opens the lane: calls whose failure may be its fault are due at once, even if it is not closed. Resolves with the number of
     * due calls.
     */
    *openByHand(lane: Key, now: number): Command<number> {
      const was = yield* hold(lane)
      const [, [due]] = yield* together(
        ask(recall, { ...lane, now }),
        ask(countDue, { ...lane, now }),
        ...(isClosed(was) ? [ask(saveOutage, { ...lane, ...ended(was, now) })] : []),
        ask(saveLane, { ...lane, ...freshLane }),
        ask(lookAgain, lane),
      )
      return Number(due!.count)
    },

    /** Takes of these lanes what is due. */
    *claim(found: readonly LaneRow[], { now, leaseUntil, limit, perLane, owner }: Claim): Command<Call[]> {
      const claimed: Call[] = []
      const isDamaged = (lane: Key) => damaged.add(holds(lane), now)
      const restsUntil = (lane: Key) => damaged.restsUntil(holds(lane), now)
      const known = found.map((row) => ({ lane: laneIn(row), state: laneFrom(row) }))
      const resting = known.flatMap(({ lane }) => {
        const nextDue = restsUntil(lane)
        return nextDue === undefined ? [] : [ask(lookAt, { ...lane, nextDue, full: 0 })]
      })
      if (resting.length > 0) yield* together(...resting)
      const left = known.filter(({ lane }) => restsUntil(lane) === undefined)
      while (left.length > 0 && claimed.length < limit) {
        // At most as many as are still wanted.
        const some = left.splice(0, Math.ceil((limit - claimed.length) / perLane))
        const looked = yield* eachFor(
          some.flatMap(({ lane, state }) =>
            lookInto(lane, state, openAtOnce(state, perLane), now).map((step) => [lane, step] as const),
          ),
          isDamaged,
        )
        const changes = some.flatMap(({ lane, state }) => {
          const probe = isClosed(state)
          const [later, fresh, refused = []] = looked.splice(0, probe ? 2 : 3) as [
            [{ due_at: number | null }],
            Due[],
            Due[]?,
          ]
          const room = { most: openAtOnce(state, perLane), room: limit - claimed.length }
          const due = { fresh, refused, after: later[0].due_at ?? undefined, ...room, now, leaseUntil }
          const { taken, full, nextDue, empty } = takeFrom(state, due)
          claimed.push(...taken.map((row) => callFrom(row, { lane, owner, full, probe })))
          const steps = [
            ...taken.map((row) => ask(lease, { ...callIn(row), leaseUntil, owner })),
            empty
              ? ask(lookAtEmpty, { ...lane, nextDue, now, leaseUntil })
              : ask(lookAt, { ...lane, nextDue, full: full ? 1 : 0 }),
          ]
          return steps.map((step) => [lane, step] as const)
        })
        yield* eachFor(changes, isDamaged)
      }
      return claimed
    },

    *renew(leased: readonly Names[], leaseUntil: number): Command<void> {
      yield* holding()
      yield* together(...leased.map((call) => ask(renew, { ...call, leaseUntil })))
    },

    /** A call failed: due again at `dueAt`, or never without it. `aboutOne`: the failure is its own, and not of its lane. */
    postpone: (
      call: Names,
      { dueAt, was, aboutOne }: { dueAt: number | undefined; was: Lane; aboutOne: boolean },
    ): Step => ask(postpone, { ...call, dueAt, ...failedIn(was, aboutOne) }),
  }
}
