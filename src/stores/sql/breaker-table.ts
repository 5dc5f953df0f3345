import type { Kysely } from 'kysely'

/** Open breakers of rate adapters, by the node that noted them. */
export async function makeBreakerTable({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('breakers')
    .addColumn('node', 'text', (column) => column.notNull())
    .addColumn('adapter', 'text', (column) => column.notNull())
    .addColumn('shop_id', 'text', (column) => column.notNull())
    .addColumn('since', 'bigint', (column) => column.notNull())
    .addColumn('next_try', 'bigint', (column) => column.notNull())
    .addColumn('last_failure', 'text', (column) => column.notNull())
    .addColumn('seen_at', 'bigint', (column) => column.notNull())
    .addColumn('is_released', 'integer', (column) => column.notNull().defaultTo(0))
    .addPrimaryKeyConstraint('breakers_key', ['node', 'adapter', 'shop_id'])
    .execute()
}
