import { type Kysely, sql } from 'kysely'
import type { WebhookFilter, WebhookState } from '../../store.ts'
import { all, type Command, first, prepare } from './query.ts'
import type { Tables } from './tables.ts'

const stateColumns = [
  'payments.shop_id',
  'payments.order_id',
  'status',
  'payments.webhook_url',
  'changed_at',
  'status_version',
  'read_version',
  'webhooks.tries',
  'webhooks.due_at',
  'webhooks.owed_since',
  'lanes.probe_at',
] as const

const ofShop = (value: (name: string) => never) =>
  sql<boolean>`(cast(${value('shopId')} as text) is null or payments.shop_id = ${value('shopId')})`

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
  const changed = prepare((value) =>
    db
      .selectFrom('payments')
      .leftJoin('webhooks', (join) =>
        join
          .onRef('webhooks.shop_id', '=', 'payments.shop_id')
          .onRef('webhooks.order_id', '=', 'payments.order_id'),
      )
      .leftJoin('lanes', 'lanes.lane', 'webhooks.lane')
      .select(stateColumns)
      .where('changed_at', '>=', value('since'))
      .where('status_version', '>', sql<number>`0`)
      .where(ofShop(value))
      .orderBy('changed_at')
      .limit(value('limit')),
  )
  const notDelivered = prepare((value) =>
    db
      .selectFrom('webhooks')
      .innerJoin('payments', (join) =>
        join
          .onRef('webhooks.shop_id', '=', 'payments.shop_id')
          .onRef('webhooks.order_id', '=', 'payments.order_id'),
      )
      .leftJoin('lanes', 'lanes.lane', 'webhooks.lane')
      .select(stateColumns)
      .where(ofShop(value))
      .orderBy('webhooks.owed_since')
      .limit(value('limit')),
  )

  const ofOrder = prepare((value) =>
    db
      .selectFrom('payments')
      .leftJoin('webhooks', (join) =>
        join
          .onRef('webhooks.shop_id', '=', 'payments.shop_id')
          .onRef('webhooks.order_id', '=', 'payments.order_id'),
      )
      .leftJoin('lanes', 'lanes.lane', 'webhooks.lane')
      .select(stateColumns)
      .where('payments.shop_id', '=', value('shopId'))
      .where('payments.order_id', '=', value('orderId')),
  )

  return {
    *webhooks({ shopId, orderId, since, limit }: WebhookFilter): Command<WebhookState[]> {
      const rows =
        orderId !== undefined
          ? yield* all(ofOrder, { shopId, orderId })
          : since === undefined
            ? yield* all(notDelivered, { shopId, limit })
            : yield* all(changed, { shopId, since, limit })
      return rows.map((row) => ({
        shopId: row.shop_id,
        orderId: row.order_id,
        status: row.status,
        state: row.owed_since === null ? 'delivered' : row.due_at === null ? 'dead' : 'owed',
        webhookUrl: row.webhook_url,
        tries: row.tries ?? 0,
        // In a closed lane nothing is called before its next probe.
        dueAt: row.due_at === null ? undefined : Math.max(row.due_at, row.probe_at ?? 0),
        laneClosed: row.probe_at !== null,
        changedAt: row.changed_at,
        confirmed: row.read_version >= row.status_version,
      }))
    },

    *countWebhooks(): Command<{ owed: number; dead: number; owedSince: number | undefined }> {
      const { owed, dead, owed_since } = (yield* first(counts, {}))!
      return { owed, dead, owedSince: owed_since ?? undefined }
    },
  }
}
