import { type Kysely, sql } from 'kysely'

/**
 * The delivered version is kept with what is owed, and webhooks that were not read have a table of their own: a delivery that goes well writes no
 * row of its payment. Deliveries before this have their reminders already, in the rows of their payments.
 */
export async function addReminders(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  await schema.alterTable('webhooks').addColumn('delivered_version', 'integer').execute()
  await sql`update webhooks set delivered_version = (select delivered_version from payments
    where payments.shop_id = webhooks.shop_id and payments.order_id = webhooks.order_id)`.execute(db)
  await schema
    .createTable('reminders')
    .addColumn('shop_id', 'text', (column) => column.notNull())
    .addColumn('order_id', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('accepted_at', 'bigint', (column) => column.notNull())
    .addColumn('remind_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('reminders_key', ['order_id', 'shop_id'])
    .execute()
  await schema.createIndex('reminders_due').on('reminders').columns(['remind_at', 'accepted_at']).execute()
  await sql`insert into reminders (shop_id, order_id, version, accepted_at, remind_at)
    select shop_id, order_id, delivered_version, accepted_at, remind_at from payments
    where remind_at is not null and accepted_at is not null`.execute(db)
  await sql`insert into feeds (name, last_place)
    select 'deliveries', coalesce(max(coalesce(last_at, at)), 0) from deliveries`.execute(db)
}
