import { type RawBuilder, sql } from 'kysely'
import { type Column, type Db, isServer, matching, prepareText } from '../columns.ts'
import { type Place, rowsOf } from '../query.ts'
import type { LaneRow } from './call-rows.ts'
import { isFresh, isRefused } from './lanes.ts'

/** The tables and columns of calls and their lanes, and the rules that are words of their statements. */
export interface LaneTables {
  calls: 'webhooks' | 'pushes'
  lanes: 'lanes' | 'push_lanes'
  /** The columns that name a lane in both tables, and those that name a call. */
  byLane: readonly Column[]
  byCall: readonly Column[]
  /** The columns that `callFrom` reads of a row, beside its owner. */
  reads: readonly Column[]
  /** The columns of a lane that a claim names. */
  claimedBy: readonly Column[]
  /** Lanes have the column `is_full`. */
  countsFull: boolean
  /** Any call that waits in a closed lane probes it, also before it is due. */
  probesAll?: boolean
  /** Calls that a person's opening leaves alone, although they wait. */
  keepsWaiting?: RawBuilder<boolean>
  /** The notes of a failed call, beside the time when it is due again. */
  failed?: (value: Place) => object
}

const text = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 'text' as const]))
/** Rows of two tables with the same values in these columns. */
const same = (names: readonly string[], one: string, other: string) =>
  sql.join<boolean>(
    names.map((name) => sql`${sql.ref(`${one}.${name}`)} = ${sql.ref(`${other}.${name}`)}`),
    sql` and `,
  )
const list = (names: readonly string[], table: string) =>
  sql.join(names.map((name) => sql.ref(`${table}.${name}`)))

/**
 * Finds lanes that are due, those first that are due first. A server locks those among them that have as many due calls as are wanted.
 * `planned` counts these calls: as many as were wanted means that there may be more.
 */
export function dueLanesOf(db: Db, { calls, lanes, byLane, claimedBy }: LaneTables) {
  const [ofCalls, ofLanes] = [sql.table(calls), sql.table(lanes)]
  const due = (value: Place) =>
    sql`next_due <= ${value('now')}${claimedBy.length > 0 ? sql` and ${matching(value, ...claimedBy)}` : sql``}`
  const dueOf = (value: Place, kind: RawBuilder<boolean>, limit: string) =>
    sql`(select due_at from ${ofCalls} where ${same(byLane, calls, 'one')} and ${kind} and due_at <= ${value('now')}
      order by due_at limit ${value(limit)})`
  const inProcess = (value: Place) =>
    sql`select * from ${ofLanes} where ${due(value)} order by next_due limit ${value('lanes')}`
  const onServer = (value: Place) => sql`with planned as (
      select ${list(byLane, 'one')} from (
        select ${list(byLane, lanes)} from ${ofLanes} where ${due(value)} order by next_due limit ${value('lanes')}
      ) as one left join lateral (
        select 1 from ${dueOf(value, isFresh, 'perLane')} as fresh
        union all select 1 from ${dueOf(value, isRefused, 'refused')} as refused
      ) as of_lane on true limit ${value('wanted')}
    )
    select ${ofLanes}.*, (select count(*) from planned) as planned from ${ofLanes}
    where (${list(byLane, lanes)}) in (select * from planned) and next_due <= ${value('now')}
    order by next_due for update of ${ofLanes} skip locked`
  return prepareText(db)<LaneRow & { planned?: number }>(isServer(db) ? onServer : inProcess)
}

/** Queries about many lanes or calls at a time, on a server. */
export function serverQueries(db: Db, { calls, lanes, byLane, byCall, countsFull }: LaneTables) {
  const [ofCalls, ofLanes] = [sql.table(calls), sql.table(lanes)]

  return {
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
