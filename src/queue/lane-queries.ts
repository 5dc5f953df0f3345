import { type RawBuilder, sql } from 'kysely'
import { type Column, type Db, matching, value } from '../store/columns.ts'
import { times } from '../store/query.ts'
import { refusedLast } from '../store/schema.ts'
import type { ProbePace } from './lanes.ts'

// Calls that are owed, in lanes: webhooks by shop and host, pushes by shop and adapter. Their statements are the same; what differs is data.

/** The calls of one kind, and the rules that are words of their statements. */
export interface CallsInLanes {
  calls: 'webhooks' | 'pushes'
  /** The columns that name a call. Those of one lane differ in the last one. */
  key: readonly Column[]
  /** The columns that a claim reads of a call, beside those of its lease. */
  reads: readonly Column[]
  pace: ProbePace
  /** Any call that waits in a closed lane probes it, also before it is due. */
  probesAll?: boolean
  /** Any success recalls what failed because of the lane, also where too few calls failed to close it. */
  recallsAtSuccess?: boolean
  /** The other side itself refuses a call, so it works: that opens a closed lane. */
  refusalOpens?: boolean
  /** Calls that a person's opening leaves alone, although they wait. */
  keepsWaiting?: RawBuilder<boolean>
  /** The notes of a failed call, beside the time when it is due again. */
  failed?: RawBuilder<unknown>
}

/** A row of a look. Without a due call it has only `later`. */
export type Looked<Due> = Due & {
  later: number | null
  leased_until: number | null
  is_refused: number | null
}

// An open lane takes fresh calls before refused ones, so that a pile of refused orders delays no good order of the same shop. Each kind
// is read in the order in which it became due, from an index that keeps the two apart.

const kind = sql.raw(refusedLast)
export const isFresh = sql<boolean>`(${kind}) = 0`
export const isRefused = sql<boolean>`(${kind}) = 1`

// A failed call waits for its lane where that may be to blame: it is due at once when the lane opens, and `recalls` counts that. One that
// fails again beside good calls keeps its own schedule, until its lane closes. After five recalls it waits for itself, as one that was
// refused, so that calls which fail by themselves are not repeated without end. After a long outage the count begins anew.

/** A call that becomes due at once by its lane, and one that was never tried. */
export const anew = sql`tries = 0, waits_for = null, recalls = 0, owner = null, leased_until = null`
const mostRecalls = 5
const wasRecalled = sql`(waits_for is null and recalls > 0)`

/** A call that was deleted, by its key. */
type Ended = Record<string, string | number>
const column = (at: number) => sql.ref(`column${at + 1}`)

export function laneQueries<Due>(db: Db, of: CallsInLanes) {
  const { key, probesAll, keepsWaiting = sql`1 = 0`, failed = sql`` } = of
  const calls = sql.table(of.calls)
  const list = (columns: readonly string[]) => sql.join(columns.map((column) => sql.ref(column)))
  const ofLane = matching('lane')
  const waits = sql`${ofLane} and due_at is not null`
  const dueNow = sql`${ofLane} and due_at <= ${value('now')}`
  const dueLater = sql`${ofLane} and due_at > ${value('now')}`
  /** The earliest `due_at` among calls of a lane: two looks into the index, however many calls wait. Null without one. */
  const firstDue = (where: RawBuilder<unknown>) => sql`(select min(due_at) from (
    select min(due_at) as due_at from ${calls} where ${where} and ${isFresh}
    union all select min(due_at) from ${calls} where ${where} and ${isRefused}) as of_each)`
  /** Whether a closed lane is probed at `probe_at`, given its first due call. */
  const isProbed = (first: RawBuilder<unknown>, probeAt: RawBuilder<unknown>) =>
    probesAll ? sql`${first} is not null and ${probeAt} is not null` : sql`${first} < ${probeAt}`
  const first = firstDue(waits)
  const dueIn = sql`case when ${isProbed(first, sql`probe_at`)} then probe_at else ${first} end`
  // A leased call was due first, so it comes before the others.
  const dueOf = (ofKind: RawBuilder<boolean>, limit: string) =>
    sql`(select ${list([...of.reads, 'owner', 'leased_until'])} from ${calls}
      where ${dueNow} and ${ofKind} order by due_at limit ${value(limit)})`
  /** The due calls of a lane, or one row without a call. Each with `later`: when the first call is due that is not due yet. */
  const look = (found: RawBuilder<unknown>) =>
    db.text<Looked<Due>>`select ${firstDue(dueLater)} as later, due.* from (select 1 as one) as one
        left join (${found}) as due on 1 = 1`
  /** Calls that are among the first thousand of their kind: a look never reads all that is owed. */
  const inFront = (where: RawBuilder<unknown>) => {
    const first = (ofKind: RawBuilder<boolean>) => sql`select ${list(key)} from
      (select ${list(key)} from ${calls} where ${where} and ${ofKind} order by due_at limit ${sql.lit(1_000)}) as first_due`
    // Selected from both together: from a bare union SQLite would look through the whole table.
    return sql`(${list(key)}) in
      (select ${list(key)} from (${first(isFresh)} union all ${first(isRefused)}) as of_each)`
  }
  /** Rows that another transaction changes at this moment are left to it, so that neither waits for the other. */
  const unlocked = (table: RawBuilder<unknown>, names: readonly string[], meant: RawBuilder<unknown>) =>
    db.isServer
      ? sql`(${list(names)}) in (select ${list(names)} from ${table} where ${meant} for update skip locked)`
      : meant
  const unlockedCalls = (meant: RawBuilder<unknown>) => unlocked(calls, key, meant)
  /** Calls of one lane, of which all that names them but the last column is the same. */
  const ofGroup = (size: number, ...more: Column[]) => {
    const [last, ...common] = key.toReversed()
    const others = sql.join(times(size, () => value('call')))
    return sql`${matching(...common.toReversed(), ...more)} and ${sql.ref(last!)} in (${others})`
  }
  // One that was recalled is soon tried again if it fails once more, however often it failed before.
  const recalling = (which: RawBuilder<unknown>) =>
    db.text<unknown>`update ${calls} set due_at = ${value('now')},
          tries = case when (waits_for = 'lane' or recalls > 0) and tries > 1 then 1 else tries end,
          recalls = case when ${value('long')} = 1 then 1 when waits_for = 'lane' then recalls + 1 else recalls end,
          waits_for = case when ${value('long')} = 1 then null when waits_for = 'self' then 'self'
            when waits_for = 'lane' and recalls + 1 = ${sql.lit(mostRecalls)} then 'self' end
        where ${unlockedCalls(sql`${waits} and ${which} and owner is null`)}`

  return {
    laneOf: db.rowsBy('lanes', ['lane']),
    saveLane: db.setColumns(
      'lanes',
      ['failures', 'failing_since', 'closed_at', 'probe_at', 'last_failure'],
      ['lane'],
    ),
    saveOutage: db.text<unknown>`
      update lanes set outage_began_at = ${value('began')}, outage_ended_at = ${value('now')},
          outage_failure = ${value('failure')}, outage_waiting = (select count(*) from ${calls} where ${waits})
        where ${ofLane}`,
    // Never later than it was: a call that another transaction adds at the same time is not visible here.
    lookSooner: db.text<unknown>`insert into lanes (lane, adapter, shop_id, receiver, next_due)
        values (${value('lane')}, ${value('adapter')}, ${value('shopId')}, ${value('receiver')}, ${firstDue(waits)})
        on conflict (lane) do update set is_full = 0, next_due = case
          when excluded.next_due is null or lanes.next_due <= excluded.next_due then lanes.next_due
          when ${isProbed(sql`excluded.next_due`, sql`lanes.probe_at`)} then lanes.probe_at
          else excluded.next_due end`,
    lock: db.text<unknown>`select 1 as one from lanes where ${ofLane} ${db.isServer ? sql`for update` : sql``}`,
    // For a lane whose row is locked: whoever added a call before has committed it, and whoever adds one now lowers this afterwards.
    lookAgain: db.text<unknown>`update lanes set next_due = ${dueIn}, is_full = 0 where ${ofLane}`,
    /** Calls of these lanes have ended: those that were full are due. A look into a lane that has no room changes nothing. */
    makeRoom: db.groups((size) => {
      const full = sql`lane in (${sql.join(times(size, () => value('lane')))}) and is_full = 1 and failures = 0`
      return sql`update lanes set next_due = ${value('now')}, is_full = 0
        where ${unlocked(sql`lanes`, ['lane'], full)}`
    }),
    lookAt: db.groups((size) => {
      const row = () =>
        sql`(${value('lane')}, cast(${value('nextDue')} as bigint), cast(${value('full')} as integer))`
      return sql`update lanes set next_due = at.column2, is_full = at.column3
        from (values ${sql.join(times(size, row))}) as at where lane = at.column1`
    }),
    due: look(
      sql`select fresh.*, 0 as is_refused from ${dueOf(isFresh, 'fresh')} as fresh
        union all select refused.*, 1 as is_refused from ${dueOf(isRefused, 'refused')} as refused`,
    ),
    // Leased calls first, because a closed lane has one call at a time. Then the least tried, then the longest due; refused ones come last.
    probe: look(
      sql`select ${list([...of.reads, 'owner', 'leased_until'])}, 0 as is_refused from ${calls}
        where ${inFront(probesAll ? waits : dueNow)}
        order by case when leased_until > ${value('now')} then 0 else 1 end, ${isRefused}, tries, due_at limit 1`,
    ),
    /** A server returns those that no other has leased or locked; in the process of SQLite these are all, and to return them would double the time. */
    lease: db.groups((size) => {
      const isFree = sql`(leased_until is null or leased_until <= ${value('now')})`
      return sql`update ${calls} set leased_until = ${value('leaseUntil')}, owner = ${value('owner')}
        where ${unlockedCalls(sql`${ofGroup(size)} and ${isFree}`)}
        ${db.isServer ? sql`returning ${list(key)}` : sql``}`
    }),
    renew: db.groups(
      (size) => sql`update ${calls} set leased_until = ${value('leaseUntil')}
        where ${unlockedCalls(ofGroup(size, 'owner'))}`,
    ),
    release: db.text<unknown>`
      update ${calls} set owner = null, leased_until = null where ${matching(...key, 'owner')}`,
    // A call that was refused itself, or failed while others succeeded, keeps its own schedule. `long`: the outage was.
    recall: recalling(sql`(waits_for = 'lane' or (recalls > 0 and ${value('long')} = 1))`),
    // A person's opening recalls every call that failed, however often it was recalled before, and what was refused on its own: the person
    // knows that the other side was repaired.
    recallByHand: recalling(sql`tries > 0 and not (${keepsWaiting})`),
    countDue: db.text<{ count: number }>`select count(*) as count from ${calls} where ${dueNow}`,
    waitAgain: db.text<unknown>`update ${calls} set waits_for = 'lane'
        where ${unlockedCalls(sql`${dueLater} and ${wasRecalled}`)}`,
    /** `aboutOne`: the failure is the call's own, and begins anew. `closed`: its lane was closed. */
    postpone: db.text<unknown>`update ${calls} set due_at = ${value('dueAt')}, tries = tries + 1,
          waits_for = case when ${value('aboutOne')} = 1 or (waits_for = 'self' and recalls > 0) then 'self'
            when ${wasRecalled} and ${value('closed')} = 0 then null else 'lane' end,
          recalls = case when ${value('aboutOne')} = 1 then 0 else recalls end,
          owner = null, leased_until = null${failed}
        where ${matching(...key, 'owner')} and due_at is not null`,
    /**
     * Deletes calls that went well, each found once by its key, and returns those that it has deleted: not those that another process has or
     * that have changed, and none whose lane fails, because their success opens it. A server waits for no row that another client has locked.
     */
    endMany: db.groups<Ended>((size) => {
      const named = () => sql.join([...key, 'owner'].map((name) => sql`cast(${value(name)} as text)`))
      const row = () => sql`(${named()}, cast(${value('version')} as integer))`
      const given = sql`(values ${sql.join(times(size, row))}) as given`
      const isOne = [...key, 'owner'].map((name, at) => sql`${sql.ref(name)} = given.${column(at)}`)
      const mayEnd = sql`${sql.join(isOne, sql` and `)} and version <= given.${column(isOne.length)}
        and lane not in (select lane from lanes where failures > 0)`
      const shop = sql`select 1 from shops where id = given.column1`
      // A place in the table needs no plan. A shop that is being removed is left to that: the delivery would wait for it.
      const which = db.isServer
        ? sql`ctid = any (array(select place from ${given} cross join lateral (
            select ctid as place from ${calls} where ${mayEnd}
              and (exists (${shop} for key share skip locked) or not exists (${shop}))
            for update skip locked) as free))`
        : sql`(${list(key)}) in (select ${list(key)} from ${given} cross join ${calls} where ${mayEnd})`
      return sql`delete from ${calls} where ${which} returning ${list([...key, 'version'])}`
    }),
  }
}

export type LaneQueries<Due> = ReturnType<typeof laneQueries<Due>>
