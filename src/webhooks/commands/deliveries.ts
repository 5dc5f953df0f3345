import { sql } from 'kysely'
import type { Claimed } from '../../queue/lane-claims.ts'
import { isRefused } from '../../queue/lane-queries.ts'
import { type Db, ifGiven, matching, members, type Row, value } from '../../store/columns.ts'
import { all, first, read, type Step, times, type Value } from '../../store/query.ts'

export interface DeliveryCall {
  /** Milliseconds since 1970. */
  at: number
  ms: number
  version: number
  /** Its id in the signature; the same for each try of a version. Not set where webhooks are not signed. */
  message?: string | undefined
  /** Not set without an answer. */
  status: number | undefined
  failure: string | undefined
  /** The answer's first 10 KB. */
  answer: string
}

export const owedColumns = ['shop_id', 'order_id', 'webhook_url', 'version', 'tries', 'owed_since'] as const

export type OwedRow = Pick<Row<'webhooks'>, (typeof owedColumns)[number] | 'owner'>
export type OwedWebhook = ReturnType<typeof owedFrom>

/** A claimed webhook: `version` is the status version of its call. Only its `owner` settles or postpones it. */
export const owedFrom = ({ row, ...claimed }: Claimed<OwedRow>) => ({
  ...members(row, ...owedColumns),
  ...claimed,
  /** Whether another process claimed it before and its lease ended. */
  takenOver: row.owner !== null && row.owner !== claimed.owner,
})

export interface Delivered {
  owed: OwedWebhook
  call: DeliveryCall
}

/** Why the last call of a row of `deliveries` failed; null where it succeeded. */
export const lastFailure = sql<
  string | null
>`case when deliveries.last_at is null then deliveries.failure else deliveries.last_failure end`

function valuesOf({ owed: { shopId, orderId }, call }: Delivered): Value[] {
  const { version, at, ms, status = null, failure = null, answer, message = null } = call
  return [shopId, orderId, version, at, ms, status, failure, answer, message]
}

export type DeliveryCommands = ReturnType<typeof deliveryCommands>

export type Deliveries = ReturnType<typeof deliveriesFrom>

/** The deliveries of one status version. `last` is not set after a single one. */
function deliveriesFrom(row: Row<'deliveries'>) {
  const { version, calls, last_at: at, last_ms, last_status, last_failure, last_answer } = row
  const first: DeliveryCall = { version, ...members(row, 'at', 'ms', 'status', 'failure', 'answer') }
  const said = { status: last_status ?? undefined, failure: last_failure ?? undefined }
  const last: DeliveryCall | undefined =
    at === null ? undefined : { version, at, ms: last_ms!, ...said, answer: last_answer! }
  return { version, calls, first, last }
}

/** A payment beside its webhook and the lane of that, both of which may be missing. */
type StateRow = Pick<
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

export type WebhookState = ReturnType<typeof webhookStateFrom>

const webhookStateFrom = (row: StateRow) => ({
  ...members(row, 'shop_id', 'order_id', 'status', 'webhook_url', 'changed_at'),
  state: row.owed_since === null ? 'delivered' : row.due_at === null ? 'dead' : ('owed' as const),
  tries: row.tries ?? 0,
  /** The time of the next delivery; in a closed lane the next probe, which calls one of its orders. A past time means now. */
  dueAt: row.due_at === null ? undefined : nextCallOf(row, row.due_at),
  laneClosed: row.probe_at !== null,
  /** Whether it is tried as soon as its closed lane opens. A webhook that was refused on its own keeps its own time. */
  waitsForLane: row.probe_at !== null && row.due_at !== null && row.is_refused !== 1,
  /** Why the last call for its status failed. Not set if it succeeded, or none was made. */
  lastFailure: row.failure ?? undefined,
  /** The platform has read the status after a webhook. */
  confirmed: row.read_version >= row.status_version,
})

/** A closed lane calls one order at its next probe, and after a success all that wait for it. An order that was refused itself has its own time. */
function nextCallOf({ probe_at, next_due, is_refused }: StateRow, dueAt: number): number {
  if (probe_at === null) return dueAt
  const probe = Math.max(probe_at, next_due ?? dueAt)
  return is_refused === 1 ? Math.max(dueAt, probe) : probe
}

/** The webhooks of payments, with the failure of the last call for the status of each. */
const states = sql`select payments.shop_id, payments.order_id, status, payments.webhook_url, changed_at, status_version,
    read_version, webhooks.tries, webhooks.due_at, webhooks.owed_since, lanes.probe_at, lanes.next_due,
    case when ${isRefused} then 1 end as is_refused,
    (select ${lastFailure} from deliveries where deliveries.order_id = payments.order_id
      and deliveries.shop_id = payments.shop_id and deliveries.version = payments.status_version) as failure
  from payments
    left join webhooks on webhooks.shop_id = payments.shop_id and webhooks.order_id = payments.order_id
    left join lanes on lanes.lane = webhooks.lane`

export interface WebhookFilter {
  shopId?: string
  /** Only the one of this order, whatever `since` is. Needs `shopId`. */
  orderId?: string
  /** Includes delivered webhooks of payments whose status changed at or after this time. */
  since?: number
  limit: number
}

/** The state of the payments' webhooks, and their deliveries: one row for each status version of an order, for any number of deliveries. */
export function deliveryCommands(db: Db) {
  const added = ['shop_id', 'order_id', 'version', 'at', 'ms', 'status', 'failure', 'answer', 'message']
  const add = db.groups((size) => {
    const row = () => sql`(${sql.join(added.map((name) => value(name)))})`
    return sql`insert into deliveries (${sql.raw(added.join(', '))}) values ${sql.join(times(size, row))}
      on conflict (shop_id, order_id, version) do update set calls = deliveries.calls + 1, last_at = excluded.at,
        last_ms = excluded.ms, last_status = excluded.status, last_failure = excluded.failure, last_answer = excluded.answer`
  })
  const callsOf = db.rowsBy('deliveries', ['shop_id', 'order_id'], 'version')

  const counts = db.text<{ owed: number; dead: number; owed_since: number | null }>`
    select count(due_at) as owed, count(*) - count(due_at) as dead,
      min(case when due_at is not null then owed_since end) as owed_since from webhooks`
  const changed = db.text<StateRow>`${states} where changed_at >= ${value('since')} and status_version > 0
      and ${ifGiven('payments.shop_id')} order by changed_at limit ${value('limit')}`
  const notDelivered = db.text<StateRow>`
    ${states} where webhooks.owed_since is not null and ${ifGiven('payments.shop_id')}
      order by webhooks.owed_since limit ${value('limit')}`
  const ofOrder = db.text<StateRow>`${states} where ${matching('payments.shop_id', 'payments.order_id')}`

  return {
    /** The deliveries of the last 30 days: the first, the last and the count for each status version, oldest first. */
    deliveries: read(function* (shopId: string, orderId: string) {
      return (yield* all(callsOf, { shopId, orderId })).map(deliveriesFrom)
    }),

    addCalls: (group: readonly Delivered[]): Step => add(group.length, group.flatMap(valuesOf)),

    /** Payments whose webhook is owed, or that changed since a given time, oldest first. */
    webhooks: read(function* ({ shopId, orderId, since, limit }: WebhookFilter) {
      const rows =
        orderId !== undefined
          ? yield* all(ofOrder, { shopId, orderId })
          : since === undefined
            ? yield* all(notDelivered, { shopId, limit })
            : yield* all(changed, { shopId, since, limit })
      return rows.map(webhookStateFrom)
    }),

    /** The numbers of owed and dead webhooks, and the time since which the oldest is owed, in milliseconds since 1970. */
    countWebhooks: read(function* () {
      const { owed, dead, owed_since } = (yield* first(counts, {}))!
      return { owed, dead, owedSince: owed_since ?? undefined }
    }),
  }
}
