import type { Lane } from '../../../payments/lane.ts'
import type { LaneKey, LaneRecord } from '../../../store/lanes.ts'
import type { ClaimedPush, KeptPush, PushRecord } from '../../../store/pushes.ts'
import type { Deliveries, OwedWebhook, WebhookState } from '../../../store/webhooks.ts'
import { members, type Row } from '../rows.ts'

// Webhooks, pushes and their lanes: maps between rows and the domain's objects, as in `rows.ts`.

/** A payment beside its webhook and the lane of that, both of which may be missing. */
export type StateRow = Pick<
  Row<'payments'>,
  'shop_id' | 'order_id' | 'status' | 'status_version' | 'read_version' | 'webhook_url' | 'changed_at'
> & {
  tries: number | null
  due_at: number | null
  owed_since: number | null
  /** 1 if a failure was its own, so that the lane's opening does not make it due. */
  is_refused: number | null
  probe_at: number | null
  next_due: number | null
  failure: string | null
}

export const webhookStateFrom = (row: StateRow): WebhookState => ({
  ...members(row, 'shop_id', 'order_id', 'status', 'webhook_url', 'changed_at'),
  state: row.owed_since === null ? 'delivered' : row.due_at === null ? 'dead' : 'owed',
  tries: row.tries ?? 0,
  dueAt: row.due_at === null ? undefined : nextCallOf(row, row.due_at),
  laneClosed: row.probe_at !== null,
  waitsForLane: row.probe_at !== null && row.due_at !== null && row.is_refused !== 1,
  lastFailure: row.failure ?? undefined,
  confirmed: row.read_version >= row.status_version,
})

/** A closed lane calls one order at its next probe, and after a success all that wait for it. An order that was refused itself has its own time. */
function nextCallOf({ probe_at, next_due, is_refused }: StateRow, dueAt: number): number {
  if (probe_at === null) return dueAt
  const probe = Math.max(probe_at, next_due ?? dueAt)
  return is_refused === 1 ? Math.max(dueAt, probe) : probe
}

/** A row of `lanes` and of `push_lanes`. */
export type LaneRow = Pick<
  Row<'lanes'>,
  'failures' | 'failing_since' | 'closed_at' | 'probe_at' | 'last_failure'
>

export const laneFrom = (row: LaneRow): Lane => ({
  ...members(row, 'failures', 'closed_at', 'probe_at', 'last_failure'),
  failingSince: row.failures > 0 ? (row.failing_since ?? undefined) : undefined,
})

export interface CountedLane
  extends LaneRow,
    Pick<Row<'lanes'>, 'outage_began_at' | 'outage_ended_at' | 'outage_failure' | 'outage_waiting'> {
  waiting: number
  open: number
  refused: number
  due_at: number | null
  waiting_since: number | null
}

export function laneRecordFrom(key: LaneKey, row: CountedLane): LaneRecord {
  const { waiting, open, refused, outage_began_at: beganAt } = row
  const lastOutage =
    beganAt === null
      ? undefined
      : {
          ...{ beganAt, endedAt: row.outage_ended_at!, calls: row.outage_waiting ?? 0 },
          failure: row.outage_failure ?? undefined,
        }
  const since = { dueAt: row.due_at ?? undefined, waitingSince: row.waiting_since ?? undefined }
  return { ...key, ...laneFrom(row), waiting, open, refused, ...since, lastOutage }
}

/** A claim's knowledge of a call beside its row. */
export interface Claimed<Lane> {
  lane: Lane
  owner: string
  full: boolean
  probe: boolean
}

/** The columns that a claim reads of a webhook, beside its owner. */
export const owedColumns = ['shop_id', 'order_id', 'webhook_url', 'version', 'tries', 'owed_since'] as const

export const owedFrom = (
  row: Pick<Row<'webhooks'>, (typeof owedColumns)[number] | 'owner'>,
  { lane: { lane }, owner, full, probe }: Claimed<{ lane: string }>,
): OwedWebhook => ({
  ...members(row, ...owedColumns),
  ...{ owner, lane, full, probe },
  takenOver: row.owner !== null && row.owner !== owner,
})

/** The deliveries of one status version. */
export function deliveriesFrom(row: Row<'deliveries'>): Deliveries {
  const { version, calls } = row
  const call = (at: number, ms: number, status: number | null, failure: string | null, answer: string) => ({
    ...{ at, ms, version, status: status ?? undefined, failure: failure ?? undefined, answer },
  })
  const first = call(row.at, row.ms, row.status, row.failure, row.answer)
  const last =
    row.last_at === null
      ? undefined
      : call(row.last_at, row.last_ms!, row.last_status, row.last_failure, row.last_answer!)
  return { version, calls, first, last }
}

/** A push, whose content is not read. */
export type PushRow = Row<'pushes'>

export const pushRecordFrom = (row: PushRow): PushRecord => ({
  ...members(row, 'shop_id', 'adapter', 'received_at', 'times', 'tries', 'due_at', 'processed_at'),
  key: row.push_key,
  outcome: row.trouble ?? (row.due_at === null ? 'processed' : 'waiting'),
  detail: row.outcome ?? undefined,
  names: row.names === null ? [] : (JSON.parse(row.names) as string[]),
})

export const keptPushFrom = (
  row: Pick<Row<'pushes'>, 'shop_id' | 'adapter' | 'push_key' | 'sealed'>,
): KeptPush => ({
  ...members(row, 'shop_id', 'adapter'),
  key: row.push_key,
  // It waits, so it has its content.
  sealed: row.sealed!,
})

/** The columns that a claim reads of a push, beside its owner. */
export const claimedPushColumns = [
  ...(['shop_id', 'adapter', 'push_key', 'sealed', 'received_at', 'times', 'tries'] as const),
]

export const claimedPushFrom = (
  row: Pick<Row<'pushes'>, (typeof claimedPushColumns)[number]>,
  { owner, full }: Pick<Claimed<unknown>, 'owner' | 'full'>,
): ClaimedPush => ({
  ...keptPushFrom(row),
  ...members(row, 'received_at', 'times', 'tries'),
  ...{ owner, full },
})
