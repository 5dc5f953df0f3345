import { hash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'

// The holds of transactions on a server. Each thing that a command holds has one of these rows, by its hash: the transaction locks the row
// and changes nothing in it. An advisory lock would do the same, and every role of the server could take it.

/** Two things with the same row wait for each other. At 50 things held it hits one command in thirteen hundred. */
const holdRows = 65_536

/** Creates the rows, on a server only: a SQLite file has one writer. */
export async function makeHolds(db: Kysely<unknown>): Promise<void> {
  await sql`create table holds (slot integer primary key)`.execute(db)
  await sql`insert into holds (slot) select slot from generate_series(0, ${sql.lit(holdRows - 1)}) as slot`.execute(
    db,
  )
}

export const hasHolds = `select count(*) = ${holdRows} as complete from holds where slot between 0 and ${holdRows - 1}`

/** As `hasHolds`, by the first and the last row: a table that was restored without its data has neither. */
export const hasHoldsAtEnds = `select count(*) = 2 as complete from holds where slot in (0, ${holdRows - 1})`

/** Nodes that start at the same time wait for each other here. */
export const completeHolds = `begin; set local lock_timeout = 5000; lock table kysely_migration in exclusive mode;
  create table if not exists holds (slot integer primary key);
  insert into holds (slot) select slot from generate_series(0, ${holdRows - 1}) as every(slot)
    where not exists (select from holds where holds.slot = every.slot) on conflict do nothing; commit`

/** Takes what nobody else holds, and returns its rows. */
export const takeHolds = 'select slot from holds where slot = any($1::integer[]) for update skip locked'

/** Keeps shops as they are until the commit, and returns those that somebody else is changing. The lock of a shop comes before those of its rows. */
export const keepShops = `with kept as (select id from shops where id = any($1::text[]) for key share skip locked)
  select id from shops where id = any($1::text[]) and id not in (select id from kept)`

/** Waits for all of them, in one order for every transaction. */
export const awaitHolds = 'select slot from holds where slot = any($1::integer[]) order by slot for update'

export const slotOf = (thing: string): number => Number.parseInt(hash('sha1', thing).slice(0, 4), 16)

/** The shop that a thing is of: of an order, a lane, a page, a push or a shop. */
export const shopIn = (thing: string): string | undefined =>
  /^(?:order|lane|shop|page|push) (\S+)/.exec(thing)?.[1]
