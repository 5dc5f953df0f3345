import { type Kysely, sql } from 'kysely'

/** Creates the tables of webhook and push lanes from the earlier tables. */
export async function makeLaneTables(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  const add = (table: string, column: string, type: 'bigint' | 'text') =>
    schema.alterTable(table).addColumn(column, type).execute()
  const addCount = (table: string, column: string) =>
    schema
      .alterTable(table)
      .addColumn(column, 'integer', (made) => made.notNull().defaultTo(0))
      .execute()
  await add('lanes', 'closed_at', 'bigint')
  await add('lanes', 'last_failure', 'text')
  await sql`update lanes set closed_at = probe_at - 300000 where probe_at is not null`.execute(db)
  await addCount('notifications', 'waits_for_lane')
  await add('payments', 'accepted_at', 'bigint')
  await add('payments', 'remind_at', 'bigint')
  await schema
    .createIndex('payments_remind')
    .on('payments')
    .columns(['remind_at', 'accepted_at'])
    .where('remind_at', 'is not', null)
    .execute()
  await boundDeliveries(db)

  await addCount('pushes', 'tries')
  await add('pushes', 'held_until', 'bigint')
  await addCount('pushes', 'waits_for_lane')
  await schema.dropIndex('pushes_due').execute()
  await schema
    .createIndex('pushes_lane')
    .on('pushes')
    .columns(['adapter', 'shop_id', 'due_at'])
    .where('due_at', 'is not', null)
    .execute()
  await schema
    .createTable('push_lanes')
    .addColumn('adapter', 'text', (column) => column.notNull())
    .addColumn('shop_id', 'text', (column) => column.notNull())
    .addColumn('next_due', 'bigint')
    .addColumn('failures', 'integer', (column) => column.notNull())
    .addColumn('closed_at', 'bigint')
    .addColumn('probe_at', 'bigint')
    .addColumn('last_failure', 'text')
    .addPrimaryKeyConstraint('push_lanes_key', ['adapter', 'shop_id'])
    .execute()
  await schema
    .createIndex('push_lanes_due')
    .on('push_lanes')
    .columns(['adapter', 'next_due'])
    .where('next_due', 'is not', null)
    .execute()
  await sql`insert into push_lanes (adapter, shop_id, next_due, failures)
    select adapter, shop_id, min(due_at), 0 from pushes where due_at is not null
    group by adapter, shop_id`.execute(db)
}

/** One row for each status version of an order instead of one for each call. */
async function boundDeliveries(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  await schema.alterTable('deliveries').renameTo('deliveries_before').execute()
  await schema.dropIndex('deliveries_at').execute()
  await schema.dropIndex('deliveries_order').ifExists().execute()
  await schema
    .createTable('deliveries')
    .addColumn('shop_id', 'text', (column) => column.notNull())
    .addColumn('order_id', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('calls', 'integer', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('ms', 'integer', (column) => column.notNull())
    .addColumn('status', 'integer')
    .addColumn('failure', 'text')
    .addColumn('answer', 'text', (column) => column.notNull())
    .addColumn('last_at', 'bigint')
    .addColumn('last_ms', 'integer')
    .addColumn('last_status', 'integer')
    .addColumn('last_failure', 'text')
    .addColumn('last_answer', 'text')
    .execute()
  await sql`insert into deliveries
    with numbered as (
      select *, row_number() over (partition by shop_id, order_id, version order by at) as place,
        count(*) over (partition by shop_id, order_id, version) as calls
      from deliveries_before
    )
    select one.shop_id, one.order_id, one.version, one.calls, one.at, one.ms, one.status, one.failure, one.answer,
      last.at, last.ms, last.status, last.failure, last.answer
    from numbered as one left join numbered as last
      on last.shop_id = one.shop_id and last.order_id = one.order_id and last.version = one.version
        and last.place = one.calls and last.place > 1
    where one.place = 1`.execute(db)
  await schema.dropTable('deliveries_before').execute()
  await schema
    .createIndex('deliveries_order')
    .unique()
    .on('deliveries')
    .columns(['order_id', 'shop_id', 'version'])
    .execute()
  await schema.createIndex('deliveries_at').on('deliveries').expression(sql`coalesce(last_at, at)`).execute()
}
