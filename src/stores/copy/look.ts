import { sql } from 'kysely'
import { counted } from '../../printable.ts'
import type { Seal } from '../../shops/seal.ts'
import type { CopyMark } from '../../store.ts'
import { markSteps } from '../sql/copies.ts'
import { levelOf, migrationsFor } from '../sql/migrate.ts'
import type { Command } from '../sql/query.ts'
import { sealedCommands } from '../sql/sealed.ts'
import { refused } from './refused.ts'
import type { CopiedTable, Side } from './side.ts'
import { copiedTables } from './table-rows.ts'

/** A node that was not noted for so long has died, in milliseconds. */
const nodeLives = 60_000

/** The content of a store before a copy touches it. */
export interface Looked {
  tables: CopiedTable[]
  /** `none`: it has no tables of Purveyor. */
  level: 'none' | 'older' | 'current' | 'newer'
  source: CopyMark | undefined
  copy: CopyMark | undefined
  /** How far a copy into it is, by table; empty without one. */
  progress: Map<string, Progress>
}

export interface Progress {
  last: string | null
  rows: number
  isDone: boolean
}

/** Reads the content of a store. */
export async function look(side: Side): Promise<Looked> {
  const tables = await side.tables()
  const has = (name: string) => tables.some((table) => table.name === name)
  const migrations = tables.find(({ name }) => name === 'kysely_migration')
  const done = migrations?.columns.some(({ name }) => name === 'name')
    ? await side.all(sql<{ name: string }>`select name from kysely_migration`)
    : []
  const marks = has('store_copies') ? markSteps(side.db).from(await side.all(markSteps(side.db).list())) : []
  const rows = has('copied_tables')
    ? await side.all(sql<ProgressRow>`select name, last_key, row_count, is_done from copied_tables`)
    : []
  return {
    tables,
    level: levelOf(
      done.map(({ name }) => name),
      migrationsFor(side.engine),
    ) as never,
    source: marks.find(({ role }) => role === 'source'),
    copy: marks.find(({ role }) => role === 'copy'),
    progress: new Map(
      rows.map(({ name, last_key, row_count, is_done }) => [
        name,
        { last: last_key, rows: row_count, isDone: is_done === 1 },
      ]),
    ),
  }
}

interface ProgressRow {
  name: string
  last_key: string | null
  row_count: number
  is_done: number
}

/** The number of rows in each table that a copy takes along. */
export async function rowCounts(side: Side, tables: readonly CopiedTable[]): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const { name } of copiedTables(tables)) {
    const [found] = await side.all(sql<{ count: number }>`select count(*) as count from ${sql.table(name)}`)
    counts.set(name, Number(found!.count))
  }
  return counts
}

/** Rejects while providers run on a store. `which` is how the store is called. */
export async function refuseNodes(side: Side, which: string): Promise<void> {
  const [clock] = await side.all(
    sql<{
      server_at: number
      agreed_at: number
    }>`select server_at, agreed_at from clocks where id = 'agreed'`,
  )
  const now = (await side.now()) + (clock ? clock.agreed_at - clock.server_at : 0)
  const nodes = await side.all(
    sql<{ host: string; pid: number }>`select host, pid from nodes
      where seen_at >= ${now - nodeLives} order by host, pid`,
  )
  if (nodes.length === 0) return
  const where = nodes.map(({ host, pid }) => `${host} (process ${pid})`)
  const named = [...new Set(where)].slice(0, 5).join(', ')
  throw refused(
    `${counted(nodes.length, 'node of a provider runs', 'nodes of a provider run')} on ${which}: ${named}. Stop all of them first, such as with systemctl stop. A node that was killed counts for one minute more. To try a copy while they run, add --rehearse.`,
  )
}

/** Opens every sealed text: those of a store belong to its secret, and are copied as they are. */
export async function checkSecret(side: Side, seal: Seal): Promise<void> {
  const texts = await runOn(side, sealedCommands(side.db).sealed())
  try {
    for (const { sealed, ...row } of texts) seal.open(sealed, row)
  } catch (error) {
    throw refused(
      'PURVEYOR_SECRET of this environment does not open what is sealed in the source. Set it to the secret that the nodes of the source have: sealed texts are copied as they are, so the nodes of the target need the same one. While a secret is being changed, set PURVEYOR_PREVIOUS_SECRET too.',
      error,
    )
  }
}

async function runOn<T>(side: Side, command: Command<T>): Promise<T> {
  let wait = command.next()
  while (!wait.done) {
    const steps = 'steps' in wait.value ? wait.value.steps : []
    const found: unknown[][] = []
    for (const step of steps) found.push(await side.all(step))
    wait = command.next(found)
  }
  return wait.value
}
