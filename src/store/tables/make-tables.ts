import { type Kysely, sql } from 'kysely'
import { makeHolds } from '../holds.ts'
import { type Engine, type TableName, tableNames, tables, tablesOfShops } from '../schema.ts'

export async function makeTables(db: Kysely<unknown>, engine: Engine): Promise<void> {
  for (const name of tableNames) await makeTable(db, name, engine)
  await sql`insert into feeds (name, last_place) values ('changes', 0), ('deliveries', 0)`.execute(db)
  if (engine === 'postgres') await makeHolds(db)
  await guardRemovedShops(db, engine)
}

async function makeTable(db: Kysely<unknown>, name: TableName, engine: Engine): Promise<void> {
  const { columns, key, isKeyed, isHot } = tables[name]
  const isServer = engine === 'postgres'
  let making = db.schema.createTable(name)
  for (const [column, { type, isNull, default: standard, isNumber }] of Object.entries(columns)) {
    // SQLite numbers rows by this type alone.
    making = making.addColumn(column, isNumber && !isServer ? 'integer' : type, (made) => {
      if (isNumber) return isServer ? made.primaryKey().generatedAlwaysAsIdentity() : made.primaryKey()
      const withNull = isNull ? made : made.notNull()
      const isOfShop = column === 'shop_id' && name in referring
      const whole = isOfShop ? withNull.references('shops.id') : withNull
      return standard === undefined ? whole : whole.defaultTo(standard)
    })
  }
  if (!key.some((column) => columns[column]!.isNumber))
    making = making.addPrimaryKeyConstraint(`${name}_key`, key as never)
  await making.modifyEnd(isKeyed && !isServer ? sql`without rowid` : sql``).execute()
  for (const index of indexesOf(name)) await sql.raw(index.create).execute(db)
  if (isServer && isHot) await sql.raw(`alter table ${name} set (${hot})`).execute(db)
  if (isServer && name === 'deliveries') await sql.raw(`alter table ${name} set (${pruned})`).execute(db)
}

/** The indexes of a table beside that of its key, with the statements that create them. */
export function indexesOf(table: TableName): { name: string; create: string }[] {
  const { indexes = {}, unique = {} } = tables[table]
  return [...Object.entries(unique), ...Object.entries(indexes)].map(([end, on]) => ({
    name: `${table}_${end}`,
    create: `create ${end in unique ? 'unique ' : ''}index ${table}_${end} on ${table} ${on}`,
  }))
}

const referring = { endpoints: true, push_addresses: true, webhook_keys: true, shop_hosts: true }

/**
 * Rows of hot tables live for seconds. A webhook is added, leased and deleted, so that a table of few rows collects thousands of dead ones in
 * the minute between two looks of autovacuum, and by default that waits for a fifth of a large table. So it starts after 1,000 dead rows, and
 * does not pause on the way: these tables are small.
 *
 * Pages are filled by half. A lease changes no indexed column: with room on its page the new version of the row needs no entry in an index,
 * and stays where it was among the calls that are due at the same time.
 */
const hot = `fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0, autovacuum_analyze_scale_factor = 0.02`
/** A table that only grows and is pruned a thousand rows at a time: the vacuum that frees them starts after a hundredth of it. */
const pruned = 'autovacuum_vacuum_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.02'

/**
 * Tables of the hot paths whose rows are added by commands that have read the shop, or a payment of it. SQLite runs one command after the
 * other, so nothing removes the shop in between, and the three triggers would be a tenth of a start.
 */
const besideTheirShop: readonly TableName[] = ['payments', 'attempts', 'facts', 'changes']

/**
 * The engine itself leaves out a row that is added for a removed shop. On a server the row waits for a removal under way, and a removal for the
 * transactions that have added rows.
 */
async function guardRemovedShops(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(db)
  const onServer = engine === 'postgres'
  const lane = onServer ? `split_part(new.lane, ' ', 1)` : `substr(new.lane, 1, instr(new.lane, ' ') - 1)`
  const shopOf = { row: 'new.shop_id', lane }
  for (const [kind, shop] of onServer ? Object.entries(shopOf) : [])
    await run(`create function ${kind}_of_shop() returns trigger language plpgsql as $$ begin
      perform from shops where id = ${shop} for key share;
      if found then return new; end if;
      perform from removed_shops where id = ${shop};
      if found then return null; end if;
      return new; end $$`)
  for (const name of tablesOfShops) {
    if (!onServer && besideTheirShop.includes(name)) continue
    const kind = name === 'lanes' ? 'lane' : 'row'
    const leavesOut = onServer
      ? `execute function ${kind}_of_shop()`
      : `when exists (select 1 from removed_shops where id = ${shopOf[kind]}) begin select raise(ignore); end`
    await run(`create trigger ${name}_of_shop before insert on ${name} for each row ${leavesOut}`)
  }
}
