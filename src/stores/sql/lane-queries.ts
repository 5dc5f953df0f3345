import { type Kysely, type RawBuilder, sql } from 'kysely'
import { isClosed, type Lane } from '../../payments/lane.ts'
import type { Claimed } from './call-rows.ts'
import {
  type Alike,
  type Column,
  columns,
  type Db,
  isServer,
  lockRows,
  matching,
  skipLocked,
} from './columns.ts'
import {
  firstDue,
  hasCall,
  inFront,
  isFresh,
  isRefused,
  mayBeRecalled,
  mayWaitAgain,
  outageColumns,
  probeFirst,
  recallCountedAfter,
  recalledAfter,
  recalledByHand,
  triesAfterRecall,
  waitsAfter,
  waitsOnceMore,
} from './lanes.ts'
import { forGroups, type Place, prepare, times } from './query.ts'

export type Names = Record<string, string>

/** Calls that wait in lanes: webhooks by shop and host, pushes by shop and adapter. */
export interface CallsInLanes<Key extends Names, Due, Call> {
  calls: 'webhooks' | 'pushes'
  lanes: 'lanes' | 'push_lanes'
  /** The columns that name a lane in both tables, and those that name a call. */
  byLane: readonly Column[]
  byCall: readonly Column[]
  /** The columns that `callFrom` reads of a row, beside its owner. */
  reads: readonly Column[]
  callFrom(row: Due, claimed: Claimed<Key>): Call
  /** The hold of a command that changes the lane. */
  holds(lane: Key): string
  /** The columns of a lane that a claim names. */
  claimedBy: readonly Column[]
  /** Lanes have the column `is_full`. */
  countsFull: boolean
  /** Any call that waits in a closed lane probes it, also before it is due. */
  probesAll?: boolean
  /** Calls that a person's opening leaves alone, although they wait. */
  keepsWaiting?: RawBuilder<boolean>
  /** Any success recalls what failed because of the lane, also where too few calls failed to close it. */
  recallsAtSuccess?: boolean
  /** The notes of a failed call, beside the time when it is due again. */
  failed?: (value: Place) => object
}

/** Whether a lane opens: `release` makes due then what waits for it. */
export const opens = (was: Lane, becomes: Lane): boolean => isClosed(was) && !isClosed(becomes)

/** The queries of calls in lanes, on every engine. */
export function laneQueries<Due>(
  tables: Db,
  {
    calls,
    lanes,
    byLane,
    byCall,
    reads,
    countsFull,
    probesAll,
    keepsWaiting,
    failed,
  }: CallsInLanes<Names, Due, unknown>,
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
  /** Whether a closed lane is probed at `probe_at`, given its first due call. */
  const isProbed = (first: RawBuilder<number | null>, probeAt: RawBuilder<unknown>) =>
    probesAll ? sql`${first} is not null and ${probeAt} is not null` : sql`${first} < ${probeAt}`
  const dueIn = (value: Place) =>
    sql<never>`case when ${isProbed(firstOf(value), sql`probe_at`)} then probe_at else ${firstOf(value)} end`
  const setLane = (to: (value: Place) => object) =>
    prepare((value) => db.updateTable(lanes).set(to(value)).where(ofLane(value)))
  // SQLite alone claims by these: a server claims many lanes in one statement, and skips locked rows. A leased webhook was due first, so it
  // comes before the others.
  const dueOf = (kind: RawBuilder<boolean>) =>
    prepare((value) =>
      db
        .selectFrom(calls)
        .select([...reads, 'owner', 'leased_until'] as never)
        .where(dueNow(value))
        .where(kind)
        .orderBy('due_at')
        .limit(value('limit')),
    )
  /** Rows that another transaction changes at this moment are left to it, so that neither waits for the other. */
  const unlocked = (...conditions: RawBuilder<boolean>[]) => {
    const meant = sql.join<boolean>(conditions, sql` and `)
    if (!isServer(tables)) return meant
    const rows = db.selectFrom(calls).select(byCall).where(meant).$call(skipLocked(tables))
    return sql<boolean>`(${names}) in ${rows}`
  }
  const dueAtOnce = (
    waits: (value: Place) => RawBuilder<number>,
    which: (value: Place) => RawBuilder<boolean>,
  ) =>
    prepare((value) =>
      db
        .updateTable(calls)
        .set({
          due_at: value('now'),
          waits_for_lane: waits(value) as never,
          tries: triesAfterRecall as never,
        })
        .where(unlocked(ofLane(value), sql`due_at is not null`, which(value), sql`owner is null`)),
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
              when ${isProbed(sql`excluded.next_due`, sql.ref(`${lanes}.probe_at`))} then ${sql.ref(`${lanes}.probe_at`)}
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
        .select([...reads, 'owner', 'leased_until'] as never)
        .where(
          inFront(calls, byCall, probesAll ? sql`${ofLane(value)} and due_at is not null` : dueNow(value)),
        )
        .orderBy(probeFirst(value))
        .limit(sql<number>`1`),
    ),
    /** Calls of one lane: they differ in the last column of their name. */
    lease: forGroups((size, value) =>
      db
        .updateTable(calls)
        .set({ leased_until: value('leaseUntil'), owner: value('owner') })
        .where(matching(value, ...byCall.slice(0, -1)))
        .where(
          byCall.at(-1)! as never,
          'in',
          times(size, () => value('call')),
        ),
    ),
    renew: prepare((value) =>
      db
        .updateTable(calls)
        .set({ leased_until: value('leaseUntil') })
        .where(matching(value, ...byCall, 'owner')),
    ),
    // A call that was refused itself, or failed while others succeeded, keeps its own schedule.
    release: dueAtOnce(recallCountedAfter, recalledAfter),
    recall: dueAtOnce(
      () => recalledByHand,
      () => (keepsWaiting ? sql`${mayBeRecalled} and not ${keepsWaiting}` : mayBeRecalled),
    ),
    countDue: prepare((value) =>
      db.selectFrom(calls).select(sql<number>`count(*)`.as('count')).where(dueNow(value)),
    ),
    waitAgain: prepare((value) =>
      db
        .updateTable(calls)
        .set({ waits_for_lane: waitsOnceMore as never })
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
