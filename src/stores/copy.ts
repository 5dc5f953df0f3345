import { hash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { CompiledQuery, Kysely, PostgresDialect, SqliteDialect, sql } from 'kysely'
import { PurveyorError } from '../errors/errors.ts'
import { counted, time } from '../printable.ts'
import type { Seal } from '../shops/seal.ts'
import { whyNot } from '../shops/unlock-store.ts'
import { plain } from '../store/columns.ts'
import { checkEncryption } from '../store/postgres/checks.ts'
import { startError } from '../store/postgres/errors.ts'
import { exactNumbers, loadPg } from '../store/postgres/server.ts'
import { type Engine, type TableName, type Tables, tableNames, tables } from '../store/schema.ts'
import { openError } from '../store/sqlite/errors.ts'
import { forKysely } from '../store/sqlite/open.ts'
import { standStill } from '../store/standstill.ts'
import { indexesOf } from '../store/tables/make-tables.ts'
import { levelIn, migrationsFor, tablesOfOther } from '../store/tables/migrate.ts'
import { StoreUnavailable } from '../store.ts'
import type { CopyMark } from '../store-port.ts'
import { shownUrl, sqliteFileOf, storeOf } from './open.ts'

/** One of the two stores of a copy, on one connection. */
export interface Side {
  engine: Engine
  /** Its address without a password. */
  shown: string
  db: Kysely<Tables>
  /** Undoes a transaction that has not ended. */
  close(): Promise<void>
}

/**
 * Opens the store that an option names; with `creates` its tables are made or updated first, and otherwise they have to be there. Rejects with
 * `COPY_REFUSED` for a store without tables of this version.
 */
export async function openSide(option: string, address: string, creates = false): Promise<Side> {
  const make = async () => {
    const store = storeOf(address)
    if (creates) await store.open().finally(store.close)
  }
  const file = sqliteFileOf(address)
  const side = await (file === undefined ? onServer(option, address, make) : inFile(resolve(file), make))
  const level = await levelIn(side.db, migrationsFor(side.engine))
  if (level === 'current') return side
  await side.close()
  const none = `${option} (${side.shown}) holds no tables of Purveyor. Check the address: a path begins in this folder.`
  const refusals = { ...tablesOfOther, older, none, 'of another program': none, current: undefined }
  throw new PurveyorError('COPY_REFUSED', refusals[level]!)
}

const older =
  'The tables of the source are those of an older version. Update them first: purveyor db migrate, with PURVEYOR_DATABASE_URL set to the source.'

async function inFile(file: string, make: () => Promise<void>): Promise<Side> {
  await make()
  const guarded = <T>(use: () => T): T => {
    try {
      return use()
    } catch (error) {
      throw openError(file, error)
    }
  }
  const database = guarded(() => new DatabaseSync(existsSync(file) ? file : ':memory:', { timeout: 5_000 }))
  guarded(() => database.exec('pragma schema_version'))
  const dialect = new SqliteDialect({ database: forKysely(database, guarded) })
  const close = async () => database.close()
  return { engine: 'sqlite', shown: `sqlite:${file}`, db: new Kysely({ dialect }), close }
}

async function onServer(option: string, address: string, make: () => Promise<void>): Promise<Side> {
  const pg = await loadPg()
  const shown = shownUrl(address)
  const client = new pg.Client({
    ...{ connectionString: address, connectionTimeoutMillis: 5_000, keepAlive: true },
    ...{ application_name: 'purveyor db copy', types: exactNumbers(pg) },
  })
  // Without a listener Node exits on this event; the query that runs rejects.
  client.on('error', () => {})
  /** Errors of a provider's store name its variable and its start, which are not what was read and done here. */
  const guarded = <T>(work: Promise<T>): Promise<T> =>
    work.catch((cause: unknown) => {
      const ofCopy = startError(cause).message.replace('a step of the start', 'a step of the copy')
      const message = `${ofCopy.replaceAll('PURVEYOR_DATABASE_URL', option)} ${option} is ${shown}.`
      throw new StoreUnavailable(message, { cause })
    })
  const open = async () => {
    checkEncryption(address, client)
    await client.connect()
    await make()
  }
  const close = () => client.end().catch(() => {})
  await guarded(open()).catch(async (error: unknown) => {
    await close()
    throw error
  })
  const query = (text: string, values?: unknown[]) => guarded(client.query(text, values))
  // One connection, so that what is begun is ended on it.
  const pool = { connect: async () => ({ query, release() {} }), end: async () => {} }
  const dialect = new PostgresDialect({ pool: pool as never })
  return { engine: 'postgres', shown, db: new Kysely({ dialect }), close }
}

const run = ({ db }: Side, text: string) => sql.raw(text).execute(db)

const settings = `set local statement_timeout = 0; set local lock_timeout = 5000;
  set local idle_in_transaction_session_timeout = 0`
/** Begins a transaction beside which others write nothing until its end. */
const beginAlone = (side: Side) =>
  run(
    side,
    side.engine === 'sqlite'
      ? 'begin immediate'
      : `begin; ${settings}; lock table ${tableNames.join(', ')} in exclusive mode`,
  )

/** Equal rows of both engines are equal as JSON. */
type CopiedRow = Record<string, string | number | null>
const atOnce = 1_000
const columnsOf = (name: TableName) => Object.keys(tables[name].columns)
const list = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)))

/** All rows of a table by its key, some at a time. */
export async function* rowsOf({ db }: Side, name: TableName): AsyncGenerator<CopiedRow[]> {
  const { key } = tables[name]
  for (let last: CopiedRow | undefined, size = atOnce; size === atOnce; ) {
    const behind = last && sql`where (${list(key)}) > (${sql.join(key.map((column) => last![column]))})`
    const { rows } = await sql<CopiedRow>`select ${list(columnsOf(name))} from ${sql.table(name)}
      ${behind ?? sql``} order by ${list(key)} limit ${sql.lit(atOnce)}`.execute(db)
    yield rows
    last = rows.at(-1)
    size = rows.length
  }
}

/** Adds rows, which are given as lines of JSON too. SQLite would read such a line anew for each column. */
async function addRows({ db, engine }: Side, name: TableName, rows: CopiedRow[], lines: string[]) {
  const [into, columns] = [sql.table(name), list(columnsOf(name))]
  if (engine === 'postgres')
    await sql`insert into ${into} (${columns}) overriding system value
      select ${columns} from json_populate_recordset(null::${into}, ${`[${lines.join(',')}]`})`.execute(db)
  const places = `(${columnsOf(name).map(() => '?')})`
  for (let at = 0; engine === 'sqlite' && at < rows.length; at += 100) {
    const some = rows.slice(at, at + 100)
    const text = `insert into ${name} (${columnsOf(name)}) values ${some.map(() => places)}`
    await db.executeQuery(CompiledQuery.raw(text, some.flatMap(Object.values)))
  }
}

/** Tables that are left behind: they are about processes of the old place, or about copies. */
const leftBehind: readonly TableName[] = ['nodes', 'breakers', 'write_probes', 'store_copies']
export const copiedTables = tableNames.filter((name) => !leftBehind.includes(name))

/** `seal` has the secret of the nodes. `at` is called with the number of rows that are copied, of so many. */
export interface CopyRequest {
  from: string
  to: string
  seal: Seal
  at(done: number, of: number, what: string): void
}

function refuse(why: string | false | undefined, cause?: unknown): void {
  if (why) throw new PurveyorError('COPY_REFUSED', why, { cause })
}

/**
 * Copies a store into an empty one: all rows in one transaction of the target, out of one transaction of the source, which takes no writes
 * meanwhile. Rejects with `COPY_REFUSED`, and with `COPY_UNEQUAL` where the two differ at the end; then nothing is left of the copy.
 */
export async function copyStore(request: CopyRequest) {
  const since = performance.now()
  const from = await openSide('--from', request.from)
  let to: Side | undefined
  try {
    await beginAlone(from)
    await refuseNodes(from, 'the source')
    await refuseMarks(from)
    await refuseSecret(from, request.seal)
    to = await openSide('--to', request.to, true)
    // Before its tables are locked: it may be a store that is served.
    await refuseTarget(to)
    const tables = await rowCounts(from)
    const rows = Object.values(tables).reduce((sum, count) => sum + count, 0)
    await copyAll(request, from, to, rows)
    // For so long the source took no writes.
    const seconds = (performance.now() - since) / 1_000
    return { from: from.shown, to: to.shown, tables, rows, seconds }
  } finally {
    await Promise.all([from.close(), to?.close()])
  }
}

async function copyAll(request: CopyRequest, from: Side, to: Side, total: number): Promise<void> {
  await beginAlone(to)
  await refuseTarget(to)
  // Indexes, and settings that work beside others: many rows are added faster without them.
  const guarded = to.engine === 'postgres' ? copiedTables : []
  const indexes = copiedTables.flatMap(indexesOf)
  for (const { name } of indexes) await run(to, `drop index ${name}`)
  for (const name of guarded) await run(to, `alter table ${name} disable trigger user`)
  await run(to, 'delete from feeds')
  await copyTables(request, from, to, total)
  for (const name of guarded) await run(to, `alter table ${name} enable trigger user`)
  for (const { create } of indexes) await run(to, create)
  // A server numbers new rows behind those that it got with their numbers.
  for (const name of guarded.filter((one) => tables[one].columns.id?.isNumber))
    await run(to, `select setval(pg_get_serial_sequence('${name}', 'id'), max(id)) from ${name}`)
  await run(to, 'analyze')
  const mark = { copyId: randomBytes(9).toString('base64url'), beganAt: Date.now(), endedAt: Date.now() }
  await put(to, { ...mark, role: 'copy', other: from.shown, state: 'finished' })
  // The source first, so that at no time both may be served.
  await standStill(from, copiedTables)
  await put(from, { ...mark, role: 'source', other: to.shown, state: 'moved' })
  await run(from, 'commit')
  await run(to, 'commit')
}

/** The number of rows, and the sum of their hashes: equal for equal tables, whatever the order of their rows. */
const digest = (lines: readonly string[], [count, sum] = [0, 0]): [number, number] => [
  count + lines.length,
  lines.reduce((all, line) => (all + hash('sha256', line, 'buffer').readUIntBE(0, 6)) % 2 ** 52, sum),
]

const linesOf = (rows: readonly CopiedRow[]) => rows.map((row) => JSON.stringify(row))

async function copyTables(request: CopyRequest, from: Side, to: Side, total: number): Promise<void> {
  const unequal: string[] = []
  let done = 0
  for (const name of copiedTables) {
    let [source, target] = [digest([]), digest([])]
    let adding = Promise.resolve()
    for await (const rows of rowsOf(from, name)) {
      if (to.engine === 'postgres') leaveOutNul(rows)
      const lines = linesOf(rows)
      await adding
      adding = addRows(to, name, rows, lines)
      // It is awaited in the next turn.
      adding.catch(() => {})
      source = digest(lines, source)
      done += rows.length
      request.at(done, total, name)
      // Between two files nothing else gives signals and progress a turn.
      await new Promise((resolve) => setImmediate(resolve))
    }
    await adding
    for await (const rows of rowsOf(to, name)) target = digest(linesOf(rows), target)
    const figures = ([count, sum]: [number, number]) => `${counted(count, 'row')}, sum of hashes ${sum}`
    if (figures(source) !== figures(target))
      unequal.push(`  - ${name}: ${figures(source)} in the source, ${figures(target)} in the target`)
  }
  if (unequal.length === 0) return
  const words = 'The copy is not equal to its source. Nothing of it is left, and the source is as it was:'
  throw new PurveyorError('COPY_UNEQUAL', [words, ...unequal].join('\n'))
}

/** PostgreSQL does not store the character NUL, and a node there leaves it out too. */
function leaveOutNul(rows: CopiedRow[]): void {
  for (const row of rows)
    for (const [column, value] of Object.entries(row))
      if (typeof value === 'string' && value.includes('\0')) row[column] = value.replaceAll('\0', '')
}

async function markOf({ db }: Side, role: CopyMark['role']): Promise<CopyMark | undefined> {
  const row = await db.selectFrom('store_copies').selectAll().where('role', '=', role).executeTakeFirst()
  return row && plain(row)
}

/** Notes the mark of a store, in place of one of the same role. */
async function put({ db }: Side, { copyId, beganAt, endedAt, ...mark }: CopyMark): Promise<void> {
  const row = { ...mark, copy_id: copyId, began_at: beganAt, ended_at: endedAt }
  const adding = db.insertInto('store_copies').values(row)
  await adding.onConflict((conflict) => conflict.column('role').doUpdateSet(row)).execute()
}

async function refuseMarks(side: Side): Promise<void> {
  for (const role of ['source', 'copy'] as const) {
    const mark = await markOf(side, role)
    refuse(mark && whyNot(mark))
  }
}

async function refuseTarget(to: Side): Promise<void> {
  await refuseMarks(to)
  const [full] = Object.entries(await rowCounts(to)).filter(([name, rows]) => rows > 0 && name !== 'feeds')
  refuse(
    full &&
      `The target is not empty: its table ${full[0]} has rows. A copy replaces nothing. Name an empty database, or a new file.`,
  )
}

async function rowCounts({ db }: Side): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const name of copiedTables)
    counts[name] = (await db.selectFrom(name).select(sql<number>`count(*)`.as('rows')).execute())[0]!.rows
  return counts
}

/** Rejects while providers run on a store. A node that was not noted for a minute has died. */
async function refuseNodes({ db, engine }: Side, which: string): Promise<void> {
  const now = engine === 'sqlite' ? sql.lit(Date.now()) : sql`extract(epoch from clock_timestamp()) * 1000`
  const alive = db.selectFrom('nodes').select(['host', 'pid']).where(sql<boolean>`seen_at >= ${now} - 60000`)
  const nodes = await alive.execute()
  const named = nodes.slice(0, 5).map(({ host, pid }) => `${host} (process ${pid})`)
  refuse(
    nodes.length > 0 &&
      `${counted(nodes.length, 'node of a provider runs', 'nodes of a provider run')} on ${which}: ${named.join(', ')}. Stop all of them first, such as with systemctl stop. A node that was killed counts for one minute more.`,
  )
}

/** Sealed texts belong to the secret of their store, and are copied as they are. */
async function refuseSecret({ db }: Side, seal: Seal): Promise<void> {
  const keys = await db.selectFrom('keys').selectAll().execute()
  try {
    for (const { name, sealed } of keys) seal.open(sealed, { kind: 'key', key: name })
  } catch (error) {
    refuse(
      'PURVEYOR_SECRET of this environment does not open what is sealed in the source. Set it to the secret that the nodes of the source have: sealed texts are copied as they are, so the nodes of the target need the same one. While a secret is being changed, set PURVEYOR_PREVIOUS_SECRET too.',
      error,
    )
  }
}

/**
 * Lets providers start again on a source, and on its copy no longer: the copy first, so that at no time both are served. Rejects with
 * `COPY_REFUSED` if payments would be lost.
 */
export async function releaseStore(from: Side, to: Side | undefined): Promise<void> {
  const mark = await markOf(from, 'source')
  refuse(!mark && 'The store was not copied, or is released already: providers start on it.')
  if (to) {
    await beginAlone(to)
    await put(to, { ...(await expectCopy(to, mark!)), state: 'retired' })
    await standStill(to, copiedTables)
    await run(to, 'commit')
  }
  await beginAlone(from)
  await run(from, "delete from store_copies where role = 'source'")
  await standStill(from, copiedTables, false)
  await run(from, 'commit')
}

/** Rejects for another store than the copy of this mark, and for a copy that is or was served. */
async function expectCopy(side: Side, { copyId, other }: CopyMark): Promise<CopyMark> {
  const copy = await markOf(side, 'copy')
  refuse(
    copy?.copyId !== copyId &&
      `${side.shown} is not the copy of this store. Its copy is ${other}: name that one, or add --copy-is-gone if it was deleted.`,
  )
  await refuseNodes(side, 'the copy')
  const { servedAt } = copy!
  refuse(
    servedAt !== undefined &&
      `Providers have served the copy since ${time(servedAt)}: what happened there would be lost. Copy back instead: purveyor db copy with the two stores changed over, into a new file or an empty database.`,
  )
  return copy!
}
