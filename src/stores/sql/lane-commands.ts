import { type Kysely, type RawBuilder, sql } from 'kysely'
import { byProvider } from '../../audit.ts'
import type { LaneKey, LaneRecord } from '../../store.ts'
import type { AuditCommands } from './audit.ts'
import { ifGiven, type Place } from './columns.ts'
import type { Commands } from './port.ts'
import type { PushCommands } from './pushes.ts'
import { all, prepare, together } from './query.ts'
import { laneRecordFrom } from './rows.ts'
import type { Tables } from './tables.ts'
import type { WebhookCommands } from './webhooks.ts'

/** The waiting calls of a lane, since the time in this column. */
const counted = (value: Place, since: RawBuilder<number>) => [
  sql<number>`count(due_at)`.as('waiting'),
  sql<number>`count(case when held_until > ${value('now')} then 1 end)`.as('open'),
  sql<number | null>`min(due_at)`.as('due_at'),
  sql<number | null>`min(${since})`.as('waiting_since'),
]

const state = ['failures', 'closed_at', 'probe_at', 'last_failure'] as const

const webhookLane = (lane: string): LaneKey => {
  const end = lane.indexOf(' ')
  return { kind: 'webhook', shopId: lane.slice(0, end), to: lane.slice(end + 1) }
}

/** Lanes for people: waiting calls, since when and why, and how to open a lane. */
export function laneCommands(
  db: Kysely<Tables>,
  of: { webhooks: WebhookCommands; pushes: PushCommands; audit: AuditCommands },
) {
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
      .groupBy(['lanes.lane', ...state])
      .having(sql<boolean>`probe_at is not null or count(due_at) > 0`)
      .orderBy(sql`coalesce(min(owed_since), closed_at)`)
      .limit(value('limit')),
  )
  const pushLanes = prepare((value) =>
    db
      .selectFrom('push_lanes')
      .leftJoin('pushes', (join) =>
        join
          .onRef('pushes.adapter', '=', 'push_lanes.adapter')
          .onRef('pushes.shop_id', '=', 'push_lanes.shop_id')
          .on('due_at', 'is not', null),
      )
      .select(['push_lanes.adapter', 'push_lanes.shop_id', ...state])
      .select(counted(value, sql`received_at`))
      .where(ifGiven(value, 'push_lanes.shop_id'))
      .groupBy(['push_lanes.adapter', 'push_lanes.shop_id', ...state])
      .having(sql<boolean>`probe_at is not null or count(due_at) > 0`)
      .orderBy(sql`coalesce(min(received_at), closed_at)`)
      .limit(value('limit')),
  )
  return {
    *lanes({ shopId, kind, now, limit }) {
      const found: LaneRecord[] = []
      if (kind !== 'push') {
        const rows = yield* all(webhookLanes, { shopId, now, limit })
        found.push(...rows.map((row) => laneRecordFrom(webhookLane(row.lane), row)))
      }
      if (kind !== 'webhook') {
        const rows = yield* all(pushLanes, { shopId, now, limit })
        found.push(
          ...rows.map((row) => laneRecordFrom({ kind: 'push', shopId: row.shop_id, to: row.adapter }, row)),
        )
      }
      const since = ({ waitingSince, closedAt }: LaneRecord) => waitingSince ?? closedAt ?? now
      return found.sort((one, other) => since(one) - since(other)).slice(0, limit)
    },

    *openLane({ kind, shopId, to }, now, by = byProvider) {
      const webhookLane = { lane: `${shopId} ${to}` }
      const pushLane = { adapter: to, shopId }
      const [[row]] = yield* together(
        kind === 'webhook' ? of.webhooks.calls.look(webhookLane) : of.pushes.calls.look(pushLane),
      )
      if (!row) return undefined
      const due =
        kind === 'webhook'
          ? yield* of.webhooks.calls.openByHand(webhookLane, now)
          : yield* of.pushes.calls.openByHand(pushLane, now)
      yield* of.audit.logChange(shopId, { at: now, by }, { action: 'lane.opened', kind, to })
      return due
    },
  } satisfies Partial<Commands>
}
