import type { Kysely } from 'kysely'

/** When a payment service was asked last how an attempt stands, and what it answered. */
export async function addAsked({ schema }: Kysely<unknown>): Promise<void> {
  await schema.alterTable('attempts').addColumn('asked_at', 'bigint').execute()
  await schema.alterTable('attempts').addColumn('asked_answer', 'text').execute()
}

/** Background calls of `status` by hour, for adapters with a limit. */
export async function addAsks({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('asks')
    .addColumn('adapter', 'text', (column) => column.notNull())
    .addColumn('hour', 'bigint', (column) => column.notNull())
    .addColumn('calls', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('asks_key', ['adapter', 'hour'])
    .execute()
}
