import { type Kysely, sql } from 'kysely'
import { Gone } from '../../store.ts'
import { ask, type Command, prepare, together } from './query.ts'
import type { Tables } from './tables.ts'

// The id of a shop is of one life. The record of a removed shop keeps its id, and a shop that is added under the same name gets another one.

/** The rows of an order. The payment itself comes last. */
export const tablesOfOrders = [
  ...(['changes', 'facts', 'attempts', 'webhooks', 'deliveries', 'reminders', 'anomalies'] as const),
  ...(['money_requests', 'payments'] as const),
] as const

/** All tables with rows of a shop but its audit trail. */
export const tablesOfShops = [
  ...tablesOfOrders,
  ...(['pushes', 'push_lanes', 'push_names', 'breakers', 'rate_outages', 'service_failures'] as const),
  ...(['push_addresses', 'endpoints', 'webhook_keys', 'shop_hosts', 'images', 'drifts', 'lanes'] as const),
] as const

/**
 * Creates the records of removed shops. From then on the engine itself leaves out a row that is added to one of these tables for a removed shop.
 * On a server the row waits for a removal under way, and a removal for the transactions that have added rows.
 */
export async function addRemovedShops(db: Kysely<unknown>, engine: 'sqlite' | 'postgres'): Promise<void> {
  await db.schema
    .createTable('removed_shops')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('removed_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('removed_shops_name').on('removed_shops').column('name').execute()
  for (const table of tablesOfShops) {
    const begins = sql.raw(`create trigger ${table}_of_shop before insert on ${table} for each row`)
    if (engine === 'sqlite') {
      const shop = sql.raw(
        table === 'lanes' ? `substr(new.lane, 1, instr(new.lane, ' ') - 1)` : 'new.shop_id',
      )
      await sql`${begins} when exists (select 1 from removed_shops where id = ${shop})
        begin select raise(ignore); end`.execute(db)
      continue
    }
    const shop = sql.raw(table === 'lanes' ? `split_part(new.lane, ' ', 1)` : 'new.shop_id')
    const leavesOut = sql.raw(table === 'lanes' ? 'lane_of_shop' : 'row_of_shop')
    await sql`create or replace function ${leavesOut}() returns trigger language plpgsql as $$ begin
      perform from shops where id = ${shop} for key share;
      if found then return new; end if;
      perform from removed_shops where id = ${shop};
      if found then return null; end if;
      return new; end $$`.execute(db)
    await sql`${begins} execute function ${leavesOut}()`.execute(db)
  }
}

/** The records of removed shops, and the ids that names have by them. */
export function removedShops(db: Kysely<Tables>) {
  const shop = prepare((value) =>
    db.selectFrom('shops').select('disabled_at').where('id', '=', value('shopId')),
  )
  const record = prepare((value) =>
    db.selectFrom('removed_shops').select('id').where('id', '=', value('shopId')),
  )
  // `.` is in no name, so it is the id of no other shop.
  const idOf = prepare((value) =>
    db
      .selectFrom('removed_shops')
      .select(
        sql<string>`case count(*) when 0 then cast(${value('name')} as text)
          else cast(${value('name')} as text) || '.' || (count(*) + 1) end`.as('id'),
      )
      .where('name', '=', value('name')),
  )

  return {
    record,
    /** The id of the shop of a name, or of the next one. */
    idOf,

    /** Throws `Gone` for a removed shop and, where it `serves`, for a disabled one. What the command holds keeps the shop so. */
    *expect(shopId: string, serves = false): Command<void> {
      const [[found], [removed]] = yield* together(ask(shop, { shopId }), ask(record, { shopId }))
      if (found ? serves && found.disabled_at !== null : removed) throw new Gone()
    },
  }
}

export type RemovedShops = ReturnType<typeof removedShops>
