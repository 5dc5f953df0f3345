import { type RawBuilder, sql } from 'kysely'
import type { LaneRow } from './call-rows.ts'
import { type Db, nameOf, prepareText } from './columns.ts'
import type { CallsInLanes, Names } from './lane-queries.ts'
import { firstDue, inFront, isFresh, isRefused, probeFirst } from './lanes.ts'
import { type Place, rowsOf } from './query.ts'

const text = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 'text' as const]))
/** Rows of two tables with the same values in these columns. */
const same = (names: readonly string[], one: string, other: string) =>
  sql.join<boolean>(
    names.map((name) => sql`${sql.ref(`${one}.${name}`)} = ${sql.ref(`${other}.${name}`)}`),
    sql` and `,
  )
const list = (names: readonly string[], table: string) =>
  sql.join(names.map((name) => sql.ref(`${table}.${name}`)))

/** A due call, as a claim reads it before it takes it. */
export interface DueRow {
  leased_until: number | null
  owner: string | null
  is_refused: number
}

/** The queries of claims on a server: few, whatever number of lanes they look into. */
export function claimQueries<Due>(
  db: Db,
  {
    calls,
    lanes,
    byLane,
    byCall,
    reads,
    countsFull,
    probesAll,
    claimedBy,
  }: CallsInLanes<Names, Due, unknown>,
) {
  const [ofCalls, ofLanes] = [sql.table(calls), sql.table(lanes)]
  const lockFree = (table: RawBuilder<unknown>) => sql`for update of ${table} skip locked`
  const inLane = (lane: string) => same(byLane, calls, lane)
  const dueNow = (value: Place) => sql<boolean>`due_at <= ${value('now')}`
  const among = (value: Place) =>
    sql.join(
      claimedBy.map((name) => sql`and ${sql.ref(`${lanes}.${name}`)} = ${value(name)}`),
      sql` `,
    )
  const ofDue = list([...new Set([...byLane, ...byCall, 'leased_until', 'owner'])], calls)
  const dueOf = (
    value: Place,
    kind: RawBuilder<boolean>,
    of: { select: RawBuilder<unknown>; limit: string },
  ) =>
    sql`(select ${of.select} from ${ofCalls} where ${inLane('one')} and ${kind} and ${dueNow(value)}
      order by due_at limit ${value(of.limit)})`

  return {
    /**
     * Locks lanes that have as many due calls as are wanted, those first that are due first. `planned` counts these calls: as many as were
     * wanted means that there may be more.
     */
    lockLanes: prepareText(db)<LaneRow & { planned: number }>(
      (value) => sql`with planned as (
          select ${list(byLane, 'one')} from (
            select ${list(byLane, lanes)} from ${ofLanes} where next_due <= ${value('now')} ${among(value)}
            order by next_due limit ${value('lanes')}
          ) as one left join lateral (
            select 1 from ${dueOf(value, isFresh, { select: sql`due_at`, limit: 'perLane' })} as fresh
            union all select 1 from ${dueOf(value, isRefused, { select: sql`due_at`, limit: 'refused' })} as refused
          ) as of_lane on true limit ${value('wanted')}
        )
        select ${ofLanes}.*, (select count(*) from planned) as planned from ${ofLanes}
        where (${list(byLane, lanes)}) in (select * from planned) and next_due <= ${value('now')}
        order by next_due ${lockFree(ofLanes)}`,
    ),
    later: prepareText(db)<{ due_at: number | null }>(
      (
        value,
      ) => sql`select ${list(byLane, 'one')}, ${firstDue(calls, sql`${inLane('one')} and due_at > ${value('now')}`)} as due_at
        from ${rowsOf(value, text(byLane))} as one`,
    ),
    due: prepareText(db)<DueRow>(
      (value) => sql`select of_lane.* from ${rowsOf(value, text(byLane))} as one cross join lateral (
          select fresh.*, 0 as is_refused from ${dueOf(value, isFresh, { select: ofDue, limit: 'fresh' })} as fresh
          union all
          select refused.*, 1 as is_refused from ${dueOf(value, isRefused, { select: ofDue, limit: 'refused' })} as refused
        ) as of_lane`,
    ),
    probe: prepareText(db)<DueRow>(
      (value) => sql`select ${ofDue}, 0 as is_refused from ${ofCalls}
        where ${inFront(
          calls,
          byCall,
          sql`${sql.join(
            byLane.map((name) => sql`${sql.ref(name)} = ${value(nameOf(name))}`),
            sql` and `,
          )} and ${probesAll ? sql`due_at is not null` : dueNow(value)}`,
        )}
        order by ${probeFirst(value)} limit 1`,
    ),
    // The key is named beside the place: in a table with partitions a place is that of one row in each.
    lease: prepareText(db)<Due>(
      (value) => sql`with free as (
          select one.*, place from ${rowsOf(value, text(byCall))} as one cross join lateral (
            select ${ofCalls}.ctid as place from ${ofCalls} where ${same(byCall, calls, 'one')}
              and (leased_until is null or leased_until <= ${value('now')})
            for no key update of ${ofCalls} skip locked
          ) as of_call
        )
        update ${ofCalls} set leased_until = ${value('leaseUntil')}, owner = ${value('owner')}
        where ctid = any (array(select place from free)) and (${list(byCall, calls)}) in (select ${list(byCall, 'free')} from free)
        returning ${list(reads, calls)}`,
    ),
    lookAt: prepareText(db)<unknown>(
      (
        value,
      ) => sql`update ${ofLanes} set next_due = one.next_at ${countsFull ? sql`, is_full = one.becomes_full` : sql``}
        from ${rowsOf(value, { ...text(byLane), next_at: 'bigint', becomes_full: 'integer' })} as one
        where ${same(byLane, lanes, 'one')} and (next_due is distinct from one.next_at
          ${countsFull ? sql`or is_full <> one.becomes_full` : sql``})`,
    ),
    lookInto: prepareText(db)<unknown>(
      (value) => sql`update ${ofLanes} set ${countsFull ? sql`is_full = 0,` : sql``}
          next_due = case when next_due <= free.ended_at or next_due <= probe_at then next_due
            when probe_at > free.ended_at then probe_at else free.ended_at end
        from (
          select ${list(byLane, lanes)}, one.ended_at
            from ${rowsOf(value, { ...text(byLane), ended_at: 'bigint', was_full: 'integer' })} as one
            join ${ofLanes} on ${same(byLane, lanes, 'one')}
            where one.was_full = 1 ${countsFull ? sql`or is_full = 1` : sql``}
          for update of ${ofLanes} skip locked
        ) as free where ${same(byLane, lanes, 'free')}`,
    ),
    renew: prepareText(db)<unknown>(
      (value) => sql`update ${ofCalls} set leased_until = ${value('leaseUntil')} from (
          select ${list(byCall, calls)} from ${rowsOf(value, text([...byCall, 'owner']))} as one
            join ${ofCalls} on ${same([...byCall, 'owner'], calls, 'one')}
          for no key update of ${ofCalls} skip locked
        ) as free where ${same(byCall, calls, 'free')}`,
    ),
  }
}
