import { type Compilable, type Expression, type Kysely, type RawBuilder, sql } from 'kysely'
import { isClosed, type Lane } from '../../../payments/lane.ts'
import {
  type Alike,
  columns,
  type Db,
  isServer,
  lockRows,
  matching,
  prepareText,
  skipLocked,
} from '../columns.ts'
import { forGroups, type Place, prepare, times } from '../query.ts'
import type { Claimed } from './call-rows.ts'
import { dueLanesOf, type LaneTables } from './claim-queries.ts'
import {
  firstDue,
  inFront,
  isFresh,
  isRefused,
  mayBeRecalled,
  mayWaitAgain,
  outageColumns,
  probeFirst,
  recalledAfter,
  recallsAfter,
  recallsAfterFailure,
  recallsByHand,
  triesAfterRecall,
  waitsAfter,
} from './lanes.ts'

export type Names = Record<string, string>

/** Calls that wait in lanes: webhooks by shop and host, pushes by shop and adapter. */
export interface CallsInLanes<Key extends Names, Due, Call> extends LaneTables {
  callFrom(row: Due, claimed: Claimed<Key>): Call
  /** The hold of a command that changes the lane. */
  holds(lane: Key): string
  /** Any success recalls what failed because of the lane, also where too few calls failed to close it. */
  recallsAtSuccess?: boolean
}

/** A row of a look. Without a due call it has only `later`. */
export type Looked<Due> = Due & {
  later: number | null
  leased_until: number | null
  is_refused: number | null
}

/** Whether a lane opens: `release` makes due then what waits for it. */
export const opens = (was: Lane, becomes: Lane): boolean => isClosed(was) && !isClosed(becomes)

/** The queries of calls in lanes, on every engine. */
export function laneQueries<Due>(tables: Db, of: LaneTables) {
  const { calls, lanes, byLane, byCall, reads, countsFull, probesAll, keepsWaiting, failed } = of
  const db = tables as unknown as Kysely<Alike>
  const textOf = (text: RawBuilder<unknown>) => ({ compile: () => text.compile(tables) }) as never
  const none = sql<never>`null`
  const zero = sql<never>`0`
  const full = <To>(to: To) => (countsFull ? { is_full: to } : {})
  const dueColumns = [...reads, 'owner', 'leased_until']
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
  // A leased webhook was due first, so it comes before the others.
  const dueOf = (value: Place, kind: RawBuilder<boolean>, limit: string) =>
    db
      .selectFrom(calls)
      .select(dueColumns as never)
      .where(dueNow(value))
      .where(kind)
      .orderBy('due_at')
      .limit(value(limit))
  /** The due calls of a lane, or one row without a call. Each with `later`: when the first call is due that is not due yet. */
  const look = (found: (value: Place) => Expression<unknown>) =>
    prepareText(tables)<Looked<Due>>(
      (value) => sql`select ${firstDue(calls, dueLater(value))} as later, due.* from (select 1 as one) as one
        left join (${found(value)}) as due on 1 = 1`,
    )
  /** Rows that another transaction changes at this moment are left to it, so that neither waits for the other. */
  const unlocked = (...conditions: RawBuilder<boolean>[]) => {
    const meant = sql.join<boolean>(conditions, sql` and `)
    if (!isServer(tables)) return meant
    const rows = db.selectFrom(calls).select(byCall).where(meant).$call(skipLocked(tables))
    return sql<boolean>`(${names}) in ${rows}`
  }
  const dueAtOnce = (
    recalls: (value: Place) => RawBuilder<number>,
    which: (value: Place) => RawBuilder<boolean>,
  ) =>
    prepare((value) =>
      db
        .updateTable(calls)
        .set({
          due_at: value('now'),
          waits_for_lane: zero,
          recalls: recalls(value) as never,
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
    lookAt: forGroups((size, value) => {
      const sets = Object.entries({ next_due: 'bigint', ...full('integer') })
      const cast = ([name, type]: [string, string]) => sql`cast(${value(name)} as ${sql.raw(type)})`
      const row = () => sql`(${sql.join([...byLane.map(value), ...sets.map(cast)])})`
      const at = (place: number) => sql.ref(`at.column${place + 1}`)
      const set = sets.map(([name], place) => sql`${sql.ref(name)} = ${at(byLane.length + place)}`)
      const isOne = byLane.map((name, place) => sql`${sql.ref(`${lanes}.${name}`)} = ${at(place)}`)
      return textOf(sql`update ${sql.table(lanes)} set ${sql.join(set)}
        from (values ${sql.join(times(size, row))}) as at where ${sql.join(isOne, sql` and `)}`)
    }),
    due: look(
      (value) => sql`select fresh.*, 0 as is_refused from ${dueOf(value, isFresh, 'fresh')} as fresh
        union all select refused.*, 1 as is_refused from ${dueOf(value, isRefused, 'refused')} as refused`,
    ),
    probe: look((value) =>
      db
        .selectFrom(calls)
        .select([...dueColumns, zero.as('is_refused')] as never)
        .where(
          inFront(calls, byCall, probesAll ? sql`${ofLane(value)} and due_at is not null` : dueNow(value)),
        )
        .orderBy(probeFirst(value))
        .limit(sql<number>`1`),
    ),
    dueLanes: dueLanesOf(tables, of),
    /**
     * Calls that differ in the last column of their name. A server returns those that no other has leased or locked; in the process of SQLite
     * these are all, and to return them would double the time.
     */
    lease: forGroups<object>((size, value) => {
      const [last, ...common] = byCall.toReversed()
      const isFree = sql<boolean>`(leased_until is null or leased_until <= ${value('now')})`
      const isOne = sql<boolean>`${sql.ref(last!)} in (${sql.join(times(size, () => value('call')))})`
      const leased = db
        .updateTable(calls)
        .set({ leased_until: value('leaseUntil'), owner: value('owner') })
        .where(unlocked(matching(value, ...common.toReversed()), isOne, isFree))
      return (isServer(tables) ? leased.returning(byCall as never) : leased) as Compilable<object>
    }),
    renew: prepare((value) =>
      db
        .updateTable(calls)
        .set({ leased_until: value('leaseUntil') })
        .where(matching(value, ...byCall, 'owner')),
    ),
    // A call that was refused itself, or failed while others succeeded, keeps its own schedule.
    release: dueAtOnce(recallsAfter, recalledAfter),
    recall: dueAtOnce(
      () => recallsByHand,
      () => (keepsWaiting ? sql`${mayBeRecalled} and not ${keepsWaiting}` : mayBeRecalled),
    ),
    countDue: prepare((value) =>
      db.selectFrom(calls).select(sql<number>`count(*)`.as('count')).where(dueNow(value)),
    ),
    waitAgain: prepare((value) =>
      db
        .updateTable(calls)
        .set({ waits_for_lane: sql<never>`1` })
        .where(unlocked(dueLater(value), mayWaitAgain)),
    ),
    postpone: prepare((value) =>
      db
        .updateTable(calls)
        .set({
          ...columns(value, 'due_at'),
          tries: sql<never>`tries + 1`,
          waits_for_lane: waitsAfter(value) as never,
          recalls: recallsAfterFailure(value) as never,
          owner: none,
          leased_until: none,
          ...failed?.(value),
        })
        .where(matching(value, ...byCall, 'owner'))
        .where('due_at', 'is not', null),
    ),
  }
}
