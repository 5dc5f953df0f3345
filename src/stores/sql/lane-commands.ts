import { type Kysely, type RawBuilder, sql } from 'kysely'
import { byProvider } from '../../audit.ts'
import type { LaneFailure, LaneFilter, LaneKey, LaneRecord } from '../../store/lanes.ts'
import type { AuditCommands } from './audit.ts'
import { laneRecordFrom } from './call-rows.ts'
import { ifGiven, type Place } from './columns.ts'
import { lastFailure } from './deliveries.ts'
import { isRefused, laneOfPush, outageNames, waitsInLane } from './lanes.ts'
import { read, write } from './port.ts'
import type { PushCommands } from './pushes.ts'
import { all, alone, type Command, prepare, together } from './query.ts'
import type { Tables } from './schema.ts'
import type { WebhookCommands } from './webhooks.ts'

/** The waiting calls of a lane, since the time in this column. */
const counted = (value: Place, since: RawBuilder<number>) => [
  sql<number>`count(due_at)`.as('waiting'),
  sql<number>`count(case when leased_until > ${value('now')} then 1 end)`.as('open'),
  sql<number>`count(case when due_at is not null and ${isRefused} then 1 end)`.as('refused'),
  sql<number | null>`min(due_at)`.as('due_at'),
  sql<number | null>`min(${since})`.as('waiting_since'),
]

const state = ['failures', 'failing_since', 'closed_at', 'probe_at', 'last_failure', ...outageNames] as const

/** Lanes that are closed or have calls, the one that is asked for, and those whose last outage is not long ago. */
const isShown = (value: Place) =>
  sql<boolean>`probe_at is not null or count(due_at) > 0 or cast(${value('to')} as text) is not null
    or outage_ended_at >= cast(${value('endedSince')} as bigint)`

const webhookLane = (lane: string): LaneKey => {
  const end = lane.indexOf(' ')
  return { kind: 'webhook', shopId: lane.slice(0, end), to: lane.slice(end + 1) }
}

function shownLanes(db: Kysely<Tables>) {
  const webhookLanes = prepare((value) =>
    db
      .selectFrom('lanes')
      .leftJoin('webhooks', (join) =>
        join.onRef('webhooks.lane', '=', 'lanes.lane').on('due_at', 'is not', null),
      )
      .select(['lanes.lane', ...state])
      .select(counted(value, sql`owed_since`))
      .where(
        sql<boolean>`(cast(${value('shopId')} as text) is null
          or substr(lanes.lane, 1, length(${value('shopId')}) + 1) = ${value('shopId')} || ' ')`,
      )
      .where(
        sql<boolean>`(cast(${value('to')} as text) is null or lanes.lane = ${value('shopId')} || ' ' || ${value('to')})`,
      )
      .groupBy(['lanes.lane', ...state])
      .having(isShown(value))
      .orderBy(sql`coalesce(min(owed_since), closed_at, cast(${value('now')} as bigint))`)
      .limit(value('limit')),
  )
  const pushLanes = prepare((value) =>
    db
      .selectFrom('push_lanes')
      .leftJoin('pushes', (join) => laneOfPush(join).on('due_at', 'is not', null).on(waitsInLane(value)))
      .select(['push_lanes.adapter', 'push_lanes.shop_id', ...state])
      .select(counted(value, sql`received_at`))
      .where(ifGiven(value, 'push_lanes.shop_id'))
      .where(sql<boolean>`(cast(${value('to')} as text) is null or push_lanes.adapter = ${value('to')})`)
      .groupBy(['push_lanes.adapter', 'push_lanes.shop_id', ...state])
      .having(isShown(value))
      .orderBy(sql`coalesce(min(received_at), closed_at, cast(${value('now')} as bigint))`)
      .limit(value('limit')),
  )
  const webhookFailures = prepare((value) =>
    db
      .selectFrom('webhooks')
      .innerJoin('deliveries', (join) =>
        join
          .onRef('deliveries.order_id', '=', 'webhooks.order_id')
          .onRef('deliveries.shop_id', '=', 'webhooks.shop_id')
          .onRef('deliveries.version', '=', 'webhooks.version'),
      )
      .select([
        sql<string>`${lastFailure}`.as('failure'),
        sql<number>`count(distinct webhooks.order_id)`.as('calls'),
        sql<string | null>`min(webhooks.order_id)`.as('order_id'),
      ])
      .where('lane', '=', value('lane'))
      .where('due_at', 'is not', null)
      .where(sql<boolean>`${lastFailure} is not null`)
      .groupBy(lastFailure)
      .orderBy('calls', 'desc')
      .limit(value('limit')),
  )
  const pushFailures = prepare((value) =>
    db
      .selectFrom('pushes')
      .select([
        sql<string>`outcome`.as('failure'),
        sql<number>`count(*)`.as('calls'),
        sql<string | null>`null`.as('order_id'),
      ])
      .where('adapter', '=', value('adapter'))
      .where('shop_id', '=', value('shopId'))
      .where('due_at', 'is not', null)
      .where('outcome', 'is not', null)
      .where(sql<boolean>`coalesce(trouble, '') <> 'unmatched'`)
      .groupBy('outcome')
      .orderBy('calls', 'desc')
      .limit(value('limit')),
  )
  return { webhookLanes, pushLanes, webhookFailures, pushFailures }
}

/** Lanes for people: waiting calls, since when and why, and how to open a lane. */
export function laneCommands(
  db: Kysely<Tables>,
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
      return rows.map(({ failure, calls, order_id }) => ({ failure, calls, orderId: order_id ?? undefined }))
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
      by: string = byProvider,
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
