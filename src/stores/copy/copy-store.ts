import { hash, randomBytes } from 'node:crypto'
import { CompiledQuery, sql } from 'kysely'
import { PurveyorError } from '../../errors.ts'
import { counted, time } from '../../printable.ts'
import type { Seal } from '../../shops/seal.ts'
import type { CopyMark } from '../../store.ts'
import { indexesOf } from '../sql/make-tables.ts'
import { type Level, levelOf, migrationsFor } from '../sql/migrate.ts'
import { copyMarkFrom } from '../sql/rows.ts'
import { type TableName, tableNames, tables } from '../sql/schema.ts'
import { sealedCommands } from '../sql/sealed.ts'
import { moveOn, standStill } from '../sql/standstill.ts'
import { openSide, type Place, type Side } from './side.ts'

/** Tables that are left behind: they are about processes of the old place, or about copies. */
const leftBehind: readonly TableName[] = ['nodes', 'breakers', 'write_probes', 'store_copies']
export const copiedTables = tableNames.filter((name) => !leftBehind.includes(name))

/** A node that was not noted for so long has died, in milliseconds. */
const nodeLives = 60_000

export interface CopyRequest {
  from: Place
  to: Place
  /** The secret of the environment, which the nodes of the target will have. */
  seal: Seal
  /** Checks and counts, and writes nothing. */
  dryRun: boolean
  /** Copies one moment of a store that goes on serving. No provider ever serves the copy. */
  rehearse: boolean
  /** Leaves the character NUL out of texts: PostgreSQL does not store it. */
  withoutNul: boolean
  /** So many rows are copied or compared, of so many. */
  at: (done: number, of: number, what: string) => void
}

export interface CopyReport {
  from: string
  to: string
  /** `done`: an earlier run had finished it. */
  state: 'checked' | 'copied' | 'done'
  /** Rows of each table. */
  tables: Record<string, number>
  rows: number
  /** For how long the source took no writes. Not set for a rehearsal or a check. */
  standstillSeconds?: number
  seconds: number
}

export const refused = (message: string, cause?: unknown): PurveyorError =>
  new PurveyorError('COPY_REFUSED', message, { cause })

/**
 * Copies a store into an empty one: all rows in one transaction of the target, out of one transaction of the source, which takes no writes
 * meanwhile. Rejects with `COPY_REFUSED`, and with `COPY_UNEQUAL` where the two differ at the end; then nothing is left of the copy.
 */
export async function copyStore(request: CopyRequest): Promise<CopyReport> {
  const { from: source, to: target, dryRun, rehearse } = request
  const since = performance.now()
  const from = await openSide(source)
  let to: Side | undefined
  try {
    checkLevel(await levelIn(from), ofSource)
    await from.begin(dryRun || rehearse ? 'moment' : 'still', tableNames)
    if (!dryRun && !rehearse) await refuseNodes(from, 'the source')
    const marks = await marksOf(from)
    const moved = marks.find(({ role }) => role === 'source')
    if (!moved) refuseCopy(marks)
    await checkSecret(from, request.seal)
    to = await openSide(target, { creates: !dryRun })
    const rows = await rowCounts(from)
    const report = { from: from.shown, to: to.shown, tables: rows, rows: sum(Object.values(rows)) }
    const seconds = () => (performance.now() - since) / 1_000
    if (moved) {
      await finish(to, moved)
      return { ...report, state: 'done', seconds: seconds() }
    }
    await refuseTarget(to)
    const copy = new Copy(request, from, to, rows)
    if (dryRun) await copy.tables()
    else await copy.run()
    return {
      ...report,
      state: dryRun ? 'checked' : 'copied',
      ...(!dryRun && !rehearse && { standstillSeconds: seconds() }),
      seconds: seconds(),
    }
  } finally {
    await Promise.all([from.close(), to?.close()])
  }
}

/** The number of rows, and the sum of the hashes of all: the same for equal tables, whatever the order of their rows. */
class Digest {
  rows = 0
  sum = 0

  add(lines: readonly string[]): void {
    this.rows += lines.length
    for (const line of lines)
      this.sum = (this.sum + Number.parseInt(hash('sha256', line).slice(0, 12), 16)) % 2 ** 52
  }
}

class Copy {
  readonly #request: CopyRequest
  readonly #from: Side
  readonly #to: Side
  readonly #rows: Record<string, number>

  constructor(request: CopyRequest, from: Side, to: Side, rows: Record<string, number>) {
    this.#request = request
    this.#from = from
    this.#to = to
    this.#rows = rows
  }

  async run(): Promise<void> {
    const [from, to] = [this.#from, this.#to]
    await to.begin('write', tableNames)
    // Another copy may have come first.
    await refuseTarget(to)
    await lightened(to, () => this.tables())
    const mark = { copyId: randomBytes(9).toString('base64url'), beganAt: await nowOf(to) }
    const ofCopy = { ...mark, role: 'copy', other: from.shown } as const
    if (this.#request.rehearse) {
      await mayWrite(to, false)
      await put(to, { ...ofCopy, state: 'rehearsal', endedAt: mark.beganAt })
      return to.commit()
    }
    await put(to, { ...ofCopy, state: 'unfinished' })
    // From this commit to the next one nobody serves the copy, and the source may be served.
    await to.commit()
    await mayWrite(from, false)
    const endedAt = await nowOf(from)
    await put(from, { ...mark, role: 'source', other: to.shown, state: 'moved', endedAt })
    await from.commit()
    await put(to, { ...ofCopy, state: 'finished', endedAt })
  }

  /** Copies all tables and compares them; in a dry run it only reads those of the source. */
  async tables(): Promise<void> {
    const { dryRun } = this.#request
    const total = sum(Object.values(this.#rows))
    const unequal: string[] = []
    let done = 0
    for (const name of copiedTables) {
      const source = await this.#table(name, (rows) => {
        done += rows
        this.#request.at(done, total, name)
      })
      if (dryRun) continue
      const target = new Digest()
      for await (const lines of this.#to.lines(name)) target.add(lines)
      const differs = (figure: 'rows' | 'sum') =>
        `  - ${name}, ${figure === 'rows' ? 'rows' : 'sum of hashes'}: ${source[figure]} in the source, ${target[figure]} in the target`
      if (source.rows !== target.rows) unequal.push(differs('rows'))
      else if (source.sum !== target.sum) unequal.push(differs('sum'))
    }
    if (unequal.length === 0) return
    const words = ['The copy is not equal to its source. Nothing of it is left, and the source is as it was:']
    throw new PurveyorError('COPY_UNEQUAL', [...words, ...unequal].join('\n'))
  }

  async #table(name: TableName, added: (rows: number) => void): Promise<Digest> {
    const digest = new Digest()
    let adding = Promise.resolve()
    for await (const some of this.#from.lines(name)) {
      const lines = some.map((line) => this.#fitting(name, line))
      digest.add(lines)
      await adding
      if (!this.#request.dryRun && lines.length > 0) adding = this.#to.add(name, lines)
      // It is awaited in the next turn.
      adding.catch(() => {})
      added(lines.length)
      // Between two files nothing else gives signals and progress a turn.
      await new Promise((resolve) => setImmediate(resolve))
    }
    await adding
    return digest
  }

  /** A line that the target takes. */
  #fitting(name: TableName, line: string): string {
    if (!line.includes('\0')) return line
    if (this.#request.withoutNul) return line.replaceAll('\0', '')
    if (this.#to.engine === 'sqlite') return line
    const column = Object.keys(tables[name].columns)[
      line.split('\t').findIndex((cell) => cell.includes('\0'))
    ]
    throw refused(
      `${name}.${column} holds the character NUL, which PostgreSQL does not store: add --without-nul to leave it out, as a provider on PostgreSQL does.`,
    )
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)

/** Runs without what only speeds up reading, or works beside others: many rows are added faster so. */
async function lightened({ db, engine }: Side, add: () => Promise<void>): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(db)
  const each = async (text: (name: TableName) => string) => {
    if (engine === 'postgres') for (const name of copiedTables) await run(text(name))
  }
  const indexes = copiedTables.flatMap(indexesOf)
  for (const { name } of indexes) await run(`drop index ${name}`)
  await each((name) => `alter table ${name} disable trigger user`)
  await run('delete from feeds')
  await add()
  await each((name) => `alter table ${name} enable trigger user`)
  for (const { create } of indexes) await run(create)
  // A server numbers new rows behind those that it got with their numbers.
  for (const name of engine === 'postgres' ? copiedTables : [])
    if (tables[name].columns.id?.isNumber)
      await run(
        `select setval(pg_get_serial_sequence('${name}', 'id'), (select coalesce(max(id), 0) + 1 from ${name}), false)`,
      )
  await run('analyze')
}

const ofSource: Partial<Record<Level, string>> = {
  none: 'The source holds no tables of Purveyor. Check --from.',
  'of another program': 'The source holds no tables of Purveyor. Check --from.',
  early: 'The source was made before the first release, and no version reads it.',
  older:
    'The tables of the source are those of an older version. Update them first: purveyor db migrate, with PURVEYOR_DATABASE_URL set to the source.',
  newer: 'The tables of the source were created by a newer version. Run db copy of that version.',
}

function checkLevel(level: Level, refusals: Partial<Record<Level, string>>): void {
  const why = refusals[level]
  if (why !== undefined) throw refused(why)
}

async function levelIn({ db, engine }: Side): Promise<Level> {
  const all = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!all.some(({ name }) => name === 'kysely_migration')) return 'none'
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  return levelOf(
    rows.map(({ name }) => name),
    migrationsFor(engine),
  )
}

export const marksOf = async ({ db }: Side): Promise<CopyMark[]> =>
  (await db.selectFrom('store_copies').selectAll().execute()).map(copyMarkFrom)

/** Notes the mark of a store, in place of one of the same role. */
export async function put({ db }: Side, { role, ...mark }: CopyMark): Promise<void> {
  await db.deleteFrom('store_copies').where('role', '=', role).execute()
  const { copyId: copy_id, other, state, beganAt: began_at, endedAt: ended_at } = mark
  await db.insertInto('store_copies').values({ role, copy_id, other, state, began_at, ended_at }).execute()
}

/** Nothing is left to do where the source was moved to this target; a process that was killed may not have said so there. */
async function finish(to: Side, { copyId, other, endedAt }: CopyMark): Promise<void> {
  const marks = (await levelIn(to)) === 'current' ? await marksOf(to) : []
  const copy = marks.find((mark) => mark.role === 'copy' && mark.copyId === copyId)
  if (!copy)
    throw refused(
      `The source was moved to ${other} at ${time(endedAt!)}. Copy from there, or see purveyor db release --help.`,
    )
  if (copy.state === 'unfinished') await put(to, { ...copy, state: 'finished', endedAt })
}

function refuseCopy(marks: readonly CopyMark[]): void {
  const copy = marks.find(({ state }) => state !== 'finished')
  if (copy)
    throw refused(
      `The source is itself a copy of ${copy.other} (${copy.state}), and no provider serves it. Copy from ${copy.other}.`,
    )
}

/** Lets the tables of a store take writes, or refuse them. */
export async function mayWrite({ db, engine }: Side, takes: boolean): Promise<void> {
  for (const query of (takes ? moveOn : standStill)(engine, copiedTables)) await query.execute(db)
}

async function refuseTarget(to: Side): Promise<void> {
  if ((await levelIn(to)) === 'none') return
  checkLevel(await levelIn(to), {
    ...{ newer: 'The tables of the target were created by a newer version. Name an empty database.' },
    older:
      'The tables of the target are those of an older version. Name an empty database, or empty this one.',
    'of another program': 'The target has tables of another program. Name a database of its own.',
    early: 'The target was made before the first release. Name an empty database, or empty this one.',
  })
  const copy = (await marksOf(to)).find(({ role }) => role === 'copy')
  if (copy)
    throw refused(
      `The target holds a copy of ${copy.other} (${copy.state}). Name an empty database, or empty this one.`,
    )
  const [full] = Object.entries(await rowCounts(to)).filter(([name, rows]) => rows > 0 && name !== 'feeds')
  if (full)
    throw refused(
      `The target is not empty: its table ${full[0]} has rows. A copy replaces nothing. Name an empty database, or a new file.`,
    )
}

/** The number of rows in each table that a copy takes along. */
async function rowCounts({ db }: Side): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const name of copiedTables) {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(name)}`.execute(
      db,
    )
    counts[name] = rows[0]!.count
  }
  return counts
}

/** The clock of a store, in milliseconds since 1970. */
async function nowOf({ db, engine }: Side): Promise<number> {
  if (engine === 'sqlite') return Date.now()
  const { rows } = await sql<{
    now: number
  }>`select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now`.execute(db)
  return rows[0]!.now
}

/** Rejects while providers run on a store. `which` is how the store is called. */
export async function refuseNodes(side: Side, which: string): Promise<void> {
  const { db } = side
  const now = await nowOf(side)
  const nodes = await db
    .selectFrom('nodes')
    .selectAll()
    .where('seen_at', '>=', now - nodeLives)
    .execute()
  if (nodes.length === 0) return
  const named = nodes.slice(0, 5).map(({ host, pid }) => `${host} (process ${pid})`)
  throw refused(
    `${counted(nodes.length, 'node of a provider runs', 'nodes of a provider run')} on ${which}: ${named.join(', ')}. Stop all of them first, such as with systemctl stop. A node that was killed counts for one minute more. To try a copy while they run, add --rehearse.`,
  )
}

/** Opens every sealed text: those of a store belong to its secret, and are copied as they are. */
async function checkSecret({ db }: Side, seal: Seal): Promise<void> {
  const command = sealedCommands(db).sealed()
  let wait = command.next()
  while (!wait.done) {
    const found: unknown[][] = []
    for (const { sql: text, values } of 'steps' in wait.value ? wait.value.steps : [])
      found.push((await db.executeQuery(CompiledQuery.raw(text, values))).rows)
    wait = command.next(found)
  }
  try {
    for (const { sealed, ...row } of wait.value) seal.open(sealed, row)
  } catch (error) {
    throw refused(
      'PURVEYOR_SECRET of this environment does not open what is sealed in the source. Set it to the secret that the nodes of the source have: sealed texts are copied as they are, so the nodes of the target need the same one. While a secret is being changed, set PURVEYOR_PREVIOUS_SECRET too.',
      error,
    )
  }
}
