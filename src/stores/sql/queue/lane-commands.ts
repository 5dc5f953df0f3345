import { type RawBuilder, sql } from 'kysely'
import { byProvider } from '../../../audit.ts'
import type { LaneFailure, LaneFilter, LaneKey, LaneRecord } from '../../../store/lanes.ts'
import type { AuditCommands } from '../audit.ts'
import { type Db, ifGiven, matching, prepareText } from '../columns.ts'
import { read, write } from '../port.ts'
import { all, alone, type Command, type Place, together } from '../query.ts'
import { plain } from '../rows.ts'
import { type CountedLane, laneRecordFrom } from './call-rows.ts'
import { lastFailure } from './deliveries.ts'
import { isRefused, laneOfPush, outageNames, waitsInLane } from './lanes.ts'
import type { PushCommands } from './pushes.ts'
import type { WebhookCommands } from './webhooks.ts'

/** The waiting calls of a lane, since the time in this column. */
const counted = (value: Place, since: RawBuilder<unknown>) => sql`count(due_at) as waiting,
  count(case when leased_until > ${value('now')} then 1 end) as open,
  count(case when due_at is not null and ${isRefused} then 1 end) as refused,
  min(due_at) as due_at, min(${since}) as waiting_since`

const state = sql.raw(
  ['failures', 'failing_since', 'closed_at', 'probe_at', 'last_failure', ...outageNames].join(', '),
)

/** Lanes that are closed or have calls, the one that is asked for, and those whose last outage is not long ago. */
const isShown = (value: Place) =>
  sql<boolean>`probe_at is not null or count(due_at) > 0 or cast(${value('to')} as text) is not null
    or outage_ended_at >= cast(${value('endedSince')} as bigint)`

const webhookLane = (lane: string): LaneKey => {
  const end = lane.indexOf(' ')
  return { kind: 'webhook', shopId: lane.slice(0, end), to: lane.slice(end + 1) }
}

function shownLanes(db: Db) {
  const text = prepareText(db)
  const last = (value: Place, since: RawBuilder<unknown>) => sql`having ${isShown(value)}
    order by coalesce(min(${since}), closed_at, cast(${value('now')} as bigint)) limit ${value('limit')}`
  const webhookLanes = text<CountedLane & { lane: string }>(
    (value) => sql`select lanes.lane, ${state}, ${counted(value, sql`owed_since`)} from lanes
        left join webhooks on webhooks.lane = lanes.lane and due_at is not null
      where (cast(${value('shopId')} as text) is null
          or substr(lanes.lane, 1, length(${value('shopId')}) + 1) = ${value('shopId')} || ' ')
        and (cast(${value('to')} as text) is null or lanes.lane = ${value('shopId')} || ' ' || ${value('to')})
      group by lanes.lane, ${state} ${last(value, sql`owed_since`)}`,
  )
  const pushLanes = text<CountedLane & { adapter: string; shop_id: string }>(
    (
      value,
    ) => sql`select push_lanes.adapter, push_lanes.shop_id, ${state}, ${counted(value, sql`received_at`)}
      from push_lanes left join pushes on ${laneOfPush} and due_at is not null and ${waitsInLane(value)}
      where ${ifGiven(value, 'push_lanes.shop_id')}
        and (cast(${value('to')} as text) is null or push_lanes.adapter = ${value('to')})
      group by push_lanes.adapter, push_lanes.shop_id, ${state} ${last(value, sql`received_at`)}`,
  )
  const webhookFailures = text<FailureRow>(
    (value) => sql`select ${lastFailure} as failure, count(distinct webhooks.order_id) as calls,
        min(webhooks.order_id) as order_id
      from webhooks join deliveries on deliveries.order_id = webhooks.order_id
        and deliveries.shop_id = webhooks.shop_id and deliveries.version = webhooks.version
      where lane = ${value('lane')} and due_at is not null and ${lastFailure} is not null
      group by ${lastFailure} order by calls desc limit ${value('limit')}`,
  )
  const pushFailures = text<FailureRow>(
    (value) => sql`select outcome as failure, count(*) as calls, null as order_id from pushes
      where ${matching(value, 'adapter', 'shop_id')} and due_at is not null and outcome is not null
        and coalesce(trouble, '') <> 'unmatched'
      group by outcome order by calls desc limit ${value('limit')}`,
  )
  return { webhookLanes, pushLanes, webhookFailures, pushFailures }
}

interface FailureRow {
  failure: string
  calls: number
  order_id: string | null
}

/** Lanes for people: waiting calls, since when and why, and how to open a lane. */
export function laneCommands(
  db: Db,
  of: { webhooks: WebhookCommands; pushes: PushCommands; audit: AuditCommands },
) {
  const { webhookLanes, pushLanes, webhookFailures, pushFailures } = shownLanes(db)

  return {
    /** Why the calls that wait in a lane failed last, the most frequent reason first. */
    laneFailures: read(function* ({ kind, shopId, to }: LaneKey, limit: number): Command<LaneFailure[]> {
      const rows =
        kind === 'webhook'
          ? yield* all(webhookFailures, { lane: `${shopId} ${to}`, limit })
          : yield* all(pushFailures, { adapter: to, shopId, limit })
      return rows.map(plain)
    }),

    /** Lanes that are closed or have waiting calls, longest wait first. */
    lanes: read(function* ({ kind, ...filter }: LaneFilter): Command<LaneRecord[]> {
      const { now, limit } = filter
      const found: LaneRecord[] = []
      if (kind !== 'push') {
        const rows = yield* all(webhookLanes, filter)
        found.push(...rows.map((row) => laneRecordFrom(webhookLane(row.lane), row)))
      }
      if (kind !== 'webhook') {
        const rows = yield* all(pushLanes, filter)
        found.push(
          ...rows.map((row) => laneRecordFrom({ kind: 'push', shopId: row.shop_id, to: row.adapter }, row)),
        )
      }
      const since = ({ waitingSince, closedAt }: LaneRecord) => waitingSince ?? closedAt ?? now
      return found.sort((one, other) => since(one) - since(other)).slice(0, limit)
    }),

    /**
     * Opens a lane, closed or not: every call that failed and waits is due at once, also one that was refused on its own. A push that waits for
     * its payment goes on waiting. Resolves with the number of calls due now, or with `undefined` if there is no such lane.
     */
    openLane: write(function* (
      { kind, shopId, to }: LaneKey,
      now: number,
      by = byProvider,
    ): Command<number | undefined> {
      yield* alone()
      const webhookLane = { lane: `${shopId} ${to}` }
      const pushLane = { adapter: to, shopId }
      const [[row]] = yield* together(
        kind === 'webhook' ? of.webhooks.calls.look(webhookLane) : of.pushes.calls.look(pushLane),
      )
      if (!row) return undefined
      const entry = of.audit.entry(shopId, { at: now, by }, { action: 'lane.opened', kind, to })
      return kind === 'webhook'
        ? yield* of.webhooks.calls.openByHand(webhookLane, now, [entry])
        : yield* of.pushes.calls.openByHand(pushLane, now, [entry])
    }),
  }
}
