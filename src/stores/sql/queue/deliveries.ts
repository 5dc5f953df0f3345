import { sql } from 'kysely'
import type {
  Deliveries,
  DeliveryCall,
  LeasedOrder,
  WebhookFilter,
  WebhookState,
} from '../../../store/webhooks.ts'
import { columns, type Db, ifGiven, matching, prepareText, rowsBy } from '../columns.ts'
import { read } from '../port.ts'
import { all, type Command, first, forGroups, type Step, times, type Value } from '../query.ts'
import { deliveriesFrom, type StateRow, webhookStateFrom } from './call-rows.ts'
import { isRefused } from './lanes.ts'

/** Why the last call of a row of `deliveries` failed; null where it succeeded. */
export const lastFailure = sql<
  string | null
>`case when deliveries.last_at is null then deliveries.failure else deliveries.last_failure end`

/** Deliveries of webhooks: one row for each status version of an order, for any number of deliveries. */
export function deliveryCommands(db: Db) {
  const add = forGroups((size, value) =>
    db
      .insertInto('deliveries')
      .values(
        times(size, () => ({
          ...columns(value, 'shop_id', 'order_id', 'version', 'at', 'ms', 'status', 'failure', 'answer'),
          calls: sql<number>`1`,
        })),
      )
      .onConflict((conflict) =>
        conflict.columns(['shop_id', 'order_id', 'version']).doUpdateSet((excluded) => ({
          calls: sql<number>`deliveries.calls + 1`,
          last_at: excluded.ref('excluded.at'),
          last_ms: excluded.ref('excluded.ms'),
          last_status: excluded.ref('excluded.status'),
          last_failure: excluded.ref('excluded.failure'),
          last_answer: excluded.ref('excluded.answer'),
        })),
      ),
  )
  const callsOf = rowsBy(db, 'deliveries', ['shop_id', 'order_id'], 'version')

  return {
    /** The deliveries of the last 30 days: the first, the last and the count for each status version, oldest first. */
    deliveries: read(function* (shopId: string, orderId: string): Command<Deliveries[]> {
      return (yield* all(callsOf, { shopId, orderId })).map(deliveriesFrom)
    }),

    addCall: (of: OfOrder, call: DeliveryCall): Step => add(1, valuesOf(of, call)),

    addCalls: (group: readonly { owed: OfOrder; call: DeliveryCall }[]): Step =>
      add(
        group.length,
        group.flatMap(({ owed, call }) => valuesOf(owed, call)),
      ),
  }
}

type OfOrder = Pick<LeasedOrder, 'shopId' | 'orderId'>

const valuesOf = ({ shopId, orderId }: OfOrder, call: DeliveryCall): Value[] => {
  const { version, at, ms, status = null, failure = null, answer } = call
  return [shopId, orderId, version, at, ms, status, failure, answer]
}

export type DeliveryCommands = Pick<ReturnType<typeof deliveryCommands>, 'addCall' | 'addCalls'>

/** The webhooks of payments, with the failure of the last call for the status of each. */
const states = sql`select payments.shop_id, payments.order_id, status, payments.webhook_url, changed_at, status_version,
    read_version, webhooks.tries, webhooks.due_at, webhooks.owed_since, lanes.probe_at, lanes.next_due,
    case when ${isRefused} then 1 end as is_refused,
    (select ${lastFailure} from deliveries where deliveries.order_id = payments.order_id
      and deliveries.shop_id = payments.shop_id and deliveries.version = payments.status_version) as failure
  from payments
    left join webhooks on webhooks.shop_id = payments.shop_id and webhooks.order_id = payments.order_id
    left join lanes on lanes.lane = webhooks.lane`

/** Reads the state of the payments' webhooks. */
export function owedCommands(db: Db) {
  const text = prepareText(db)
  const counts = text<{ owed: number; dead: number; owed_since: number | null }>(
    () => sql`select count(due_at) as owed, count(*) - count(due_at) as dead,
      min(case when due_at is not null then owed_since end) as owed_since from webhooks`,
  )
  const changed = text<StateRow>(
    (value) => sql`${states} where changed_at >= ${value('since')} and status_version > 0
      and ${ifGiven(value, 'payments.shop_id')} order by changed_at limit ${value('limit')}`,
  )
  const notDelivered = text<StateRow>(
    (value) => sql`${states} where webhooks.owed_since is not null and ${ifGiven(value, 'payments.shop_id')}
      order by webhooks.owed_since limit ${value('limit')}`,
  )
  const ofOrder = text<StateRow>(
    (value) => sql`${states} where ${matching(value, 'payments.shop_id', 'payments.order_id')}`,
  )

  return {
    /** Payments whose webhook is owed, or that changed since a given time, oldest first. */
    webhooks: read(function* ({ shopId, orderId, since, limit }: WebhookFilter): Command<WebhookState[]> {
      const rows =
        orderId !== undefined
          ? yield* all(ofOrder, { shopId, orderId })
          : since === undefined
            ? yield* all(notDelivered, { shopId, limit })
            : yield* all(changed, { shopId, since, limit })
      return rows.map(webhookStateFrom)
    }),

    /** The numbers of owed and dead webhooks, and the time since which the oldest is owed, in milliseconds since 1970. */
    countWebhooks: read(function* (): Command<{ owed: number; dead: number; owedSince: number | undefined }> {
      const { owed, dead, owed_since } = (yield* first(counts, {}))!
      return { owed, dead, owedSince: owed_since ?? undefined }
    }),
  }
}
