import { type Kysely, type RawBuilder, sql } from 'kysely'
import { isClosed, type Lane, openAtOnce, refusedPlaces } from '../../payments/lane.ts'
import type { Claim } from '../../store.ts'
import { type Claimed, type LaneRow, laneFrom } from './call-rows.ts'
import { nameOf, type Place, valuesIn } from './columns.ts'
import { firstDue, inFront, isFresh, isRefused } from './fresh-first.ts'
import type { CallsInLanes, Names } from './lane-queries.ts'
import { leasedFirst, takeFrom } from './lanes.ts'
import { ask, type Command, lastly, lastlyAsking, type Step, together } from './query.ts'
import { columnsOf, prepareText, rowsOf } from './sets.ts'
import type { Tables } from './tables.ts'

/** The most lanes of one look: those that are due first may have nothing free. */
const mostLanes = 256
/**
 * A lane that is full is looked into again after this time, in milliseconds. The end of one of its calls makes it due earlier, unless another
 * process ends that call without knowing that the lane is full, or has the lane locked at that moment: a look may lock a lane that it does not take.
 */
const againAfter = 1_000

const text = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 'text' as const]))
/** Rows of two tables with the same values in these columns. */
const same = (names: readonly string[], one: string, other: string) =>
  sql.join<boolean>(
    names.map((name) => sql`${sql.ref(`${one}.${name}`)} = ${sql.ref(`${other}.${name}`)}`),
    sql` and `,
  )
const list = (names: readonly string[], table: string) =>
  sql.join(names.map((name) => sql.ref(`${table}.${name}`)))

type DueRow<Due> = Due & { is_refused: number }

/** The queries of claims on a server: few, whatever number of lanes they look into. */
function claimQueries<Due>(
  db: Kysely<Tables>,
  { calls, lanes, byLane, byCall, countsFull, claimedBy }: CallsInLanes<Names, Due, unknown>,
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
    lockLanes: prepareText<LaneRow & { planned: number }>(
      db,
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
    later: prepareText<{ due_at: number | null }>(
      db,
      (
        value,
      ) => sql`select ${list(byLane, 'one')}, ${firstDue(calls, sql`${inLane('one')} and due_at > ${value('now')}`)} as due_at
        from ${rowsOf(value, text(byLane))} as one`,
    ),
    due: prepareText<DueRow<Due>>(
      db,
      (value) => sql`select of_lane.* from ${rowsOf(value, text(byLane))} as one cross join lateral (
          select fresh.*, 0 as is_refused from ${dueOf(value, isFresh, { select: sql`*`, limit: 'fresh' })} as fresh
          union all
          select refused.*, 1 as is_refused from ${dueOf(value, isRefused, { select: sql`*`, limit: 'refused' })} as refused
        ) as of_lane`,
    ),
    probe: prepareText<DueRow<Due>>(
      db,
      (value) => sql`select ${ofCalls}.*, 0 as is_refused from ${ofCalls}
        where ${inFront(
          calls,
          byCall,
          sql`${sql.join(
            byLane.map((name) => sql`${sql.ref(name)} = ${value(nameOf(name))}`),
            sql` and `,
          )} and ${dueNow(value)}`,
        )}
        order by ${leasedFirst(value('now'))}, tries, due_at limit 1`,
    ),
    lease: prepareText<Due>(
      db,
      (value) => sql`update ${ofCalls} set leased_until = ${value('leaseUntil')}, owner = ${value('owner')}
        from (
          select ${list(byCall, calls)} from ${rowsOf(value, text(byCall))} as one
            join ${ofCalls} on ${same(byCall, calls, 'one')}
          where (leased_until is null or leased_until <= ${value('now')})
          for no key update of ${ofCalls} skip locked
        ) as free
        where ${same(byCall, calls, 'free')} returning ${ofCalls}.*`,
    ),
    lookAt: prepareText<unknown>(
      db,
      (
        value,
      ) => sql`update ${ofLanes} set next_due = one.next_at ${countsFull ? sql`, is_full = one.becomes_full` : sql``}
        from ${rowsOf(value, { ...text(byLane), next_at: 'bigint', becomes_full: 'integer' })} as one
        where ${same(byLane, lanes, 'one')} and (next_due is distinct from one.next_at
          ${countsFull ? sql`or is_full <> one.becomes_full` : sql``})`,
    ),
    lookInto: prepareText<unknown>(
      db,
      (value) => sql`update ${ofLanes} set ${countsFull ? sql`is_full = 0,` : sql``}
          next_due = case when next_due <= free.ended_at or next_due <= probe_at then next_due
            when probe_at > free.ended_at then probe_at else free.ended_at end
        from (
          select ${list(byLane, lanes)}, one.ended_at from ${rowsOf(value, { ...text(byLane), ended_at: 'bigint' })} as one
            join ${ofLanes} on ${same(byLane, lanes, 'one')}
          for update of ${ofLanes} skip locked
        ) as free where ${same(byLane, lanes, 'free')}`,
    ),
    renew: prepareText<unknown>(
      db,
      (value) => sql`update ${ofCalls} set leased_until = ${value('leaseUntil')} from (
          select ${list(byCall, calls)} from ${rowsOf(value, text([...byCall, 'owner']))} as one
            join ${ofCalls} on ${same([...byCall, 'owner'], calls, 'one')}
          for no key update of ${ofCalls} skip locked
        ) as free where ${same(byCall, calls, 'free')}`,
    ),
  }
}

interface Lease {
  leased_until: number | null
  owner: string | null
}

export interface ClaimOptions {
  among: Names
  before: readonly Step[]
}

/** A lane that a claim has locked, and what it takes of it. */
interface Locked<Key> {
  key: string
  lane: Key
  row: LaneRow
  state: Lane
}

/**
 * Claims on a server, in three flights whatever number of calls and lanes: lock the lanes, look at their calls, lease them with the commit. Lanes and calls
 * that another client has locked are left out. The look comes after the locks, so it sees every call that was added before.
 */
export class LaneClaims<Key extends Names, Due extends Lease, Call> {
  readonly #of: CallsInLanes<Key, Due, Call>
  readonly #queries: ReturnType<typeof claimQueries<Due>>
  readonly #laneIn: (row: object) => Key
  readonly #keyOfLane: (row: object) => string
  readonly #keyOfCall: (row: object) => string

  constructor(tables: Kysely<Tables>, of: CallsInLanes<Key, Due, Call>) {
    this.#of = of
    this.#queries = claimQueries<Due>(tables, of as unknown as CallsInLanes<Names, Due, unknown>)
    this.#laneIn = valuesIn<Key>(of.byLane)
    this.#keyOfLane = keyBy(of.byLane)
    this.#keyOfCall = keyBy(of.byCall)
  }

  /** `among` names the lanes of one adapter. `before` goes along with the first flight. */
  *claim(claim: Claim, { among, before }: ClaimOptions): Command<Call[]> {
    const { now, limit, perLane } = claim
    const claimed: Call[] = []
    const refused = refusedPlaces(perLane).atMost
    let first = before
    for (;;) {
      const wanted = limit - claimed.length
      const values = { ...among, now, wanted, perLane, refused, lanes: mostLanes }
      const answers: readonly unknown[][] = yield* together(...first, ask(this.#queries.lockLanes, values))
      const found = answers.at(-1) as (LaneRow & { planned: number })[]
      first = []
      const { taken, isLast } = yield* this.#takeFrom(found, claim, wanted)
      claimed.push(...taken)
      if (isLast) return claimed
    }
  }

  *#takeFrom(
    found: readonly (LaneRow & { planned: number })[],
    claim: Claim,
    wanted: number,
  ): Command<{ taken: Call[]; isLast: boolean }> {
    if (found.length === 0) return { taken: [], isLast: true }
    const { now, leaseUntil, perLane, owner } = claim
    const { byLane, byCall, callFrom } = this.#of
    const locked = found.map((row): Locked<Key> => {
      return { key: this.#keyOfLane(row), lane: this.#laneIn(row), row, state: laneFrom(row) }
    })
    const [later, due] = yield* this.#look(locked, claim)
    const looks: object[] = []
    const taken = new Map<string, { row: Due; claimed: Claimed<Key> }>()
    for (const { key, lane, row, state } of locked) {
      const ofLane = due.get(key) ?? []
      const took = takeFrom(state, {
        fresh: ofLane.filter(({ is_refused }) => is_refused === 0),
        refused: ofLane.filter(({ is_refused }) => is_refused === 1),
        after: later.get(key),
        most: openAtOnce(state, perLane),
        room: wanted - taken.size,
        ...{ now, leaseUntil },
      })
      const { full, nextDue } = took
      for (const one of took.taken) {
        const claimed = { lane, owner, full, probe: isClosed(state) }
        taken.set(this.#keyOfCall(one), { row: one, claimed })
      }
      const next_at = full ? Math.min(nextDue!, now + againAfter) : nextDue
      // A lane without a place in this claim keeps its place among the lanes.
      if (took.taken.length > 0 || nextDue !== now)
        looks.push({ ...row, next_at, becomes_full: full ? 1 : 0 })
    }
    const lookAt = ask(this.#queries.lookAt, columnsOf(looks, [...byLane, 'next_at', 'becomes_full']))
    if (taken.size === 0) {
      yield* lastly(lookAt)
      return { taken: [], isLast: true }
    }
    // Fewer than there may be: others have locked some.
    const isLast = taken.size >= wanted || found[0]!.planned < wanted
    const keys = columnsOf(
      [...taken.values()].map(({ row }) => row),
      byCall,
    )
    const lease = ask(this.#queries.lease, { ...keys, now, leaseUntil, owner })
    // A lease whose answer was lost ends, and the call is claimed again.
    const [leased] = isLast ? yield* lastlyAsking(lease, lookAt) : yield* together(lease, lookAt)
    const rows = new Map(leased.map((row) => [this.#keyOfCall(row), row]))
    const calls = [...taken].flatMap(([key, { row: before, claimed }]) => {
      const row = rows.get(key)
      return row ? [callFrom({ ...row, owner: before.owner }, claimed)] : []
    })
    return { taken: calls, isLast }
  }

  /** Of each lane the time of its first call that is not due yet, and its due calls. */
  *#look(
    locked: readonly Locked<Key>[],
    { now, perLane }: Claim,
  ): Command<[Map<string, number | undefined>, Map<string, DueRow<Due>[]>]> {
    const { byLane } = this.#of
    const { later, due, probe } = this.#queries
    const refused = 2 * refusedPlaces(perLane).atMost
    const rowsOfLanes = (lanes: readonly Locked<Key>[]) =>
      columnsOf(
        lanes.map(({ row }) => row),
        byLane,
      )
    const open = locked.filter(({ state }) => !isClosed(state))
    const closed = locked.filter(({ state }) => isClosed(state))
    const [afterwards, ...found] = yield* together(
      ask(later, { ...rowsOfLanes(locked), now }),
      ask(due, { ...rowsOfLanes(open), now, fresh: 2 * perLane, refused }),
      ...closed.map(({ lane }) => ask(probe, { ...lane, now })),
    )
    return [
      new Map(afterwards.map((row) => [this.#keyOfLane(row), row.due_at ?? undefined])),
      Map.groupBy(found.flat() as DueRow<Due>[], this.#keyOfLane),
    ]
  }

  renew(leased: readonly Names[], leaseUntil: number): Step {
    const names = [...this.#of.byCall, 'owner'] as const
    const rows = leased.map((one) => Object.fromEntries(names.map((name) => [name, one[nameOf(name)]])))
    return ask(this.#queries.renew, { ...columnsOf(rows, names), leaseUntil })
  }

  /** Looks into lanes after calls have ended in them. One that another client has locked is left to that one. */
  makeRoom(lanes: readonly { lane: Key; now: number }[]): Step {
    const { byLane } = this.#of
    const rows = lanes.map(({ lane, now: ended_at }) => ({
      ...Object.fromEntries(byLane.map((name) => [name, lane[nameOf(name)]])),
      ended_at,
    }))
    return ask(this.#queries.lookInto, columnsOf(rows, [...byLane, 'ended_at']))
  }
}

const keyBy = (names: readonly string[]) => (row: object) =>
  names.map((name) => row[name as keyof typeof row]).join(' ')
