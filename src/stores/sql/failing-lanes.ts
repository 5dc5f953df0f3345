import { type Kysely, sql } from 'kysely'

/** A failing lane is found by an index of its own: there are few, and each batch of deliveries asks for them. */
export async function indexFailingLanes({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createIndex('lanes_failing')
    .on('lanes')
    .column('lane')
    .where(sql.ref('failures'), '>', sql.lit(0))
    .execute()
}
