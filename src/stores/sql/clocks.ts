import type { Kysely } from 'kysely'

export async function addClocks({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('clocks')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('server_at', 'bigint', (column) => column.notNull())
    .addColumn('agreed_at', 'bigint', (column) => column.notNull())
    .addColumn('up', 'bigint')
    .addColumn('releases', 'integer', (column) => column.notNull())
    .execute()
}
