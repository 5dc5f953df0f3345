import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { DatabaseSync } from 'node:sqlite'
import { storeOf } from '../../src/stores/open.ts'
import { connectTo } from '../postgres.ts'
import { temporaryFolder } from '../temporary.ts'
import { startWorkers } from './workers.ts'

export interface Round {
  seed: number
  shopIds: readonly string[]
  /** The half of the shops that this process removes. */
  removes: number
}

export interface RoundReport {
  written: number
  refused: number
  /** Of these, those that the store had no time for. */
  away: number
  /** Calls of `start` for a shop that was removed before the call. */
  late: number
  /** The next shops of the names, and what they read of those before. */
  added: { id: string; read: number }[]
}

const shops = 24

/** Two processes remove shops, and add them again, beside starts, pushes, pages and checks for them. Default: SQLite. */
export async function runRemovals(removals: number, firstSeed = 1, databaseUrl?: string) {
  // In memory where there is such a place: it is not about syncs.
  using folder = temporaryFolder(existsSync('/dev/shm') ? '/dev/shm' : tmpdir())
  const file = folder.at('removals.db')
  const url = databaseUrl ?? `sqlite:${file}`
  await using ends = new AsyncDisposableStack()
  const store = storeOf(url)
  await store.open()
  ends.defer(() => store.close())
  const report = {
    removals: 0,
    /** The first and the last one. */
    seeds: [firstSeed, firstSeed],
    /** Writes that were done and refused beside them. */
    ...{ written: 0, refused: 0, away: 0 },
    /** Starts after a removal, rows of removed shops, and what the next shop of a name read or got of it. */
    ...{ late: 0, rows: 0, read: 0 },
    violations: [] as string[],
  }
  const count = await counter(file, databaseUrl)
  ends.defer(count.close)
  let shopIds = Array.from({ length: shops }, (_, shop) => `shop${shop}`)
  for (const id of shopIds) await store.ensureShop(id, { tokenHash: id, sealedToken: 's', now: 1 })
  using removers = await startWorkers(new URL('./remover.ts', import.meta.url), [
    [url, 'one'],
    [url, 'two'],
  ])
  for (let seed = firstSeed; report.removals < removals; seed++) {
    const round = (removes: number): Round => ({ seed: 2 * seed + removes, shopIds, removes })
    const rounds = await removers.askAll<RoundReport | { error: string }>(round)
    shopIds = []
    for (const found of rounds) {
      if ('error' in found) throw new Error(found.error)
      report.removals += found.added.length
      for (const name of ['written', 'refused', 'away', 'late'] as const) report[name] += found[name]
      for (const { id, read } of found.added) {
        shopIds.push(id)
        report.read += read
      }
    }
    const { removed, next } = await count()
    report.rows += removed
    report.read += next
    report.seeds[1] = seed
    const { late, rows, read } = report
    if (late + rows + read === 0) continue
    report.violations.push(
      `I18 seed ${seed}: ${late} starts after a removal, ${rows} rows of removed shops, ${read} read by the next`,
    )
    break
  }
  return report
}

/** Counts the rows of removed shops, and those that a shop has which nobody has called yet, in every table that names shops. */
async function counter(file: string, databaseUrl: string | undefined) {
  const server = databaseUrl === undefined ? undefined : await connectTo(databaseUrl)
  const local = server ? undefined : new DatabaseSync(file, { readOnly: true })
  local?.exec('pragma busy_timeout = 10000')
  const ask = async (sql: string) =>
    (server ? (await server.query(sql)).rows : local!.prepare(sql).all()) as { name: string; count: number }[]
  const tables = await ask(
    server
      ? `select table_name as name from information_schema.columns
          where table_schema = current_schema() and column_name = 'shop_id' and table_name <> 'audit'`
      : `select m.name from sqlite_master as m join pragma_table_info(m.name) as c
          where m.type = 'table' and c.name = 'shop_id' and m.name <> 'audit'`,
  )
  const named = [...tables.map(({ name }) => [name, 'shop_id'] as const), ['shops', 'id'] as const]
  const sumOf = async (which: (shop: string) => string, counted: typeof named) => {
    const asked = counted.map(
      ([table, shop]) => `select count(*) as count from ${table} where ${which(shop)}`,
    )
    const [row] = await ask(`select sum(count) as count from (${asked.join(' union all ')}) as counts`)
    return Number(row!.count)
  }
  const count = async () => ({
    removed: await sumOf((shop) => `${shop} in (select id from removed_shops)`, named),
    next: await sumOf(
      (shop) => `${shop} in (select id from shops)`,
      named.filter(([table]) => table !== 'shops' && table !== 'endpoints'),
    ),
  })
  return Object.assign(count, { close: async () => (server ? server.end() : local!.close()) })
}
