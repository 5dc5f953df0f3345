import { type Kysely, sql } from 'kysely'

const key = sql`shop_id, order_id, version`
const inOrder = sql`partition by ${key} order by at`

/**
 * Gives deliveries a key: one row for each status of an order. The nodes that added a row for each call ran before `2027-03-words`. Nodes that
 * know `is_counted` run beside newer ones: this key serves their statements too.
 */
export async function keyDeliveries(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  await sql`insert into deliveries (${key}, calls, is_counted, at, ms, status, failure, answer,
      last_at, last_ms, last_status, last_failure, last_answer)
    with several as (
      select ${key}, sum(calls) as calls from deliveries group by ${key} having count(*) > 1
    ), called as (
      select ${key}, at, ms, status, failure, answer from deliveries
      union all select ${key}, last_at, last_ms, last_status, last_failure, last_answer from deliveries
        where last_at is not null
    ), ranked as (
      select called.*, row_number() over (${inOrder}) as place, row_number() over (${inOrder} desc) as place_from_end
        from called where (${key}) in (select ${key} from several)
    )
    select several.shop_id, several.order_id, several.version, several.calls, 2,
        one.at, one.ms, one.status, one.failure, one.answer,
        last.at, last.ms, last.status, last.failure, last.answer
      from several
        join ranked as one on one.shop_id = several.shop_id and one.order_id = several.order_id
          and one.version = several.version and one.place = 1
        join ranked as last on last.shop_id = several.shop_id and last.order_id = several.order_id
          and last.version = several.version and last.place_from_end = 1`.execute(db)
  await sql`delete from deliveries where is_counted <> 2
    and (${key}) in (select ${key} from deliveries where is_counted = 2)`.execute(db)
  await sql`update deliveries set is_counted = 1 where is_counted = 2`.execute(db)
  await schema.dropIndex('deliveries_counted').execute()
  await schema.dropIndex('deliveries_order').execute()
  await schema
    .createIndex('deliveries_key')
    .unique()
    .on('deliveries')
    .columns(['shop_id', 'order_id', 'version'])
    .execute()
}
