import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { postgresStore } from '../../src/stores/postgres.ts'
import { seal } from '../../src/stores/seal.ts'
import { sqliteStore } from '../../src/stores/sqlite.ts'
import { folderWith } from '../folder.ts'
import { noPool, startPool } from '../pgbouncer.ts'
import { sharedPostgres } from '../postgres.ts'
import { contentOf, copied, filledStore, withSide } from './copying.ts'
import { clientOf, opened } from './opened.ts'
import { inFile, makeTables } from './sqlite-tables.ts'

const server = await sharedPostgres()

const fileOf = (address: string) => address.slice('sqlite:'.length)
const newFile = () => `sqlite:${join(folderWith(), 'copy.db')}`
const change = (address: string, statement: string) =>
  inFile(fileOf(address), (database) => database.exec(statement))
const rowsIn = (address: string, statement: string) =>
  withSide(address, async ({ db }) => (await sql.raw(statement).execute(db)).rows)
const marksIn = (address: string) =>
  withSide(address, ({ db }) => db.selectFrom('store_copies').select(['role', 'other', 'state']).execute())

async function filledServer(): Promise<string> {
  const url = await server.database()
  await copied(await filledStore(), url)
  return url
}

test('every table is copied from SQLite to PostgreSQL, to another server and back, and stays equal', async () => {
  const file = await filledStore()
  const [one, other] = [await server.database(), await server.database()]
  const back = `sqlite:${join(folderWith(), 'new', 'back.db')}`
  const before = await withSide(file, contentOf)
  expect(Object.values(before).filter((content) => content.startsWith('0 '))).toEqual([])
  for (const [from, to] of [
    [file, one],
    [one, other],
    [other, back],
  ] as const) {
    const report = await copied(from, to)
    expect(report).toMatchObject({ tables: { shops: 20, payments: 60 } })
    expect(report.seconds).toBeGreaterThan(0)
    expect(await withSide(to, contentOf)).toEqual(before)
    // The source stays as it was.
    expect(await withSide(from, contentOf)).toEqual(before)
    expect((await marksIn(from)).find(({ role }) => role === 'source')?.state).toBe('moved')
    await expect(copied(from, to)).rejects.toThrow('The store was moved to')
  }
})

test('a copy has the tables, indexes and numbers of a new store', async () => {
  const from = await filledStore()
  const to = await server.database()
  await copied(from, to)
  const entry = `insert into audit (shop_id, at, author, action, detail) values ('shop-1', 1, 'a test', 'bound', '{}')`
  const [next] = (await rowsIn(to, `${entry} returning id`)) as { id: number }[]
  const [last] = (await rowsIn(from, 'select max(id) as id from audit')) as { id: number }[]
  expect(Number(next!.id)).toBeGreaterThan(Number(last!.id))
  const made = `select indexdef as made from pg_indexes where schemaname = 'public'
    union all select tgname || tgenabled::text from pg_trigger where not tgisinternal order by 1`
  expect(await rowsIn(to, made)).toEqual(await rowsIn(await server.databaseWithTables(), made))
})

/** A copy is refused, and both stores stay as they were. */
async function refusedWith(from: string, to: string, words: RegExp | string, options = {}): Promise<void> {
  const before = readFileSync(fileOf(from))
  await expect(copied(from, to, options)).rejects.toThrow(words)
  expect(readFileSync(fileOf(from)).equals(before)).toBe(true)
}

describe('refused, with the remedy:', () => {
  const later = "insert into kysely_migration (name, timestamp) values ('2999-01-later-contract', 'x')"

  test('one database as both', async () => {
    const from = await filledStore()
    await refusedWith(from, from, /not empty|another process holds it/i)
  })

  test('a target with rows, with tables of another program, or of another version', async () => {
    const from = await filledStore()
    await refusedWith(from, await filledStore(), /not empty: its table \w+ has rows.*Name an empty database/)
    const alien = await server.database()
    await (await clientOf(alien)).query('create table payments (id int)')
    await refusedWith(from, alien, 'tables of another program. Give the provider a database of its own.')
    const newer = newFile()
    await makeTables(fileOf(newer))
    change(newer, later)
    await refusedWith(from, newer, 'created by a newer version')
  })

  test('a source of a newer version, from before the first release, or without tables', async () => {
    const newer = await filledStore()
    change(newer, later)
    await refusedWith(newer, newFile(), 'created by a newer version. Run that version')
    const early = await filledStore()
    change(early, "update kysely_migration set name = '0001-tables'")
    await refusedWith(early, newFile(), 'made before the first release')
    const none = newFile()
    writeFileSync(fileOf(none), '')
    await refusedWith(none, newFile(), 'holds no tables of Purveyor')
  })

  test('another secret than the source has', async () => {
    const other = { seal: seal('another secret of 32 characters..') }
    const words = /PURVEYOR_SECRET .* does not open .* need the same one/
    await refusedWith(await filledStore(), newFile(), words, other)
  })

  test('nodes that run', async () => {
    const from = await filledStore()
    change(
      from,
      `insert into nodes (id, opens, seen_at, host, pid, main_pid, version, build, since)
        values ('n', '', ${Date.now() - 5_000}, 'web-1', 4711, 4711, '1', '', 1)`,
    )
    const to = newFile()
    await refusedWith(from, to, /1 node of a provider runs on the source: web-1 \(process 4711\)\. Stop all/)
    expect(existsSync(fileOf(to))).toBe(false)
    change(from, `update nodes set seen_at = ${Date.now() - 90_000}`)
    await copied(from, to)
  })

  test('a server that is read-only, away, without such a database, and a file that is none', async () => {
    const from = await filledStore()
    const url = await server.database()
    for (const [wrong, words] of [
      [{ search: '?options=-c%20default_transaction_read_only%3Don' }, 'accepts no writes'],
      [{ port: '1' }, 'cannot be reached'],
      [{ pathname: '/none' }, 'no such database'],
    ] as [Partial<URL>, string][])
      await refusedWith(from, Object.assign(new URL(url), wrong).href, words)
    const noFile = newFile()
    writeFileSync(fileOf(noFile), 'this is a text, and it is longer than a hundred bytes. '.repeat(20))
    await refusedWith(from, noFile, 'no SQLite database')
    await expect(copied(noFile, newFile())).rejects.toThrow('no SQLite database')
  })

  test('values that a column of the target does not take', async () => {
    const url = await server.databaseWithTables()
    for (const [statement, words] of [
      ['update deliveries set ms = 12.5', /invalid input syntax for type integer/],
      ['update attempts set number = 3000000000', /out of range/],
    ] as const) {
      const from = await filledStore()
      change(from, `${statement} where rowid = 3`)
      await refusedWith(from, url, words)
    }
    expect(await marksIn(url)).toEqual([])
  })
})

test.skipIf(noPool)(
  'a store is copied through a pool that gives each transaction another session',
  async () => {
    const url = await server.database()
    const pool = await startPool(Number(new URL(url).port))
    await pool.start()
    onTestFinished(() => pool.remove())
    const from = await filledStore()
    const before = await withSide(from, contentOf)
    await copied(from, pool.through(url))
    const back = newFile()
    await copied(pool.through(url), back)
    expect(await withSide(back, contentOf)).toEqual(before)
  },
)

test('NUL is left out where the target does not store it, and the rest is equal', async () => {
  const from = await filledStore()
  change(from, "update deliveries set answer = 'a' || char(0) || 'b' where rowid < 4")
  const url = await server.database()
  await copied(from, url)
  expect(await rowsIn(url, "select version from deliveries where answer = 'ab'")).toHaveLength(3)
})

describe.each([
  ['SQLite', filledStore],
  ['PostgreSQL', filledServer],
] as const)('a source in %s', (engine, makeSource) => {
  test('is copied to one target, also if two copies begin at once', { timeout: 60_000 }, async () => {
    const from = await makeSource()
    const targets = [newFile(), newFile()] as const
    const both = await Promise.allSettled(targets.map((to) => copied(from, to)))
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const good = both.findIndex(({ status }) => status === 'fulfilled')
    expect((await marksIn(from)).filter(({ role }) => role === 'source')).toEqual([
      { role: 'source', other: targets[good], state: 'moved' },
    ])
    await expect(copied(from, newFile())).rejects.toThrow(`was moved to ${targets[good]} at `)
  })

  test('is as it was after a copy that ends at any place, and is copied from the beginning then', async () => {
    const from = await makeSource()
    const before = await withSide(from, contentOf)
    const to = newFile()
    for (const place of ['shops', 'payments', 'feeds']) {
      const at = (_done: number, _of: number, what: string) => {
        if (what === place) throw new Error('stopped')
      }
      await expect(copied(from, to, { at })).rejects.toThrow('stopped')
      expect((await marksIn(from)).filter(({ role }) => role === 'source')).toEqual([])
      expect(await marksIn(to)).toEqual([])
    }
    await copied(from, to)
    expect(await withSide(to, contentOf)).toEqual(before)
  })

  test('takes no writes while it is copied and afterwards, from whatever process', {
    timeout: 60_000,
  }, async () => {
    const from = await makeSource()
    // A node that the copy does not see: it never noted itself.
    const store = await opened(
      engine === 'SQLite' ? sqliteStore({ file: fileOf(from) }) : postgresStore({ url: from }),
    )
    const times = { count: 1, firstAt: 1, lastAt: 1 }
    const one = { shopId: 'shop-1', message: 'a', path: 'b', kind: 'c', became: 'd', ...times }
    const write = () => store.noteDrifts([one] as never)
    await write()
    let during: Promise<unknown> | undefined
    const at = () => {
      during ??= write().catch((error: unknown) => error)
    }
    await copied(from, newFile(), { at })
    expect(await during).toMatchObject({ code: 'STORE_UNAVAILABLE' })
    await expect(write()).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining('purveyor explain STORE_MOVED'),
    })
    expect((await store.shops()).length).toBe(20)
  })
})

test('of two copies into one server one is refused', { timeout: 60_000 }, async () => {
  const to = await server.database()
  const both = await Promise.allSettled(
    [await filledStore(), await filledStore()].map((one) => copied(one, to)),
  )
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect((await marksIn(to)).map(({ state }) => state)).toEqual(['finished'])
})

test('a copy that differs from its source is undone', async () => {
  const to = await server.databaseWithTables()
  // A stranger has changed the tables.
  await rowsIn(to, 'alter table money_requests alter column currency type char(9)')
  const from = await filledStore()
  const copying = copied(from, to)
  await expect(copying).rejects.toMatchObject({ code: 'COPY_UNEQUAL' })
  await expect(copying).rejects.toThrow(
    /- money_requests: 60 rows, sum of hashes \d+ in the source, 60 rows, sum of hashes \d+ in the target$/,
  )
  expect(await marksIn(to)).toEqual([])
  expect(await marksIn(from)).toEqual([])
})
