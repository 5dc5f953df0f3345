import type { Kysely } from 'kysely'
import pg from 'pg'
import { expect, test } from 'vitest'
import { migratePostgres } from '../../../src/store/postgres/migrate.ts'
import { migrationsFor } from '../../../src/store/tables/migrate.ts'
import { sharedPostgres } from '../../postgres.ts'
import { clientOf } from '../../stores/opened.ts'

const server = await sharedPostgres()

/** A later version adds a column. */
const migrations = {
  ...migrationsFor('postgres'),
  async '2999-01-note'({ schema }: Kysely<unknown>) {
    await schema.alterTable('attempts').addColumn('note', 'text').execute()
  },
}

/** A database with the tables of today, and a client that reads one of them in an open transaction. */
async function withReader() {
  const url = await server.databaseWithTables()
  const reader = await clientOf(url, 'report of the month')
  await reader.query('begin')
  await reader.query('select count(*) from attempts')
  return { url, reader, other: await clientOf(url, 'a running node') }
}

test('tables that somebody reads are not locked for others while a new version starts', {
  timeout: 30_000,
}, async () => {
  const { url, reader, other } = await withReader()
  const migrating = migratePostgres(pg, { connectionString: url }, { migrations })
  const waiting = `select 1 from pg_locks where not granted and relation = 'attempts'::regclass`
  while ((await other.query(waiting)).rowCount === 0) await new Promise((resolve) => setTimeout(resolve, 10))
  // This queues behind the migration, which stands back. The reader goes on all the time.
  expect((await other.query('select count(*) from attempts')).rowCount).toBe(1)
  await reader.query('rollback')
  await migrating
  expect((await other.query('select note from attempts')).rows).toEqual([])
})

test('a table that stays in use ends the start, and the error names who uses it', async () => {
  const { url } = await withReader()
  const config = { connectionString: url, application_name: 'purveyor' }
  await expect(migratePostgres(pg, config, { within: 1_500, migrations })).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
    message: expect.stringMatching(/"report of the month" \(process \d+, user purveyor\)/),
  })
})
