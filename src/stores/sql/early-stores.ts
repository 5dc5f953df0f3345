import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { laneName } from '../../payments/lane.ts'

// The first migrations were changed while nothing was released. Stores of those days get the tables that the migrations make today.

type Engine = 'sqlite' | 'postgres'

/** The tables of the first migration; those that refer to another one come after it. */
const tables = [
  'shops',
  'endpoints',
  'shop_hosts',
  'push_addresses',
  'payments',
  'attempts',
  'facts',
  'notifications',
  'lanes',
  'deliveries',
  'anomalies',
  'pushes',
] as const

/** Values of columns that the first stores had not yet. Their attempts had no mode: they are counted as money. */
const missing: Readonly<Record<string, string>> = {
  'attempts.mode': `'live'`,
  'payments.changed_at': 'created_at',
  'lanes.is_full': '0',
  'notifications.lane': `''`,
  'notifications.webhook_url': `(select webhook_url from early_payments as p
    where p.shop_id = early_notifications.shop_id and p.order_id = early_notifications.order_id)`,
  'notifications.version': `(select status_version from early_payments as p
    where p.shop_id = early_notifications.shop_id and p.order_id = early_notifications.order_id)`,
}

/** The columns of a table; none if there is no such table. */
export async function columnsOf(db: Kysely<unknown>, engine: Engine, table: string): Promise<string[]> {
  const { rows } = await (engine === 'sqlite'
    ? sql<{ name: string }>`select name from pragma_table_info(${sql.lit(table)})`
    : sql<{ name: string }>`select column_name as name from information_schema.columns
        where table_schema = current_schema() and table_name = ${sql.lit(table)}`
  ).execute(db)
  return rows.map(({ name }) => name)
}

/** Brings the tables of the first two migrations into their form of today. `first` are these migrations. */
export const unifyEarlyStores = (engine: Engine, first: () => readonly Migration[]): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    // Later stores have hashes there, and are whole.
    if (!(await columnsOf(db, engine, 'attempts')).includes('page_token')) return
    await (engine === 'sqlite' ? makeAnew(db, first()) : alterTables(db))
  },
})

/** A SQLite file cannot change the key of a table: all tables are made anew, and the rows are moved. */
async function makeAnew(db: Kysely<unknown>, first: readonly Migration[]): Promise<void> {
  const { rows: indexes } = await sql<{ name: string }>`select name from sqlite_master
    where type = 'index' and sql is not null and tbl_name in (${sql.join(tables.map((table) => sql.lit(table)))})`.execute(
    db,
  )
  for (const { name } of indexes) await db.schema.dropIndex(name).execute()
  const early = new Map<string, string[]>()
  for (const table of tables) {
    const columns = await columnsOf(db, 'sqlite', table)
    if (columns.length === 0) continue
    early.set(table, columns)
    await db.schema.alterTable(table).renameTo(`early_${table}`).execute()
  }
  for (const migration of first) await migration.up(db)
  for (const [table, columns] of early) {
    const names = (await columnsOf(db, 'sqlite', table)).filter(
      (name) => columns.includes(name) || missing[`${table}.${name}`] !== undefined,
    )
    const values = names.map((name) =>
      columns.includes(name) ? sql.ref(name) : sql.raw(missing[`${table}.${name}`]!),
    )
    await sql`insert into ${sql.table(table)} (${sql.join(names.map((name) => sql.ref(name)))})
      select ${sql.join(values)} from ${sql.table(`early_${table}`)}`.execute(db)
  }
  for (const table of [...early.keys()].reverse()) await db.schema.dropTable(`early_${table}`).execute()
  await addLanes(db)
}

/** Webhooks of the very first stores were in no lane. */
async function addLanes(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{
    shop_id: string
    order_id: string
    webhook_url: string
  }>`select shop_id, order_id,
    webhook_url from notifications where lane = ''`.execute(db)
  for (const { shop_id, order_id, webhook_url } of rows) {
    await sql`update notifications set lane = ${laneName(shop_id, webhook_url)}
      where shop_id = ${shop_id} and order_id = ${order_id}`.execute(db)
  }
  await sql`insert into lanes (lane, next_due, failures, is_full) select lane, min(due_at), 0, 0 from notifications
    where lane not in (select lane from lanes) group by lane`.execute(db)
}

/** On PostgreSQL the first stores were younger, and differ in keys and indexes only. */
async function alterTables(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  await sql`alter table shops alter column settings_version type bigint`.execute(db)
  await sql`alter table attempts drop constraint attempts_key,
    add constraint attempts_key primary key (order_id, shop_id, number)`.execute(db)
  for (const name of ['attempts_id', 'attempts_reference', 'deliveries_of', 'deliveries_order'])
    await schema.dropIndex(name).ifExists().execute()
  await schema.createIndex('attempts_id').unique().on('attempts').columns(['id', 'shop_id']).execute()
  await schema
    .createIndex('attempts_reference')
    .on('attempts')
    .columns(['reference', 'adapter', 'shop_id'])
    .where(sql.ref('reference'), 'is not', null)
    .execute()
  await schema.createIndex('deliveries_order').on('deliveries').columns(['order_id', 'shop_id']).execute()
}
