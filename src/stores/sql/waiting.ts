import { type Kysely, sql } from 'kysely'
import type { LaneKind, Waiting } from '../../store/lanes.ts'
import type { Place } from './columns.ts'
import { laneOfPush, waitsInLane } from './lanes.ts'
import { read } from './port.ts'
import { ask, type Command, prepare, together } from './query.ts'
import type { Tables } from './schema.ts'

interface Counted {
  open: number
  closed: number
  due_since: number | null
}

/** Waiting calls by the state of their lane. A leased call is being made. */
const counted = (value: Place) => [
  sql<number>`count(case when probe_at is null then 1 end)`.as('open'),
  sql<number>`count(probe_at)`.as('closed'),
  sql<number | null>`min(case when probe_at is null and due_at <= ${value('now')}
    and (leased_until is null or leased_until <= ${value('now')}) then due_at end)`.as('due_since'),
]

/** Counts waiting work for metrics, in one flight of queries for any number of shops. */
export function waitingCommands(db: Kysely<Tables>) {
  const webhooks = prepare((value) =>
    db
      .selectFrom('webhooks')
      .innerJoin('lanes', 'lanes.lane', 'webhooks.lane')
      .select(counted(value))
      .where('due_at', 'is not', null),
  )
  const pushes = prepare((value) =>
    db
      .selectFrom('pushes')
      .innerJoin('push_lanes', laneOfPush)
      .select(counted(value))
      .where('due_at', 'is not', null)
      .where(waitsInLane(value)),
  )
  const checks = prepare((value) =>
    db
      .selectFrom('attempts')
      .select([
        sql<number>`count(*)`.as('open'),
        sql<number>`0`.as('closed'),
        sql<number | null>`min(check_at)`.as('due_since'),
      ])
      .where('check_at', '<=', value('now')),
  )
  const closedLanes = (table: 'lanes' | 'push_lanes') =>
    prepare(() =>
      db.selectFrom(table).select(sql<number>`count(*)`.as('count')).where('probe_at', 'is not', null),
    )
  const closedWebhookLanes = closedLanes('lanes')
  const closedPushLanes = closedLanes('push_lanes')

  return {
    /** The waiting work of each kind, in a constant number of queries. */
    countWaiting: read(function* (now: number): Command<Waiting[]> {
      const [ofWebhooks, ofPushes, ofChecks, webhookLanes, pushLanes] = yield* together(
        ask(webhooks, { now }),
        ask(pushes, { now }),
        ask(checks, { now }),
        ask(closedWebhookLanes, {}),
        ask(closedPushLanes, {}),
      )
      const waiting = (kind: LaneKind | 'check', rows: Counted[], lanesClosed: number): Waiting => {
        const { open, closed, due_since } = rows[0]!
        return { kind, open, closed, dueSince: due_since ?? undefined, lanesClosed }
      }
      return [
        waiting('webhook', ofWebhooks, webhookLanes[0]!.count),
        waiting('push', ofPushes, pushLanes[0]!.count),
        waiting('check', ofChecks, 0),
      ]
    }),
  }
}
