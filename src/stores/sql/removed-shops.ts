import { type Kysely, sql } from 'kysely'
import { Gone } from '../../store.ts'
import { ask, type Command, prepare, together } from './query.ts'
import type { Tables } from './tables.ts'

// The id of a shop is of one life. The record of a removed shop keeps its id, and a shop that is added under the same name gets another one.

/** The rows of an order. The payment itself comes last. */
export const tablesOfOrders = [
  'changes',
  'facts',
  'attempts',
  'webhooks',
  'deliveries',
  'reminders',
  'anomalies',
  'money_requests',
  'payments',
] as const

/** All tables with rows of a shop but its audit trail. */
export const tablesOfShops = [
  ...tablesOfOrders,
  'pushes',
  'push_lanes',
  'push_names',
  'breakers',
  'rate_outages',
  'service_failures',
  'push_addresses',
  'endpoints',
  'webhook_keys',
  'shop_hosts',
  'images',
  'drifts',
  'lanes',
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
  const run = (text: string) => sql.raw(text).execute(db)
  const onServer = engine === 'postgres'
  const lane = onServer ? `split_part(new.lane, ' ', 1)` : `substr(new.lane, 1, instr(new.lane, ' ') - 1)`
  const shopOf = { row: 'new.shop_id', lane }
  for (const [one, shop] of onServer ? Object.entries(shopOf) : [])
    await run(`create function ${one}_of_shop() returns trigger language plpgsql as $$ begin
      perform from shops where id = ${shop} for key share;
      if found then return new; end if;
      perform from removed_shops where id = ${shop};
      if found then return null; end if;
      return new; end $$`)
  for (const table of tablesOfShops) {
    const one = table === 'lanes' ? 'lane' : 'row'
    const leavesOut = onServer
      ? `execute function ${one}_of_shop()`
      : `when exists (select 1 from removed_shops where id = ${shopOf[one]}) begin select raise(ignore); end`
    await run(`create trigger ${table}_of_shop before insert on ${table} for each row ${leavesOut}`)
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
  // No name has a dot, so `bikes.2` is never a name.
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
    /** The id of the shop of a name, or the id it would get if it were added now. */
    idOf,

    /** Throws `Gone` for a removed shop and, where it `serves`, for a disabled one. The locks of the command hold this until its commit. */
    *expect(shopId: string, serves = false): Command<void> {
      const [[found], [removed]] = yield* together(ask(shop, { shopId }), ask(record, { shopId }))
      if (found ? serves && found.disabled_at !== null : removed) throw new Gone()
    },
  }
}

export type RemovedShops = ReturnType<typeof removedShops>
