import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { StoreUnavailable } from '../../src/store.ts'
import { backupSqlite, sqliteStore } from '../../src/stores/sqlite.ts'
import { folderWith } from '../folder.ts'
import { opened } from './opened.ts'

afterEach(() => vi.restoreAllMocks())

const endpoint = { tokenHash: 'h', sealedToken: 's', now: 1 }

async function storeInFile() {
  const folder = folderWith()
  const file = join(folder, 'store.db')
  const store = await opened(sqliteStore({ file }))
  /** Another process that writes and does not end. */
  const lock = () => {
    const other = new DatabaseSync(file)
    other.exec('begin immediate')
    return () => {
      other.exec('rollback')
      other.close()
    }
  }
  return { store, file, folder, lock }
}

test('while another process writes, a command waits without holding up the event loop', async () => {
  const { store, lock } = await storeInFile()
  const unlock = lock()
  let settled = false
  const added = store.ensureShop('default', endpoint).finally(() => {
    settled = true
  })
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
  expect(settled).toBe(false)
  unlock()
  expect((await added).shop.id).toBe('default')
})

test('a lock that stays is an error of its own after two seconds, nothing is half-written, and it heals', async () => {
  const { store, lock } = await storeInFile()
  const unlock = lock()
  await expect(store.ensureShop('default', endpoint)).rejects.toBeInstanceOf(StoreUnavailable)
  unlock()
  expect(await store.shopByEndpoint('h', 0)).toBeUndefined()
  expect((await store.ensureShop('default', endpoint)).sealedToken).toBe('s')
})

/** Makes files read-only for those too who have opened them: `-i` ends it. Not every file system and user can. */
const immutable = (flag: '+i' | '-i', files: string[]) => spawnSync('chattr', [flag, ...files]).status === 0

test('a file that turns read-only while it is open is an error of its own, names the remedy, and heals', async ({
  skip,
}) => {
  const { store, file } = await storeInFile()
  await store.ensureShop('default', endpoint)
  const files = [file, `${file}-wal`]
  if (!immutable('+i', files)) skip('this user or file system has no immutable files')
  try {
    const written = await store.ensureShop('two', { ...endpoint, tokenHash: 'h2' }).catch((error) => error)
    if (!(written instanceof Error)) skip('this file system writes open files that are immutable')
    expect(written).toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringMatching(/cannot be used now \(SQLITE_\w+, \d+: .*\)\. Its disk fails: look/),
    })
    await expect(store.check()).rejects.toBeInstanceOf(StoreUnavailable)
    await expect(sqliteStore({ file }).open()).rejects.toThrow(
      /cannot be opened \(EPERM\)\. Check that this user/,
    )
    expect(await store.shopByEndpoint('h', 0)).toBeDefined()
  } finally {
    immutable('-i', files)
  }
  expect((await store.ensureShop('two', { ...endpoint, tokenHash: 'h2' })).shop.id).toBe('two')
})

test('a store is WAL and syncs every commit', async () => {
  const { file } = await storeInFile()
  const reader = new DatabaseSync(file, { readOnly: true })
  expect(reader.prepare('pragma journal_mode').get()).toEqual({ journal_mode: 'wal' })
  reader.close()
})

test('a backup taken while commands run is one moment of the store', async () => {
  const { store, file, folder } = await storeInFile()
  const target = join(folder, 'copy.db')
  const writes = Array.from({ length: 50 }, (_, number) =>
    store.ensureShop(`shop-${number}`, { ...endpoint, tokenHash: `h${number}` }),
  )
  await Promise.all([backupSqlite(file, target), ...writes])
  const copy = new DatabaseSync(target)
  expect(copy.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' })
  const { shops, endpoints } = copy
    .prepare('select (select count(*) from shops) as shops, (select count(*) from endpoints) as endpoints')
    .get() as { shops: number; endpoints: number }
  expect(shops).toBe(endpoints)
  copy.close()
})

test('a closed store refuses, and opens again', async () => {
  const { store } = await storeInFile()
  await store.close()
  await expect(store.payment('default', '1')).rejects.toBeInstanceOf(StoreUnavailable)
  await store.open()
  expect(await store.payment('default', '1')).toBeUndefined()
})

const rightsOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

test('a store is for its own user alone: folders, file, what lies beside it, and its copy', async () => {
  const { folder } = await storeInFile()
  const [file, copy] = [join(folder, 'a/b/store.db'), join(folder, 'copy.db')]
  const store = await opened(sqliteStore({ file }))
  await store.ensureShop('default', endpoint)
  expect(readdirSync(join(folder, 'a/b')).sort()).toEqual(['store.db', 'store.db-shm', 'store.db-wal'])
  for (const end of ['', '-wal', '-shm']) expect(rightsOf(file + end)).toBe('600')
  expect([rightsOf(join(folder, 'a')), rightsOf(join(folder, 'a/b'))]).toEqual(['700', '700'])
  await backupSqlite(file, copy)
  expect(rightsOf(copy)).toBe('600')
})

test('a store that others can read is closed to them, and its folder stays as it is', async () => {
  const { folder } = await storeInFile()
  const open = join(folder, 'open')
  mkdirSync(open)
  chmodSync(open, 0o755)
  const file = join(open, 'store.db')
  const before = sqliteStore({ file })
  await before.open()
  await before.ensureShop('default', endpoint)
  // A reader keeps the files beside it in their place.
  const reader = new DatabaseSync(file)
  reader.prepare('select * from shops').all()
  await before.close()
  const files = readdirSync(open).map((name) => join(open, name))
  expect(files).toHaveLength(3)
  for (const one of files) chmodSync(one, 0o664)
  const store = await opened(sqliteStore({ file }))
  expect(files.map(rightsOf)).toEqual(['600', '600', '600'])
  expect(rightsOf(open)).toBe('755')
  expect((await store.shop('default'))?.id).toBe('default')
  reader.close()
})

test('a store whose tables need no update opens while another process writes for long', async () => {
  const { store, file } = await storeInFile()
  await store.close()
  const other = new DatabaseSync(file)
  other.exec('begin immediate')
  await store.open()
  expect(await store.shops()).toEqual([])
  other.exec('rollback')
  other.close()
})

test('a file of a newer version is refused as that, and stays as it is', async () => {
  const { store, file } = await storeInFile()
  await store.close()
  const later = new DatabaseSync(file)
  later.exec(`insert into kysely_migration values ('2099-01-later-contract', '2099-01-01T00:00:00Z')`)
  await expect(store.open()).rejects.toThrow(
    'The tables were created by a newer version. Run that version, or restore an earlier backup.',
  )
  later.exec(`delete from kysely_migration where name like '2099%'`)
  later.close()
  await store.open()
})

test.each([
  ['3.51.2', false],
  ['3.9.0', false],
  ['2.99.99', false],
  ['3.51.3', true],
  ['3.51.10', true],
  ['3.100.0', true],
])('SQLite %s is new enough: %s', async (version, isNewEnough) => {
  vi.spyOn(process, 'versions', 'get').mockReturnValue({ ...process.versions, sqlite: version })
  const store = sqliteStore({ file: ':memory:' })
  onTestFinished(() => store.close())
  if (isNewEnough) return expect(store.open()).resolves.toBeUndefined()
  await expect(store.open()).rejects.toThrow(
    `SQLite ${version} is older than 3.51.3. Run Node 24.15 or newer.`,
  )
  // Nothing was made, and the next try looks again.
  await expect(store.payment('default', '1')).rejects.toBeInstanceOf(StoreUnavailable)
  vi.restoreAllMocks()
  await store.open()
  expect(await store.payment('default', '1')).toBeUndefined()
})

test('commands that come while the store is being opened wait for it, reads and writes', async () => {
  const store = sqliteStore({ file: join(folderWith(), 'store.db') })
  onTestFinished(() => store.close())
  const opening = store.open()
  const [read, written, removed] = await Promise.all([
    store.payment('default', '1'),
    store.ensureShop('default', endpoint),
    store.removeShop('other', 1),
    opening,
  ])
  expect(read).toBeUndefined()
  expect(written.sealedToken).toBe('s')
  expect(removed).toBeUndefined()
})

test('a store is open once its tables are made, and not before', async () => {
  const { file } = await storeInFile()
  const beside = new DatabaseSync(file, { readOnly: true })
  const tables = beside.prepare(`select name from sqlite_master where type = 'table'`).all()
  beside.close()
  expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(['shops', 'payments', 'lanes']))
})

test('commands that come while a store is being opened that cannot be opened get its reason, reads and writes', async () => {
  const store = sqliteStore({ file: '/dev/null/store.db' })
  const reason = /\/dev\/null\/store\.db cannot be opened/
  await Promise.all([
    expect(store.open()).rejects.toThrow(reason),
    expect(store.payment('default', '1')).rejects.toThrow(reason),
    expect(store.ensureShop('default', endpoint)).rejects.toThrow(reason),
    expect(store.removeShop('default', 1)).rejects.toThrow(reason),
  ])
})
