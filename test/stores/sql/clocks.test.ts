// Clocks that are set while no node of the provider looks, with real stores.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { StorePort, StoreTrouble } from '../../../src/store.ts'
import { postgresStore } from '../../../src/stores/postgres.ts'
import { sqliteStore } from '../../../src/stores/sqlite.ts'
import { connectTo, type SharedPostgres, sharedPostgres } from '../../postgres.ts'

const second = 1_000
const hour = 3_600 * second
const day = 24 * hour
/** The time that may pass between two lines of a test on a slow machine. */
const soon = 120 * second

interface Engine {
  open(): Promise<{ store: StorePort; troubles: StoreTrouble[] }>
  /** Sets the clock that the agreed time is compared with. */
  setClock(ms: number): Promise<void>
  sql(text: string): Promise<void>
}

const opened = async (store: StorePort) => {
  const troubles: StoreTrouble[] = []
  store.watch?.((trouble) => troubles.push(trouble))
  await store.open()
  onTestFinished(() => store.close())
  return { store, troubles }
}

function sqliteEngine(): Engine {
  const file = join(mkdtempSync(join(tmpdir(), 'purveyor-clocks-')), 'store.db')
  const real = Date.now
  return {
    open: () => opened(sqliteStore({ file })),
    async setClock(ms) {
      vi.restoreAllMocks()
      vi.spyOn(Date, 'now').mockImplementation(() => real() + ms)
      onTestFinished(() => void vi.restoreAllMocks())
    },
    async sql(text) {
      const database = new DatabaseSync(file)
      database.exec(text)
      database.close()
    },
  }
}

let server: SharedPostgres
beforeAll(async () => {
  server = await sharedPostgres()
}, 600_000)

/** The function of the server's clock is covered by one of the database's own, that is ahead by what a table says. */
async function postgresEngine(): Promise<Engine> {
  const url = await server.database()
  const sql = async (text: string) => {
    const client = await connectTo(url)
    await client.query(text)
    await client.end()
  }
  const database = new URL(url).pathname.slice(1)
  await sql(`create table ahead (ms bigint); insert into ahead values (0);
    create function public.clock_timestamp() returns timestamptz language sql volatile as
      $$ select pg_catalog.clock_timestamp() + (select ms from public.ahead) * interval '1 millisecond' $$;
    alter database ${database} set search_path = public, pg_catalog`)
  return {
    open: () => opened(postgresStore({ url })),
    setClock: (ms) => sql(`update ahead set ms = ${ms}`),
    sql,
  }
}

/** As if all nodes had stopped so long ago. */
const stoppedFor = (ms: number) =>
  `update clocks set server_at = server_at - ${ms}, agreed_at = agreed_at - ${ms}, up = up - ${ms}`

describe.each([
  ['sqlite', async () => sqliteEngine()],
  ['postgres', postgresEngine],
] as const)('%s', (name, make) => {
  const code = name === 'sqlite' ? 'CLOCK_JUMPED' : 'SERVER_CLOCK_JUMPED'
  const near = (store: StorePort, at: number) => expect(Math.abs(store.now!() - at)).toBeLessThan(soon)

  test.each([2 * hour, -2 * hour])(
    'a node that starts after the clock was set by %d ms keeps the time, and reports it',
    async (ms) => {
      const engine = await make()
      const first = await engine.open()
      const before = performance.now()
      const at = first.store.now!()
      expect(first.troubles).toEqual([])
      await engine.setClock(ms)
      const { store, troubles } = await engine.open()
      near(store, at + performance.now() - before)
      expect(troubles).toEqual([{ code, seconds: expect.closeTo(ms / second, -2) }])
      // All nodes stop; the clock stays wrong.
      await Promise.all([first.store.close(), store.close()])
      const later = await engine.open()
      near(later.store, at + performance.now() - before)
      expect(later.troubles).toHaveLength(1)
    },
  )

  test('a provider that was stopped for two days takes the new time, also on a machine that has booted since', async () => {
    const engine = await make()
    const { store } = await engine.open()
    const now = store.now!()
    await store.close()
    await engine.sql(stoppedFor(2 * day))
    const again = await engine.open()
    near(again.store, now)
    expect(again.troubles).toEqual([])
    await again.store.close()
    await engine.sql(`${stoppedFor(2 * day)}; delete from clocks where id <> 'agreed'`)
    const anew = await engine.open()
    near(anew.store, now)
    expect(anew.troubles).toEqual([])
  })

  test('a person makes the new time count: for nodes that start, forward and back', async () => {
    const engine = await make()
    const { store } = await engine.open()
    const now = store.now!()
    for (const ms of [2 * hour, -hour]) {
      await engine.setClock(ms)
      const node = await engine.open()
      const { serverAt, agreedAt } = await node.store.clockState!()
      expect(Math.abs(serverAt - agreedAt)).toBeGreaterThan(hour - soon)
      await node.store.releaseClock!()
      const next = await engine.open()
      near(next.store, now + ms)
      expect(next.troubles).toEqual([])
    }
  })
})

test('PostgreSQL: on a new machine, beside nodes that run, a clock that was set a moment ago counts for nobody', async () => {
  const engine = await postgresEngine()
  const first = await engine.open()
  const now = first.store.now!()
  await engine.sql(`delete from clocks where id <> 'agreed'`)
  await engine.setClock(2 * hour)
  vi.spyOn(Date, 'now').mockImplementation(() => now + 2 * hour)
  onTestFinished(() => void vi.restoreAllMocks())
  const { store, troubles } = await engine.open()
  expect(Math.abs(store.now!() - now)).toBeLessThan(soon)
  expect(troubles).toEqual([{ code: 'SERVER_CLOCK_JUMPED', seconds: expect.closeTo(7_200, -3) }])
})
