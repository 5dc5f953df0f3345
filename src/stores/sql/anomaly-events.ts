import type { Kysely } from 'kysely'

/** Makes an anomaly one of an event: closing it mutes no later one of its kind. Those on record have the empty event. */
export async function keyAnomaliesByEvent(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  await schema.alterTable('anomalies').renameTo('anomalies_before').execute()
  await schema
    .createTable('anomalies')
    .addColumn('shop_id', 'text', (column) => column.notNull())
    .addColumn('order_id', 'text', (column) => column.notNull())
    .addColumn('attempt_id', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('event', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('expected', 'text')
    .addColumn('received', 'text')
    .addColumn('stake', 'text')
    .addColumn('currency', 'text')
    .addColumn('opened_at', 'bigint', (column) => column.notNull())
    .addColumn('closed_at', 'bigint')
    .addColumn('note', 'text')
    .addPrimaryKeyConstraint('anomalies_of_event', ['shop_id', 'order_id', 'attempt_id', 'kind', 'event'])
    .addUniqueConstraint('anomalies_named', ['id'])
    .execute()
  const columns = [
    'shop_id',
    'order_id',
    'attempt_id',
    'kind',
    'id',
    'opened_at',
    'closed_at',
    'note',
  ] as const
  const tables = db as Kysely<Record<string, Record<string, unknown>>>
  await tables
    .insertInto('anomalies')
    .columns([...columns, 'event'])
    .expression(
      tables
        .selectFrom('anomalies_before')
        .select(columns)
        .select(({ val }) => val('').as('event')),
    )
    .execute()
  await schema.dropTable('anomalies_before').execute()
  await schema.createIndex('anomalies_open').on('anomalies').columns(['closed_at', 'opened_at']).execute()
}
