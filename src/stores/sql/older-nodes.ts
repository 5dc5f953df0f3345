import { type Kysely, sql } from 'kysely'

/**
 * Lets nodes of the previous version write their deliveries beside newer ones: each as a row of its own, which counts as one. Only rows of
 * newer nodes, with `is_counted`, hold all calls for one status.
 */
export async function admitOlderNodes(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  const deliveries = () => schema.alterTable('deliveries')
  await schema.dropIndex('deliveries_order').ifExists().execute()
  // A default cannot be given to a column that SQLite has already.
  await deliveries().renameColumn('calls', 'calls_before').execute()
  await deliveries()
    .addColumn('calls', 'integer', (column) => column.notNull().defaultTo(1))
    .execute()
  await deliveries()
    .addColumn('is_counted', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await sql`update deliveries set calls = calls_before, is_counted = 1`.execute(db)
  await deliveries().dropColumn('calls_before').execute()
  await schema
    .createIndex('deliveries_counted')
    .unique()
    .on('deliveries')
    .columns(['order_id', 'shop_id', 'version'])
    .where(sql.ref('is_counted'), '=', sql.lit(1))
    .execute()
  await schema.createIndex('deliveries_order').on('deliveries').columns(['order_id', 'shop_id']).execute()
}
