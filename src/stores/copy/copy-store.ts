import { type RawBuilder, sql } from 'kysely'
import type { Seal } from '../../shops/seal.ts'
import type { CopyMark } from '../../store.ts'
import { markSteps } from '../sql/copies.ts'
import { moveOn, standStill } from '../sql/standstill.ts'
import { checkColumns, checkSourceLevel, type Standing, standingOf } from './begin.ts'
import { copyTable, type TableCopy } from './copy-table.ts'
import { type Difference, differences, unequal } from './differences.ts'
import { type Figures, figuresOf } from './figures.ts'
import { checkSecret, type Looked, look, refuseNodes, rowCounts } from './look.ts'
import { claim, isUnfinished, lockSource, lockTarget, move, runs } from './marks.ts'
import { refused } from './refused.ts'
import { faultWords, type RowFault, rowFaults } from './row-faults.ts'
import type { Side } from './side.ts'
import { copiedTables } from './table-rows.ts'

export interface CopyRequest extends TableCopy {
  /** The secret of the environment, which the nodes of the target will have. */
  seal: Seal
  /** Checks and counts, and writes nothing. */
  dryRun: boolean
  /** Copies one moment of a store that goes on serving. No provider ever serves the copy. */
  rehearse: boolean
  /** How many processes will run on the target. */
  processes: number
  /** Called once the source takes no writes any more. */
  standsStill?: () => void
  /** So many rows are copied or checked, of so many. */
  at: (done: number, of: number, what: string) => void
}

export interface CopyReport {
  from: string
  to: string
  /** `done`: an earlier run had finished it. */
  state: 'checked' | 'copied' | 'done'
  /** Rows of each table in the source. */
  tables: Record<string, number>
  rows: number
  /** Rows that earlier runs had copied. */
  before: number
  source: Figures
  /** Not set where nothing was copied. */
  target?: Figures
  /** From the moment in which the source stood still, over all runs. Not set for a rehearsal or a check. */
  standstillSeconds?: number
  seconds: number
}

/** Copies a store into another one. Rejects with `COPY_REFUSED` before anything is written, and with `COPY_UNEQUAL` at the end. */
export async function copyStore(request: CopyRequest): Promise<CopyReport> {
  const { from, to, seal, dryRun, rehearse, processes } = request
  const since = performance.now()
  if ((await from.identity()) === (await to.identity()))
    throw refused('The source and the target are the same database. Name two.')
  const source = await look(from)
  checkSourceLevel(source)
  if (!dryRun && !rehearse) await refuseNodes(from, 'the source')
  if (!dryRun && !rehearse) await from.checkWrites()
  if (rehearse) await from.holdMoment()
  await checkSecret(from, seal)
  const rows = await rowCounts(from, source.tables)
  const total = sum(rows.values())
  await to.checkTarget({ processes, bytes: from.engine === 'postgres' ? 0 : await from.size() })
  const target = await look(to)
  const targetRows = target.level === 'none' ? new Map<string, number>() : await rowCounts(to, target.tables)
  const standing = standingOf({ from, to }, source, target, targetRows, rehearse)
  const report = {
    from: from.shown,
    to: to.shown,
    tables: Object.fromEntries(rows),
    rows: total,
    before: sum([...target.progress.values()].map((table) => table.rows)),
  }
  const seconds = () => (performance.now() - since) / 1_000
  if (standing.is === 'done') {
    const figures = await figuresOf(from)
    return { ...report, state: 'done', before: total, source: figures, seconds: seconds() }
  }
  // Nothing was written since the rows were checked: the source stands still.
  const faults =
    report.before > 0 && !request.withoutNul ? [] : await allFaults(request, source, target, rows)
  const cleaned = faults.filter(({ kind }) => kind === 'nul' && request.withoutNul)
  if (faults.length > cleaned.length) {
    const lines = faults
      .filter((fault) => !cleaned.includes(fault))
      .map((fault) => `  - ${faultWords(fault)}`)
    throw refused(['Rows of the source do not fit into the target:', ...lines].join('\n'))
  }
  if (dryRun) {
    return { ...report, state: 'checked', source: await figuresOf(from), seconds: seconds() }
  }
  const copy = new Copy(request, source, standing, cleaned)
  await copy.begin(target)
  if (!rehearse) request.standsStill?.()
  await copy.tables(rows)
  const figures = await copy.compare()
  const standstill = await copy.end()
  return {
    ...report,
    ...figures,
    state: 'copied',
    ...(standstill !== undefined && { standstillSeconds: standstill }),
    seconds: seconds(),
  }
}

const sum = (numbers: Iterable<number>) => [...numbers].reduce((all, one) => all + one, 0)

async function allFaults(
  { from, to, withoutNul, at }: CopyRequest,
  source: Looked,
  target: Looked,
  rows: ReadonlyMap<string, number>,
): Promise<RowFault[]> {
  const found: RowFault[] = []
  let done = 0
  for (const table of copiedTables(source.tables)) {
    at(done, sum(rows.values()), `checking ${table.name}`)
    found.push(
      ...(await rowFaults(from, table, {
        target: target.tables.find(({ name }) => name === table.name),
        takesNul: to.engine === 'sqlite' && !withoutNul,
      })),
    )
    done += rows.get(table.name)!
  }
  return found
}

/** A copy under way: every step may be the last one of its process, and is done again or gone on with by the next. */
class Copy {
  readonly #request: CopyRequest
  readonly #source: Looked
  readonly #standing: Standing
  readonly #names: string[]
  readonly #cleaned: readonly RowFault[]
  #beganAt = 0

  constructor(request: CopyRequest, source: Looked, standing: Standing, cleaned: readonly RowFault[]) {
    this.#cleaned = cleaned
    this.#request = request
    this.#source = source
    this.#standing = standing
    this.#names = copiedTables(source.tables).map(({ name }) => name)
  }

  /** Marks both stores: from here on no provider starts on either, and the source takes no writes. */
  async begin(target: Looked): Promise<void> {
    const { from, to, rehearse } = this.#request
    if (!rehearse) await lockSource(from, this.#source.source)
    if (this.#standing.is === 'new' && target.level !== 'current') await to.migrate()
    await lockTarget(to, target.copy)
    if (this.#standing.is === 'new') {
      checkColumns(this.#source, await look(to))
      const began = await to.now()
      await to.commit([
        this.#put(to, { role: 'copy', state: 'unfinished', other: from.shown, beganAt: began }),
        ...to.lighten(),
        sql`delete from copied_tables`,
        sql`insert into copied_tables (name, last_key, row_count, is_done) values
          ${sql.join(this.#names.map((name) => sql`(${sql.lit(name)}, null, 0, 0)`))}`,
      ])
    }
    if (rehearse) return
    this.#beganAt = this.#source.source?.beganAt ?? (await from.now())
    if (this.#source.source) return
    const mark = { copyId: this.#standing.copyId, other: to.shown, beganAt: this.#beganAt }
    const isClaimed = await from.commit(standStill(from.engine, this.#names), claim(mark))
    if (!isClaimed) throw refused(runs((await look(from)).source))
    // One may have started since the first look. From now on none can note anything that is copied.
    await refuseNodes(from, 'the source').catch(async (error: unknown) => {
      await from.commit([...moveOn(from.engine, this.#names), markSteps(from.db).drop('source')])
      throw error
    })
  }

  /** Copies what is left of each table. */
  async tables(rows: ReadonlyMap<string, number>): Promise<void> {
    const { to, at } = this.#request
    const { progress } = await look(to)
    const total = sum(rows.values())
    let done = sum([...progress.values()].map((table) => table.rows))
    for (const table of copiedTables(this.#source.tables)) {
      const begun = progress.get(table.name)
      if (!begun)
        throw refused(`The target does not know how far its table ${table.name} is. Empty the target.`)
      if (begun.isDone) continue
      await copyTable(this.#request, table, begun, (count) => {
        done += count
        at(done, total, table.name)
      })
    }
  }

  /** Rejects with `COPY_UNEQUAL` if the two stores differ. */
  async compare(): Promise<{ source: Figures; target: Figures }> {
    const { from, to, at } = this.#request
    at(0, 1, 'indexes')
    await to.settle()
    const found: Difference[] = []
    const tables = copiedTables(this.#source.tables)
    for (const [index, table] of tables.entries()) {
      at(index, tables.length, `comparing ${table.name}`)
      found.push(...(await differences(from, to, table, this.#changedIn(table.name))))
    }
    const source = await figuresOf(from)
    const target = await figuresOf(to)
    if (found.length > 0 || JSON.stringify(source) !== JSON.stringify(target)) throw unequal(found)
    return { source, target }
  }

  /** Resolves with the seconds in which the source stood still. */
  async end(): Promise<number | undefined> {
    const { from, to, rehearse } = this.#request
    const endedAt = await to.now()
    const state = rehearse ? 'rehearsal' : 'finished'
    const copy = { role: 'copy', other: from.shown, beganAt: this.#beganAt || endedAt } as const
    const isOurs = isUnfinished(this.#standing.copyId)
    if (rehearse) {
      const steps = [this.#put(to, { ...copy, state, endedAt }), ...standStill(to.engine, this.#names)]
      if (!(await to.commit([...(await nextIds(to, this.#names)), ...steps], isOurs))) throw givenUp()
      return undefined
    }
    // On disk before the source is given up.
    if (!(await to.commit(await nextIds(to, this.#names), isOurs))) throw givenUp()
    const movedAt = await from.now()
    // The locks keep a release out; where one got in all the same, the source may be served again.
    if (!(await from.commit([], move(this.#standing.copyId, movedAt)))) throw givenUp()
    await to.commit([this.#put(to, { ...copy, state, endedAt }), sql`delete from copied_tables`])
    return Math.max(0, movedAt - this.#beganAt) / 1_000
  }

  /** The columns whose texts are not the same in the target. */
  #changedIn(name: string): string[] {
    return this.#cleaned.filter(({ table }) => table === name).map(({ column }) => column)
  }

  #put({ db }: Side, mark: Omit<CopyMark, 'copyId'>) {
    return markSteps(db).put({ ...mark, copyId: this.#standing.copyId })
  }
}

const givenUp = () =>
  refused(
    'The copy was given up by purveyor db release while it ran, and the source is not marked as moved. Empty the target, then run db copy again.',
  )

/** Lets a server number new rows behind those that it got with their numbers. */
async function nextIds(to: Side, names: readonly string[]): Promise<RawBuilder<unknown>[]> {
  if (to.engine === 'sqlite') return []
  const tables = (await to.tables()).filter(({ name }) => names.includes(name))
  return tables.flatMap(({ name, columns }) =>
    columns
      .filter(({ isIdentity }) => isIdentity)
      .map(
        (column) => sql`select setval(pg_get_serial_sequence(${sql.lit(name)}, ${sql.lit(column.name)}),
          coalesce((select max(${sql.ref(column.name)}) from ${sql.table(name)}), 0) + 1, false)`,
      ),
  )
}
