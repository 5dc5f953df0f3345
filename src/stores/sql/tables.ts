import { type Kysely, sql } from 'kysely'
import type { PaymentStatus } from '../../contract/index.ts'
import type { FactKind, PaymentMode } from '../../payments/facts.ts'
import type { AnomalyKind } from '../../payments/status.ts'

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
    read_version: number
    read_at: number | null
    redirect_url: string
    webhook_url: string
    created_at: number
    changed_at: number
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
    mode: PaymentMode
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
    mode: PaymentMode | null
    source: string
    at: number
    detail: string | null
  }
  anomalies: {
    shop_id: string
    order_id: string
    attempt_id: string
    kind: AnomalyKind
    id: string
    opened_at: number
    closed_at: number | null
    note: string | null
  }
  lanes: {
    lane: string
    /** When something in it may be claimed; null while it is empty. */
    next_due: number | null
    failures: number
    probe_at: number | null
    /** 1 while more is due in it than may be called at a time. */
    is_full: number
  }
  deliveries: {
    shop_id: string
    order_id: string
    at: number
    ms: number
    version: number
    status: number | null
    failure: string | null
    answer: string
  }
  push_addresses: {
    token_hash: string
    shop_id: string
    adapter: string
    sealed_token: string
    created_at: number
  }
  pushes: {
    shop_id: string
    adapter: string
    push_key: string
    /** Null once it is processed. */
    body: string | null
    headers: string
    query: string
    received_at: number
    times: number
    due_at: number | null
    processed_at: number | null
    outcome: string | null
  }
  notifications: {
    shop_id: string
    order_id: string
    lane: string
    /** As the payment has them: a claim looks at nothing else. */
    webhook_url: string
    version: number
    due_at: number | null
    owed_since: number
    tries: number
    /** Who calls at the moment, and until when nobody else may. */
    owner: string | null
    held_until: number | null
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
        .addColumn('read_version', 'integer', (column) => column.notNull().defaultTo(0))
        .addColumn('read_at', 'bigint')
        .addColumn('redirect_url', 'text', (column) => column.notNull())
        .addColumn('webhook_url', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('changed_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('payments_key', ['shop_id', 'order_id'])
        .modifyEnd(sql`without rowid`)
        .execute()
      await schema.createIndex('payments_changed').on('payments').column('changed_at').execute()
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
        .addColumn('mode', 'text', (column) => column.notNull())
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
        .addColumn('mode', 'text')
        .addColumn('source', 'text', (column) => column.notNull())
        .addColumn('at', 'bigint', (column) => column.notNull())
        .addColumn('detail', 'text')
        .addPrimaryKeyConstraint('facts_key', ['shop_id', 'order_id', 'attempt_id', 'fact_key'])
        .execute()
      await schema
        .createTable('notifications')
        .addColumn('shop_id', 'text', (column) => column.notNull())
        .addColumn('order_id', 'text', (column) => column.notNull())
        .addColumn('lane', 'text', (column) => column.notNull())
        .addColumn('webhook_url', 'text', (column) => column.notNull())
        .addColumn('version', 'integer', (column) => column.notNull())
        .addColumn('due_at', 'bigint')
        .addColumn('owed_since', 'bigint', (column) => column.notNull())
        .addColumn('tries', 'integer', (column) => column.notNull())
        .addColumn('owner', 'text')
        .addColumn('held_until', 'bigint')
        .addPrimaryKeyConstraint('notifications_key', ['shop_id', 'order_id'])
        .modifyEnd(sql`without rowid`)
        .execute()
      await schema
        .createIndex('notifications_due')
        .on('notifications')
        .columns(['lane', 'due_at'])
        .where('due_at', 'is not', null)
        .execute()
      await schema
        .createTable('lanes')
        .addColumn('lane', 'text', (column) => column.primaryKey())
        .addColumn('next_due', 'bigint')
        .addColumn('failures', 'integer', (column) => column.notNull())
        .addColumn('probe_at', 'bigint')
        .addColumn('is_full', 'integer', (column) => column.notNull())
        .execute()
      await schema
        .createIndex('lanes_due')
        .on('lanes')
        .column('next_due')
        .where('next_due', 'is not', null)
        .execute()
      await schema
        .createTable('deliveries')
        .addColumn('shop_id', 'text', (column) => column.notNull())
        .addColumn('order_id', 'text', (column) => column.notNull())
        .addColumn('at', 'bigint', (column) => column.notNull())
        .addColumn('ms', 'integer', (column) => column.notNull())
        .addColumn('version', 'integer', (column) => column.notNull())
        .addColumn('status', 'integer')
        .addColumn('failure', 'text')
        .addColumn('answer', 'text', (column) => column.notNull())
        .execute()
      await schema.createIndex('deliveries_at').on('deliveries').column('at').execute()
      await schema
        .createTable('anomalies')
        .addColumn('shop_id', 'text', (column) => column.notNull())
        .addColumn('order_id', 'text', (column) => column.notNull())
        .addColumn('attempt_id', 'text', (column) => column.notNull())
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('id', 'text', (column) => column.notNull().unique())
        .addColumn('opened_at', 'bigint', (column) => column.notNull())
        .addColumn('closed_at', 'bigint')
        .addColumn('note', 'text')
        .addPrimaryKeyConstraint('anomalies_key', ['shop_id', 'order_id', 'attempt_id', 'kind'])
        .execute()
      await schema.createIndex('anomalies_open').on('anomalies').columns(['closed_at', 'opened_at']).execute()
      await schema
        .createTable('push_addresses')
        .addColumn('token_hash', 'text', (column) => column.primaryKey())
        .addColumn('shop_id', 'text', (column) => column.notNull().references('shops.id'))
        .addColumn('adapter', 'text', (column) => column.notNull())
        .addColumn('sealed_token', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addUniqueConstraint('push_addresses_of', ['shop_id', 'adapter'])
        .execute()
      await schema
        .createTable('pushes')
        .addColumn('shop_id', 'text', (column) => column.notNull())
        .addColumn('adapter', 'text', (column) => column.notNull())
        .addColumn('push_key', 'text', (column) => column.notNull())
        .addColumn('body', 'text')
        .addColumn('headers', 'text', (column) => column.notNull())
        .addColumn('query', 'text', (column) => column.notNull())
        .addColumn('received_at', 'bigint', (column) => column.notNull())
        .addColumn('times', 'integer', (column) => column.notNull())
        .addColumn('due_at', 'bigint')
        .addColumn('processed_at', 'bigint')
        .addColumn('outcome', 'text')
        .addPrimaryKeyConstraint('pushes_key', ['shop_id', 'adapter', 'push_key'])
        .execute()
      await schema
        .createIndex('pushes_due')
        .on('pushes')
        .column('due_at')
        .where('due_at', 'is not', null)
        .execute()
      await schema.createIndex('pushes_received').on('pushes').column('received_at').execute()
    },
  },
}
