import { type Kysely, sql } from 'kysely'

/**
 * Each call adds a row to every index of `deliveries`, so rows of newer nodes are in one index by order, and those of older nodes in another.
 * A failing lane is found by an index of its own: there are few, and each batch of deliveries asks for them.
 */
export async function replaceDeliveryIndexes({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createIndex('deliveries_uncounted')
    .on('deliveries')
    .columns(['order_id', 'shop_id'])
    .where(sql.ref('is_counted'), '=', sql.lit(0))
    .execute()
  await schema.dropIndex('deliveries_order').execute()
  await schema
    .createIndex('lanes_failing')
    .on('lanes')
    .column('lane')
    .where(sql.ref('failures'), '>', sql.lit(0))
    .execute()
}
