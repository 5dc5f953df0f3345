import { type Kysely, sql } from 'kysely'
import { sameCauseWithin } from '../../store/anomalies.ts'
import type { Counts } from '../../store/counts.ts'
import type { LaneKind, Waiting } from '../../store/lanes.ts'
import type { Place } from './columns.ts'
import { laneOfPush, waitsInLane } from './lanes.ts'
import { read } from './port.ts'
import { ask, type Command, inOneFlight, prepare, together } from './query.ts'
import type { Tables } from './schema.ts'

interface Counting {
  countWebhooks(): Command<Counts['webhooks']>
  countAnomalies(): Command<Counts['anomalies']>
  countCauses(among: { within: number; newest: number }): Command<Counts['causes']>
  countUnread(now: number): Command<number>
  countWaiting(now: number): Command<Counts['waiting']>
}

/** Metrics look at the causes of this many anomalies: 5,000 take about 15 ms of CPU on SQLite. */
const mostCounted = 5_000

/** All that metrics show of a store, in one flight. */
export function countCommands(commands: Counting) {
  return {
    /** The results of `countWebhooks`, `countAnomalies`, `countCauses`, `countUnread` and `countWaiting`, read at one moment. */
    countAll: read(function* (now: number): Command<Counts> {
      const [webhooks, anomalies, causes, unread, waiting] = yield* inOneFlight(
        commands.countWebhooks(),
        commands.countAnomalies(),
        commands.countCauses({ within: sameCauseWithin, newest: mostCounted }),
        commands.countUnread(now),
        commands.countWaiting(now),
      )
      return { webhooks, anomalies, causes, unread, waiting }
    }),
  }
}

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
