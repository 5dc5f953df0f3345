import { sql } from 'kysely'
import type { Lane } from '../../payments/lane.ts'

/** The record of an outage that ends now. */
export const ended = (was: Lane, now: number) => ({
  began: was.failingSince ?? was.closedAt ?? now,
  now,
  failure: was.lastFailure,
})

/** The columns of an outage that ends. `waiting` counts what waits in the lane then. */
export const outageColumns = (
  value: (name: string) => never,
  calls: 'webhooks' | 'pushes',
  ofLane: ReturnType<typeof sql<boolean>>,
) => ({
  outage_began_at: value('began'),
  outage_ended_at: value('now'),
  outage_failure: value('failure'),
  outage_waiting: sql<number>`(select count(*) from ${sql.table(calls)} where ${ofLane} and due_at is not null)`,
})

export const outageNames = ['outage_began_at', 'outage_ended_at', 'outage_failure', 'outage_waiting'] as const

/** Lanes in which nothing waits are forgotten, but not before their last outage is. */
export const mayBeForgotten = (value: (name: string) => never) =>
  sql<boolean>`next_due is null and (outage_ended_at is null or outage_ended_at < ${value('before')})`
