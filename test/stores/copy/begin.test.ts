import { linkSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { releaseOf } from '../../../src/stores/copy/release.ts'
import { postgresStore } from '../../../src/stores/postgres.ts'
import { seal } from '../../../src/stores/seal.ts'
import { sqliteStore } from '../../../src/stores/sqlite.ts'
import { connectTo, type PostgresServer, startPostgres } from '../../postgres.ts'
import { copied, filledStore, folder, removeFilled, sideOf, withSide } from './copying.ts'

let server: PostgresServer

beforeAll(async () => {
  server = await startPostgres(['-c', 'max_connections=40'])
}, 600_000)
afterAll(async () => {
  removeFilled()
  await server?.remove()
})

const fileOf = (address: string) => address.slice('sqlite:'.length)
const newFile = () => `sqlite:${join(folder(), 'copy.db')}`
/** Changes a file below Purveyor. */
function change(address: string, ...statements: string[]): void {
  const database = new DatabaseSync(fileOf(address))
  for (const statement of statements) database.exec(statement)
  database.close()
}

/** A copy is refused, and both stores stay as they were: no marks, no tables. */
async function refusedWith(from: string, to: string, words: RegExp | string, options = {}): Promise<void> {
  const isFile = to.startsWith('sqlite:')
  const seen = async () => [
    readFileSync(fileOf(from)).equals(before),
    isFile
      ? statSync(fileOf(to), { throwIfNoEntry: false })?.size
      : await withSide(to, (side) => side.tables()),
  ]
  const before = readFileSync(fileOf(from))
  const first = await seen()
  await expect(copied(from, to, options)).rejects.toThrow(words)
  expect(await seen()).toEqual(first)
}

describe('refused before anything is written, with the remedy:', () => {
  test('one database as both, by two names too', async () => {
    const from = await filledStore()
    await refusedWith(from, from, 'the same database. Name two.')
    const link = `${fileOf(from)}.link`
    linkSync(fileOf(from), link)
    await refusedWith(from, `sqlite:${link}`, 'the same database')
    const url = await server.databaseWithTables()
    await expect(copied(url, `${url}?application_name=other`)).rejects.toThrow('the same database')
  })

  test('a target with rows, with tables of another program, or of another version', async () => {
    const from = await filledStore()
    await refusedWith(from, await filledStore(), /not empty: its table \w+ has rows.*Name an empty database/)
    const alien = await server.database()
    const client = await connectTo(alien)
    await client.query('create table payments (id int)')
    await refusedWith(from, alien, 'tables of another program, such as payments. Name a database of its own.')
    for (const columns of ['(name text, timestamp text)', '(id int)']) {
      await client.query(`drop table if exists payments, kysely_migration`)
      await client.query(`create table kysely_migration ${columns}`)
      if (columns.includes('name'))
        await client.query(`insert into kysely_migration values ('001-users', 'x')`)
      await refusedWith(from, alien, 'tables of another program, such as kysely_migration. Name a database')
    }
    await client.end()
    const newer = newFile()
    const store = sqliteStore({ file: fileOf(newer) })
    await store.open()
    await store.close()
    change(newer, "insert into kysely_migration (name, timestamp) values ('2999-01-later', 'x')")
    await refusedWith(from, newer, 'The tables of the target were created by a newer version.')
  })

  test('a source of a newer or an older version, or without tables', async () => {
    const newer = await filledStore()
    change(newer, "insert into kysely_migration (name, timestamp) values ('2999-01-later', 'x')")
    await refusedWith(newer, newFile(), 'created by a newer version. Run db copy of that version.')
    const older = await filledStore()
    change(older, "delete from kysely_migration where name = '0001-tables'")
    await refusedWith(older, newFile(), 'those of an older version. Update them first: purveyor db migrate')
    const none = newFile()
    writeFileSync(fileOf(none), '')
    await refusedWith(none, newFile(), 'holds no tables of Purveyor')
  })

  test('another secret than the source has', async () => {
    await refusedWith(
      await filledStore(),
      newFile(),
      /PURVEYOR_SECRET .* does not open .* need the same one/,
      {
        seal: seal('another secret of 32 characters..'),
      },
    )
  })

  test('nodes that run, unless it is a rehearsal or a check', async () => {
    const from = await filledStore()
    change(
      from,
      `insert into nodes (id, opens, seen_at, host, pid) values ('n', '', ${Date.now() - 5_000}, 'web-1', 4711)`,
    )
    await refusedWith(
      from,
      newFile(),
      /1 node of a provider runs on the source: web-1 \(process 4711\)\. Stop all/,
    )
    expect(await copied(from, newFile(), { dryRun: true })).toMatchObject({ state: 'checked' })
    change(from, `update nodes set seen_at = ${Date.now() - 90_000}`)
    expect(await copied(from, newFile())).toMatchObject({ state: 'copied' })
  })

  test('a server that is read-only, full, or takes too few connections for the nodes', async () => {
    const from = await filledStore()
    const url = await server.database()
    await refusedWith(from, `${url}?options=-c%20default_transaction_read_only%3Don`, 'accepts no writes')
    await refusedWith(
      from,
      url,
      /too few connections: max_connections .* is \d+, and 9 processes .* need 93/,
      {
        processes: 9,
      },
    )
    const client = await connectTo(url)
    await client.query("create role guest login password 'guest' connection limit 5")
    const guest = new URL(url)
    guest.username = 'guest'
    guest.password = 'guest'
    await expect(copied(from, guest.href)).rejects.toThrow(
      /may not create anything .* grant create on schema public to guest/,
    )
    await client.query('grant create on schema public to guest')
    await refusedWith(from, guest.href, 'the connection limit of the user guest is 5')
    await client.end()
  })

  test('a server that is away, no such database, a wrong password, and a file that is none', async () => {
    const from = await filledStore()
    const url = new URL(await server.database())
    await expect(copied(from, Object.assign(new URL(url), { port: '1' }).href)).rejects.toThrow(
      'cannot be reached',
    )
    await expect(copied(from, Object.assign(new URL(url), { pathname: '/none' }).href)).rejects.toThrow(
      'no such database',
    )
    const noFile = newFile()
    writeFileSync(fileOf(noFile), 'this is a text, and it is longer than a hundred bytes. '.repeat(20))
    await expect(copied(from, noFile)).rejects.toThrow('no SQLite database')
    await expect(copied(noFile, newFile())).rejects.toThrow('no SQLite database')
  })

  test('texts with NUL or half a character, and numbers that a column does not take, by their columns', async () => {
    const from = await filledStore()
    change(
      from,
      "update deliveries set answer = 'a' || char(0) || 'b' where rowid < 4",
      "update payments set redirect_url = cast(x'61EDA08062' as text) where order_id = 'order-1'",
      'update deliveries set ms = 12.5 where rowid = 9',
      'update changes set at = 9007199254740993 where id = 2',
      "update attempts set number = 3000000000 where order_id = 'order-3'",
    )
    const url = await server.databaseWithTables()
    const refusal = copied(from, url)
    await expect(refusal).rejects.toMatchObject({ code: 'COPY_REFUSED' })
    await expect(refusal).rejects.toThrow(/deliveries\.answer: 3 rows hold the character NUL.*--without-nul/)
    await expect(refusal).rejects.toThrow(/payments\.redirect_url: 1 row hold.* not valid UTF-8/)
    await expect(refusal).rejects.toThrow(/deliveries\.ms: 1 row/)
    await expect(refusal).rejects.toThrow(/changes\.at: 1 row/)
    await expect(refusal).rejects.toThrow(/attempts\.number: 1 row/)
    expect(await withSide(url, (side) => side.all(sql`select * from store_copies`))).toEqual([])
  })
})

test('NUL is left out with --without-nul, and the rest is equal', async () => {
  const from = await filledStore()
  change(from, "update deliveries set answer = 'a' || char(0) || 'b' where rowid < 4")
  const url = await server.database()
  expect(await copied(from, url, { withoutNul: true })).toMatchObject({ state: 'copied' })
  const [found] = await withSide(url, (side) =>
    side.all(sql<{ count: number }>`select count(*) as count from deliveries where answer = 'ab'`),
  )
  expect(found).toEqual({ count: 3 })
})

describe('marks', () => {
  test('an unfinished copy goes on with its own source and target only', async () => {
    const [from, to] = [await filledStore(), newFile()]
    const at = (_done: number, _of: number, what: string) => {
      if (what === 'payments') throw new Error('stopped')
    }
    await expect(copied(from, to, { at })).rejects.toThrow('stopped')
    await expect(copied(from, newFile())).rejects.toThrow(`The source is being copied to ${to}.`)
    await expect(copied(await filledStore(), to)).rejects.toThrow(
      `The target holds an unfinished copy of ${from}`,
    )
    await expect(copied(to, newFile())).rejects.toThrow('The source is itself a copy')
    expect(await copied(from, to)).toMatchObject({ state: 'copied', before: expect.any(Number) })
    await expect(copied(from, newFile())).rejects.toThrow(`The source was moved to ${to}`)
  })

  test('a rehearsal copies one moment beside writers, marks no source, and its copy is never served or written', async () => {
    for (const to of [newFile(), await server.database()]) {
      const from = await filledStore()
      const store = sqliteStore({ file: fileOf(from) })
      await store.open()
      let wrote = false
      const at = () => {
        // In the middle of the copy.
        if (wrote) return
        wrote = true
        change(from, "insert into drifts values ('shop-1', 'later', 'p', 'k', 'b', 1, 1, 1)")
      }
      const report = await copied(from, to, { rehearse: true, at })
      expect(report).not.toHaveProperty('standstillSeconds')
      expect(await store.copyMarks()).toEqual([])
      await store.close()
      const copy = to.startsWith('sqlite:') ? sqliteStore({ file: fileOf(to) }) : postgresStore({ url: to })
      await copy.open()
      expect(await copy.copyMarks()).toMatchObject([{ role: 'copy', state: 'rehearsal' }])
      expect((await copy.drifts({ limit: 1_000 } as never)).some(({ message }) => message === 'later')).toBe(
        false,
      )
      await expect(copy.forget(Date.now())).rejects.toThrow('purveyor explain STORE_MOVED')
      await copy.close()
      await expect(copied(from, to)).rejects.toThrow('(rehearsal)')
    }
  })

  test('a release lets the source be served and its copy no longer, unless the copy was served', async () => {
    const [from, to] = [await filledStore(), await server.database()]
    await copied(from, to)
    const release = async (source: string, copy: string | undefined) => {
      const sides = [sideOf(source), ...(copy === undefined ? [] : [sideOf(copy)])] as const
      try {
        await (await releaseOf({ from: sides[0]!, to: sides[1] })).run()
      } finally {
        await Promise.all(sides.map((side) => side.close()))
      }
    }
    await expect(release(from, await filledStore())).rejects.toThrow('is not the copy of this store')
    await expect(release(to, undefined)).rejects.toThrow('was not copied')
    await release(from, to)
    await expect(release(from, to)).rejects.toThrow('released already')
    expect(await withSide(to, (side) => side.all(sql`select state from store_copies`))).toEqual([
      { state: 'retired' },
    ])
    // It takes writes again, and may be copied again.
    change(from, 'delete from drifts')
    const second = await server.database()
    await copied(from, second)
    const store = postgresStore({ url: second })
    await store.open()
    await store.noteServed(1_800_000_000_000)
    await store.close()
    await expect(release(from, second)).rejects.toThrow(
      /have served the copy since 2027-01-15 08:00:00: what happened there would be lost\. Copy back/,
    )
    // The copy is gone.
    await release(from, undefined)
    change(from, 'delete from drifts')
  })

  test('a copy that differs is not taken over by anybody', async () => {
    const [from, to] = [await filledStore(), newFile()]
    let once = true
    const at = (_done: number, _of: number, what: string) => {
      if (what !== 'indexes' || !once) return
      once = false
      change(to, "update attempts set amount = '0.01' where order_id = 'order-7'")
    }
    const copying = copied(from, to, { at })
    await expect(copying).rejects.toMatchObject({ code: 'COPY_UNEQUAL' })
    await expect(copying).rejects.toThrow(
      /- attempts, amount, digest: \w{15} in the source, \w{15} in the target$/,
    )
    expect(await withSide(to, (side) => side.all(sql`select state from store_copies`))).toEqual([
      { state: 'unfinished' },
    ])
    expect(await withSide(from, (side) => side.all(sql`select state from store_copies`))).toEqual([
      { state: 'copying' },
    ])
  })
})
