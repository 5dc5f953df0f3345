import { type Kysely, sql } from 'kysely'

/** Indexes for the person on call: ids that people and payment services have for a payment, closed lanes and open anomalies. */
export async function makeOnCallIndexes({ schema }: Kysely<unknown>): Promise<void> {
  await schema.createIndex('attempts_idempotency').on('attempts').column('idempotency_key').execute()
  await schema
    .createIndex('attempts_order_number')
    .on('attempts')
    .column('order_number')
    .where('order_number', 'is not', null)
    .execute()
  await schema.createIndex('anomalies_id').on('anomalies').column('id').execute()
  for (const table of ['lanes', 'push_lanes']) {
    await schema
      .createIndex(`${table}_closed`)
      .on(table)
      .column('probe_at')
      .where(sql.ref('probe_at'), 'is not', null)
      .execute()
  }
}
