import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Side } from '../../../src/stores/copy/side.ts'
import { copiedTables, leftBehind } from '../../../src/stores/copy/table-rows.ts'
import { postgresStore } from '../../../src/stores/postgres.ts'
import { sqliteStore } from '../../../src/stores/sqlite.ts'
import { isLong } from '../../long.ts'
import { type SharedPostgres, sharedPostgres } from '../../postgres.ts'
import { Random } from '../../torture/random.ts'
import { contentOf } from './compare-stores.ts'
import { copied, filledStore, folder, removeFilled, sideOf, withSide } from './copying.ts'

let server: SharedPostgres

beforeAll(async () => {
  server = await sharedPostgres()
}, 600_000)
afterAll(async () => {
  removeFilled()
})

test('every table is copied from SQLite to PostgreSQL, to another server and back, and stays equal', async () => {
  const file = await filledStore()
  const [one, other] = [await server.database(), await server.database()]
  const back = `sqlite:${join(folder(), 'new', 'back.db')}`
  const before = await withSide(file, contentOf)
  expect(Object.values(before).filter((content) => content.startsWith('0 '))).toEqual([])
  for (const [from, to] of [
    [file, one],
    [one, other],
    [other, back],
  ] as const) {
    const report = await copied(from, to)
    expect(report).toMatchObject({ state: 'copied', before: 0, source: report.target })
    expect(report.standstillSeconds).toBeGreaterThan(0)
    expect(await withSide(to, contentOf)).toEqual(before)
    // The source stays as it was.
    expect(await withSide(from, contentOf)).toEqual(before)
  }
})

test('a table is copied, or left behind with a reason', async () => {
  const all = await withSide(await filledStore(), (side) => side.tables())
  const names = all.map(({ name }) => name)
  const tables = copiedTables(all)
  expect([...leftBehind].filter((name) => !names.includes(name))).toEqual(['holds', 'copied_indexes'])
  const odd = tables.flatMap(({ columns }) => columns.filter(({ kind }) => kind === 'other'))
  expect(odd).toEqual([])
  const url = await server.databaseWithTables()
  const onServer = copiedTables(await withSide(url, (side) => side.tables()))
  const flat = (list: typeof tables) =>
    list.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`)).sort()
  expect(flat(onServer)).toEqual(flat(tables))
  expect(onServer.flatMap(({ columns }) => columns.filter(({ kind }) => kind === 'other'))).toEqual([])
})

test('new rows of a copy are numbered behind those that it got', async () => {
  const to = await server.database()
  const from = await filledStore()
  await copied(from, to)
  const next = await withSide(to, (side) =>
    side.all(sql<{ id: number }>`insert into audit (shop_id, at, author, action, detail)
      values ('shop-1', 1, 'a test', 'bound', '{}') returning id`),
  )
  const [last] = await withSide(from, (side) =>
    side.all(sql<{ id: number }>`select max(id) as id from audit`),
  )
  expect(next[0]!.id).toBeGreaterThan(last!.id)
  const indexes = (url: string) =>
    withSide(url, (side) =>
      side.all(sql`select indexdef from pg_indexes where schemaname = 'public' order by 1`),
    )
  expect(await indexes(to)).toEqual(await indexes(await server.databaseWithTables()))
})

class Killed extends Error {}

/** A side whose process ends before or after one of its writes. What it wrote until then stays. */
function dyingAfter(side: Side, lives: { left: number; before: boolean }): Side {
  const dies = async <T>(write: () => Promise<T>): Promise<T> => {
    if (lives.left-- > 0) return write()
    if (!lives.before) await write()
    throw new Killed()
  }
  return new Proxy(side, {
    get(target, name: keyof Side) {
      const member = target[name]
      if (typeof member !== 'function') return member
      const call = member.bind(target) as (...args: unknown[]) => Promise<unknown>
      return ['commit', 'add', 'settle', 'migrate'].includes(name)
        ? (...args: unknown[]) => dies(() => call(...args))
        : call
    },
  })
}

/** Copies, and dies again and again after `livesFor` writes, until a run comes to its end. Resolves with the number of deaths. */
async function copiedWithDeaths(from: string, to: string, livesFor: () => number): Promise<number> {
  for (let deaths = 0; ; deaths++) {
    const lives = { left: livesFor(), before: deaths % 2 === 0 }
    try {
      await copied(dyingAfter(sideOf(from), lives), dyingAfter(sideOf(to), lives))
      return deaths
    } catch (error) {
      if (!(error instanceof Killed)) throw error
    }
  }
}

test('a copy that dies at any place goes on where it stopped, and nothing comes twice', {
  timeout: 60_000,
}, async () => {
  const random = new Random(25)
  for (const to of [`sqlite:${join(folder(), 'copy.db')}`, await server.database()]) {
    const from = await filledStore()
    const before = await withSide(from, contentOf)
    expect(await copiedWithDeaths(from, to, () => random.between(2, 5))).toBeGreaterThanOrEqual(10)
    expect(await withSide(to, contentOf)).toEqual(before)
    expect(await copied(from, to)).toMatchObject({ state: 'done' })
  }
})

/** The writes of a copy in large batches, but those of its tables: two runs die at each of them, before and after it. */
const places = isLong ? [0, 1, 2, 3, 14, 26, 27, 28, 29, 30] : [0, 2, 27, 29]

test.each(places)('it may die at its write %i', async (place) => {
  const [from, to] = [await filledStore(), `sqlite:${join(folder(), 'copy.db')}`]
  const before = await withSide(from, contentOf)
  for (const isBefore of [true, false]) {
    const lives = { left: place, before: isBefore }
    const dying = copied(dyingAfter(sideOf(from), lives), dyingAfter(sideOf(to), lives), { batch: 1_000 })
    await dying.catch((error: unknown) => expect(error).toBeInstanceOf(Killed))
  }
  await copied(from, to, { batch: 1_000 })
  expect(await withSide(to, contentOf)).toEqual(before)
})

test('a second copy of the same stores is refused while one runs', async () => {
  const [from, to] = [await filledStore(), `sqlite:${join(folder(), 'copy.db')}`]
  let once = true
  const slow = new Proxy(sideOf(to), {
    get(target, name: keyof Side) {
      const member = target[name]
      if (typeof member !== 'function') return member
      const call = member.bind(target) as (...args: unknown[]) => unknown
      if (name !== 'add') return call
      return async (...args: unknown[]) => {
        if (once) {
          once = false
          await expect(copied(from, to)).rejects.toThrow(`the source is being copied to ${to}. Wait`)
        }
        return call(...args)
      }
    },
  })
  await copied(from, slow)
  expect(await withSide(to, contentOf)).toEqual(await withSide(from, contentOf))
})

test('a source takes no writes from the first batch on, from whatever process', async () => {
  for (const from of [await filledStore(), await server.database()]) {
    const isFile = from.startsWith('sqlite:')
    if (!isFile) await copied(await filledStore(), from)
    const open = isFile ? sqliteStore({ file: from.slice('sqlite:'.length) }) : postgresStore({ url: from })
    // A node that the copy does not see: it never noted itself.
    await open.open()
    const forget = () =>
      open.noteDrifts([
        {
          shopId: 'shop-1',
          message: 'a',
          path: 'b',
          kind: 'c',
          became: 'd',
          count: 1,
          firstAt: 1,
          lastAt: 1,
        },
      ] as never)
    await forget()
    await copied(from, `sqlite:${join(folder(), 'copy.db')}`)
    await expect(forget()).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining('purveyor explain STORE_MOVED'),
    })
    expect((await open.shops()).length).toBe(20)
    await open.close()
  }
})
