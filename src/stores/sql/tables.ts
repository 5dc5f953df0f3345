import type { Kysely } from 'kysely'
import type { PaymentStatus } from '../../contract/index.ts'
import type { FactKind } from '../../payments/facts.ts'

// One set of tables for every SQL engine. Times are milliseconds since 1970, amounts are decimal text, flags are 0 or 1.

export interface Tables {
  shops: { id: string; platform_id: string | null; language: string | null; created_at: number }
  endpoints: { token_hash: string; shop_id: string; sealed_token: string; created_at: number }
  payments: {
    shop_id: string
    order_id: string
    status: PaymentStatus
    status_version: number
    notified_version: number
    redirect_url: string
    webhook_url: string
    created_at: number
  }
  attempts: {
    shop_id: string
    order_id: string
    number: number
    id: string
    order_number: string | null
    adapter: string
    method_id: string
    amount: string
    currency: string
    language: string
    idempotency_key: string
    page_token: string
    how: 'redirect' | 'page' | 'later' | null
    payment_url: string | null
    url_expires_at: number | null
    reference: string | null
    opened_at: number
    expires_at: number
    /** When the clock looks at it next; null once nothing is left to wait for. */
    check_at: number | null
  }
  facts: {
    shop_id: string
    order_id: string
    attempt_id: string
    fact_key: string
    kind: FactKind
    amount: string | null
    currency: string | null
    source: string
    at: number
    detail: string | null
  }
  notifications: {
    shop_id: string
    order_id: string
    /** While it is held: when the hold ends. So a holder that dies is followed without further ado. */
    due_at: number | null
    owed_since: number
    tries: number
    owner: string | null
  }
}

/** Forward only. A migration that has been released is never changed. */
export const migrations = {
  '2026-11-start': {
    async up(db: Kysely<unknown>): Promise<void> {
      const { schema } = db
      await schema
        .createTable('shops')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('platform_id', 'text')
        .addColumn('language', 'text')
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .execute()
      await schema
        .createTable('endpoints')
        .addColumn('token_hash', 'text', (column) => column.primaryKey())
        .addColumn('shop_id', 'text', (column) => column.notNull().references('shops.id'))
        .addColumn('sealed_token', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .execute()
      await schema
        .createTable('payments')
        .addColumn('shop_id', 'text', (column) => column.notNull())
        .addColumn('order_id', 'text', (column) => column.notNull())
        .addColumn('status', 'text', (column) => column.notNull())
        .addColumn('status_version', 'integer', (column) => column.notNull())
        .addColumn('notified_version', 'integer', (column) => column.notNull())
        .addColumn('redirect_url', 'text', (column) => column.notNull())
        .addColumn('webhook_url', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('payments_key', ['shop_id', 'order_id'])
        .execute()
      await schema
        .createTable('attempts')
        .addColumn('shop_id', 'text', (column) => column.notNull())
        .addColumn('order_id', 'text', (column) => column.notNull())
        .addColumn('number', 'integer', (column) => column.notNull())
        .addColumn('id', 'text', (column) => column.notNull())
        .addColumn('order_number', 'text')
        .addColumn('adapter', 'text', (column) => column.notNull())
        .addColumn('method_id', 'text', (column) => column.notNull())
        .addColumn('amount', 'text', (column) => column.notNull())
        .addColumn('currency', 'text', (column) => column.notNull())
        .addColumn('language', 'text', (column) => column.notNull())
        .addColumn('idempotency_key', 'text', (column) => column.notNull())
        .addColumn('page_token', 'text', (column) => column.notNull())
        .addColumn('how', 'text')
        .addColumn('payment_url', 'text')
        .addColumn('url_expires_at', 'bigint')
        .addColumn('reference', 'text')
        .addColumn('opened_at', 'bigint', (column) => column.notNull())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .addColumn('check_at', 'bigint')
        .addPrimaryKeyConstraint('attempts_key', ['shop_id', 'order_id', 'number'])
        .execute()
      await schema.createIndex('attempts_id').unique().on('attempts').columns(['shop_id', 'id']).execute()
      await schema.createIndex('attempts_page').unique().on('attempts').column('page_token').execute()
      await schema
        .createIndex('attempts_reference')
        .on('attempts')
        .columns(['shop_id', 'adapter', 'reference'])
        .where('reference', 'is not', null)
        .execute()
      await schema
        .createIndex('attempts_check')
        .on('attempts')
        .column('check_at')
        .where('check_at', 'is not', null)
        .execute()
      await schema
        .createTable('facts')
        .addColumn('shop_id', 'text', (column) => column.notNull())
        .addColumn('order_id', 'text', (column) => column.notNull())
        .addColumn('attempt_id', 'text', (column) => column.notNull())
        .addColumn('fact_key', 'text', (column) => column.notNull())
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('amount', 'text')
        .addColumn('currency', 'text')
        .addColumn('source', 'text', (column) => column.notNull())
        .addColumn('at', 'bigint', (column) => column.notNull())
        .addColumn('detail', 'text')
        .addPrimaryKeyConstraint('facts_key', ['shop_id', 'order_id', 'attempt_id', 'fact_key'])
        .execute()
      await schema
        .createTable('notifications')
        .addColumn('shop_id', 'text', (column) => column.notNull())
        .addColumn('order_id', 'text', (column) => column.notNull())
        .addColumn('due_at', 'bigint')
        .addColumn('owed_since', 'bigint', (column) => column.notNull())
        .addColumn('tries', 'integer', (column) => column.notNull())
        .addColumn('owner', 'text')
        .addPrimaryKeyConstraint('notifications_key', ['shop_id', 'order_id'])
        .execute()
      await schema
        .createIndex('notifications_due')
        .on('notifications')
        .column('due_at')
        .where('due_at', 'is not', null)
        .execute()
    },
  },
}
