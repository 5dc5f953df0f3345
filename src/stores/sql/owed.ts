import { type Kysely, sql } from 'kysely'
import type { WebhookFilter, WebhookState } from '../../store/webhooks.ts'
import { webhookStateFrom } from './call-rows.ts'
import { ifGiven, matching } from './columns.ts'
import { lastFailure } from './deliveries.ts'
import { isRefused } from './fresh-first.ts'
import { read } from './port.ts'
import { all, type Command, first, prepare } from './query.ts'
import type { Tables } from './schema.ts'

/** Of the last call for the status of the payment. */
const failure = sql<string | null>`(select ${lastFailure} from deliveries
  where deliveries.order_id = payments.order_id and deliveries.shop_id = payments.shop_id
    and deliveries.version = payments.status_version)`.as('failure')

/** Reads the state of the payments' webhooks. */
export function owedCommands(db: Kysely<Tables>) {
  const counts = prepare(() =>
    db
      .selectFrom('webhooks')
      .select([
        sql<number>`count(due_at)`.as('owed'),
        sql<number>`count(*) - count(due_at)`.as('dead'),
        sql<number | null>`min(case when due_at is not null then owed_since end)`.as('owed_since'),
      ]),
  )
  const states = () =>
    db
      .selectFrom('payments')
      .leftJoin('webhooks', (join) =>
        join
          .onRef('webhooks.shop_id', '=', 'payments.shop_id')
          .onRef('webhooks.order_id', '=', 'payments.order_id'),
      )
      .leftJoin('lanes', 'lanes.lane', 'webhooks.lane')
      .select(['payments.shop_id', 'payments.order_id', 'status', 'payments.webhook_url', 'changed_at'])
      .select(['status_version', 'read_version', 'webhooks.tries', 'webhooks.due_at', 'webhooks.owed_since'])
      .select(['lanes.probe_at', 'lanes.next_due'])
      .select(sql<number | null>`case when ${isRefused} then 1 end`.as('is_refused'))
      .select(failure)
  const changed = prepare((value) =>
    states()
      .where('changed_at', '>=', value('since'))
      .where('status_version', '>', sql<number>`0`)
      .where(ifGiven(value, 'payments.shop_id'))
      .orderBy('changed_at')
      .limit(value('limit')),
  )
  const notDelivered = prepare((value) =>
    states()
      .where('webhooks.owed_since', 'is not', null)
      .where(ifGiven(value, 'payments.shop_id'))
      .orderBy('webhooks.owed_since')
      .limit(value('limit')),
  )
  const ofOrder = prepare((value) => states().where(matching(value, 'payments.shop_id', 'payments.order_id')))

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
