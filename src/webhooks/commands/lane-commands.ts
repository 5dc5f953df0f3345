import { sql } from 'kysely'
import { byProvider } from '../../audit.ts'
import type { PushCommands } from '../../payments/commands/pushes.ts'
import { isRefused } from '../../queue/lane-queries.ts'
import { type LaneKey, type LaneKind, laneFrom, laneOfKey, type Outage } from '../../queue/lanes.ts'
import type { AuditCommands } from '../../shops/commands/audit.ts'
import { type Db, ifGiven, matching, type Plain, plain, type Row, value } from '../../store/columns.ts'
import { all, alone, type Command, read, together, write } from '../../store/query.ts'
import { lastFailure } from './deliveries.ts'
import type { WebhookCommands } from './webhooks.ts'

export interface LaneFilter {
  shopId?: string | undefined
  kind?: LaneKind | undefined
  /** Only the lane to this host or adapter, even if it is open and empty. */
  to?: string | undefined
  /** Also open and empty lanes whose last outage ended at or after this time. */
  endedSince?: number | undefined
  now: number
  limit: number
}

interface ShownRow extends Row<'lanes'> {
  /** The number of waiting and open calls in it, and of open ones. */
  waiting: number
  open: number
  /** How many of the waiting ones were refused on their own, so that each has a schedule of its own and the lane stays open. */
  refused: number
  /** The due time of the earliest call, and the time since which the oldest waits. */
  due_at: number | null
  waiting_since: number | null
}

interface FailureRow {
  failure: string
  calls: number
  /** One of these orders. Not set for pushes. */
  order_id: string | null
}

export type LaneFailure = Plain<FailureRow>

interface WaitingRow {
  /** The number in open lanes, and in closed lanes; of checks, the due ones. */
  open: number
  closed: number
  /** The due time of the earliest call in an open lane that is not being made. Not set if none is due. */
  due_since: number | null
  lanes_closed: number
}

/** The calls of each kind that wait in lanes, since the time in a column, and why they failed. */
const kinds = {
  webhook: {
    lanes: sql`lanes.adapter = ''`,
    ...{ calls: 'webhooks', since: 'owed_since' },
    waits: sql`due_at is not null`,
    failures: sql`select ${lastFailure} as failure, count(distinct webhooks.order_id) as calls,
        min(webhooks.order_id) as order_id
      from webhooks join deliveries on deliveries.order_id = webhooks.order_id
        and deliveries.shop_id = webhooks.shop_id and deliveries.version = webhooks.version
      where ${matching('lane')} and due_at is not null and ${lastFailure} is not null
      group by ${lastFailure}`,
  },
  push: {
    lanes: sql`lanes.adapter > ''`,
    ...{ calls: 'pushes', since: 'received_at' },
    // A push that waits for a start to store its reference is no call that waits in its lane.
    waits: sql`due_at is not null and (trouble is null or trouble <> 'unmatched' or due_at <= ${value('now')})`,
    failures: sql`select outcome as failure, count(*) as calls, null as order_id from pushes
      where ${matching('lane')} and due_at is not null and outcome is not null
        and coalesce(trouble, '') <> 'unmatched'
      group by outcome`,
  },
}

function queriesOf(db: Db, { lanes, calls, since, waits, failures }: (typeof kinds)[LaneKind]) {
  const [table, waitingSince] = [sql.table(calls), sql`min(${sql.ref(since)})`]
  const isLeased = sql`leased_until > ${value('now')}`
  return {
    /** Lanes that are closed or have calls, the one that is asked for, and those whose last outage is not long ago. */
    shown: db.text<ShownRow>`
      select lanes.*, count(due_at) as waiting, count(case when ${isLeased} then 1 end) as open,
          count(case when due_at is not null and ${isRefused} then 1 end) as refused,
          min(due_at) as due_at, ${waitingSince} as waiting_since
        from lanes left join ${table} on ${table}.lane = lanes.lane and ${waits}
        where ${lanes} and ${ifGiven('lanes.shop_id')}
          and (cast(${value('to')} as text) is null or receiver = ${value('to')})
        group by lanes.lane
        having probe_at is not null or count(due_at) > 0 or cast(${value('to')} as text) is not null
          or outage_ended_at >= cast(${value('endedSince')} as bigint)
        order by coalesce(${waitingSince}, closed_at, cast(${value('now')} as bigint)) limit ${value('limit')}`,
    failures: db.text<FailureRow>`${failures} order by calls desc limit ${value('limit')}`,
    /** Waiting calls by the state of their lane. A leased call is being made. */
    waiting: db.text<WaitingRow>`
      select count(case when probe_at is null then 1 end) as open, count(probe_at) as closed,
          min(case when probe_at is null and due_at <= ${value('now')}
            and (leased_until is null or not ${isLeased}) then due_at end) as due_since,
          (select count(*) from lanes where ${lanes} and probe_at is not null) as lanes_closed
        from ${table} join lanes on lanes.lane = ${table}.lane where ${waits}`,
  }
}

function outageOf(row: ShownRow): Outage | undefined {
  const { outage_began_at: beganAt, outage_ended_at: endedAt, outage_waiting: calls, outage_failure } = row
  if (beganAt === null) return undefined
  return { beganAt, endedAt: endedAt!, calls: calls ?? 0, failure: outage_failure ?? undefined }
}

const recordFrom = (kind: LaneKind, row: ShownRow) => ({
  ...{ kind, shopId: row.shop_id, to: row.receiver },
  ...laneFrom(row),
  ...{ waiting: row.waiting, open: row.open, refused: row.refused },
  ...{ dueAt: row.due_at ?? undefined, waitingSince: row.waiting_since ?? undefined },
  /** The last outage that ended. Kept for 30 days. */
  lastOutage: outageOf(row),
})

/** Lanes for people: waiting calls, since when and why, and how to open a lane. */
export function laneCommands(
  db: Db,
  of: { webhooks: WebhookCommands; pushes: PushCommands; audit: AuditCommands },
) {
  const queries = { webhook: queriesOf(db, kinds.webhook), push: queriesOf(db, kinds.push) }
  const calls = { webhook: of.webhooks.calls, push: of.pushes.calls }
  const closed = db.text<{ count: number }>`
    select count(*) as count from lanes where probe_at is not null and adapter = ''`
  const dueChecks = db.text<WaitingRow>`
    select count(*) as open, 0 as closed, min(check_at) as due_since, 0 as lanes_closed
      from attempts where check_at <= ${value('now')}`

  return {
    /** Why the calls that wait in a lane failed last, the most frequent reason first. */
    laneFailures: read(function* (key: LaneKey, limit: number): Command<LaneFailure[]> {
      return (yield* all(queries[key.kind].failures, { lane: laneOfKey(key), limit })).map(plain)
    }),

    /** Lanes that are closed or have waiting calls, longest wait first. */
    lanes: read(function* ({ kind, ...filter }: LaneFilter) {
      const { now, limit } = filter
      const asked = kind === undefined ? (['webhook', 'push'] as const) : [kind]
      const rows = yield* together(...asked.map((one) => queries[one].shown(filter)))
      const found = asked.flatMap((one, index) => rows[index]!.map((row) => recordFrom(one, row)))
      const since = ({ waitingSince, closedAt }: (typeof found)[number]) => waitingSince ?? closedAt ?? now
      return found.sort((one, other) => since(one) - since(other)).slice(0, limit)
    }),

    /**
     * Opens a lane, closed or not: every call that failed and waits is due at once, also one that was refused on its own. A push that waits for
     * its payment goes on waiting. Resolves with the number of calls due now, or with `undefined` if there is no such lane.
     */
    openLane: write(function* (key: LaneKey, now: number, by = byProvider, why?: string) {
      const { kind, shopId, to } = key
      yield* alone()
      const lane = laneOfKey(key)
      // A host has no space: with one a webhook lane would have the name of a push lane.
      const isLane = kind === 'push' || !to.includes(' ')
      if (!isLane || !(yield* calls[kind].known(lane))) return undefined
      const entry = of.audit.entry(shopId, { at: now, by }, { action: 'lane.opened', kind, to, why })
      return yield* calls[kind].openByHand(lane, now, [entry])
    }),

    /** How many lanes of webhooks are closed. */
    countClosedLanes: read(function* (): Command<number> {
      return (yield* all(closed, {}))[0]!.count
    }),

    /** The waiting work of each kind, in a constant number of queries for any number of shops. */
    countWaiting: read(function* (now: number) {
      const rows = yield* together(
        queries.webhook.waiting({ now }),
        queries.push.waiting({ now }),
        dueChecks({ now }),
      )
      return (['webhook', 'push', 'check'] as const).map((kind, index) => {
        const { open, closed, due_since, lanes_closed } = rows[index]![0]!
        return { kind, open, closed, dueSince: due_since ?? undefined, lanesClosed: lanes_closed }
      })
    }),
  }
}
