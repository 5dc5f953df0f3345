import { sql } from 'kysely'
import type { Counts } from '../../store/counts.ts'
import type { Waiting } from '../../store/lanes.ts'
import { sameCauseWithin } from '../../store/payments.ts'
import { type Db, prepareText } from './columns.ts'
import { read } from './port.ts'
import { ask, type Command, inOneFlight, type Place, type Query, together } from './query.ts'
import { laneOfPush, waitsInLane } from './queue/lanes.ts'

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
const counted = (
  value: Place,
) => sql`count(case when probe_at is null then 1 end) as open, count(probe_at) as closed,
  min(case when probe_at is null and due_at <= ${value('now')}
    and (leased_until is null or leased_until <= ${value('now')}) then due_at end) as due_since`

/** Counts waiting work for metrics, in one flight of queries for any number of shops. */
export function waitingCommands(db: Db) {
  const text = prepareText(db)
  const webhooks = text<Counted>(
    (value) => sql`select ${counted(value)} from webhooks join lanes on lanes.lane = webhooks.lane
      where due_at is not null`,
  )
  const pushes = text<Counted>(
    (value) => sql`select ${counted(value)} from pushes join push_lanes on ${laneOfPush}
      where due_at is not null and ${waitsInLane(value)}`,
  )
  const checks = text<Counted>(
    (value) => sql`select count(*) as open, 0 as closed, min(check_at) as due_since from attempts
      where check_at <= ${value('now')}`,
  )
  const [closedWebhookLanes, closedPushLanes] = [sql`lanes`, sql`push_lanes`].map((lanes) =>
    text<{ count: number }>(() => sql`select count(*) as count from ${lanes} where probe_at is not null`),
  ) as [Query<{ count: number }>, Query<{ count: number }>]

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
      const waiting = (kind: Waiting['kind'], [row]: Counted[], lanesClosed: number): Waiting => {
        const { open, closed, due_since: dueSince } = row!
        return { kind, open, closed, dueSince: dueSince ?? undefined, lanesClosed }
      }
      return [
        waiting('webhook', ofWebhooks, webhookLanes[0]!.count),
        waiting('push', ofPushes, pushLanes[0]!.count),
        waiting('check', ofChecks, 0),
      ]
    }),
  }
}
