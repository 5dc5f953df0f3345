import { type Kysely, sql } from 'kysely'

/**
 * Settings of tables whose rows live for seconds, on a PostgreSQL server. A webhook is added, leased and deleted, so that a table of few rows
 * collects thousands of dead ones in the minute between two looks of autovacuum, and by default that waits for a fifth of a large table. So it
 * starts after 1,000 dead rows, and does not pause on the way: these tables are small.
 *
 * Pages are filled by half. A lease changes no indexed column: with room on its page the new version of the row needs no entry in an index, and
 * stays where it was among the calls that are due at the same time.
 *
 * `deliveries` only grows and is pruned a thousand rows at a time: the vacuum that frees what was pruned starts after a hundredth of it.
 */
export async function setHotTables(db: Kysely<unknown>): Promise<void> {
  for (const table of ['webhooks', 'lanes', 'pushes', 'push_lanes'])
    await sql`alter table ${sql.table(table)} set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0,
      autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0, autovacuum_analyze_scale_factor = 0.02)`.execute(
      db,
    )
  await sql`alter table deliveries set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.02)`.execute(
    db,
  )
}
