import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { sql } from 'kysely'
import { StoreUnavailable } from '../../store.ts'
import { roomFor, roomWords } from '../room.ts'
import { isUnavailable, openError } from '../sqlite-errors.ts'
import { openSqlite } from '../sqlite-open.ts'
import { compiled, compilingFor } from './compiling.ts'
import { partedBy, RowDigest, rowText } from './digest.ts'
import type { Asks, Batch, Cell, CopiedColumn, CopiedTable, Digest, Side } from './side.ts'
import { SqliteLock } from './sqlite-lock.ts'

/** How many rows are added up between two turns of the event loop. */
const atOnce = 2_000

const busyFor = 5_000

/** A SQLite file as one side of a copy. It is opened at its first use; only `migrate` creates it. */
export class SqliteSide implements Side {
  readonly engine = 'sqlite'
  readonly shown: string
  readonly db = compilingFor('sqlite')
  readonly #file: string
  readonly #readOnly: boolean
  readonly #statements = new Map<string, StatementSync>()
  #database: DatabaseSync | undefined
  #lock: SqliteLock | undefined

  /** With `readOnly` nothing in the file changes. */
  constructor(file: string, { readOnly = false }: { readOnly?: boolean } = {}) {
    this.#file = resolve(file)
    this.#readOnly = readOnly
    this.shown = `sqlite:${this.#file}`
  }

  get #isThere(): boolean {
    return (statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0) > 0
  }

  #guarded<T>(use: (database: DatabaseSync) => T): T {
    try {
      this.#database ??= openFile(this.#file, this.#readOnly)
      return use(this.#database)
    } catch (error) {
      throw isUnavailable(error) || !this.#database ? openError(this.#file, error) : failed(this.#file, error)
    }
  }

  #run(query: Asks<unknown>, asLists = false): unknown[] {
    const { text, values } = compiled(this.db, query)
    return this.#guarded((database) => {
      const name = `${asLists} ${text}`
      const known = this.#statements.get(name)
      const statement = known ?? database.prepare(text)
      if (!known) {
        statement.setReturnArrays(asLists)
        this.#statements.set(name, statement)
      }
      return statement.all(...values)
    })
  }

  /** All or nothing. `use` answers whether to commit. */
  #together(use: (database: DatabaseSync) => boolean): boolean {
    return this.#guarded((database) => {
      database.exec('begin immediate')
      try {
        const isGood = use(database)
        database.exec(isGood ? 'commit' : 'rollback')
        return isGood
      } catch (error) {
        if (database.isTransaction) database.exec('rollback')
        throw error
      }
    })
  }

  async identity(): Promise<string> {
    if (!existsSync(this.#file)) return `file ${this.#file}`
    // One file may have two names, also by a hard link.
    const { dev, ino } = statSync(realpathSync(this.#file))
    return `file ${dev} ${ino}`
  }

  async tables(): Promise<CopiedTable[]> {
    if (!this.#isThere) return []
    const columns =
      await this.all(sql<ColumnRow>`select m.name as "table", c.name, lower(c.type) as type, c.pk
      from sqlite_master as m join pragma_table_info(m.name) as c
      where m.type = 'table' and m.name not like 'sqlite!_%' escape '!' order by m.name, c.cid`)
    return Array.from(
      Map.groupBy(columns, ({ table }) => table),
      ([name, ofTable]) => ({
        name,
        columns: ofTable.map(({ name, type }) => ({ name, kind: kindOf(type), isIdentity: false })),
        key: ofTable
          .filter(({ pk }) => pk > 0)
          .sort((one, other) => one.pk - other.pk)
          .map(({ name }) => name),
        isPartitioned: false,
      }),
    )
  }

  async size(): Promise<number> {
    return statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0
  }

  async now(): Promise<number> {
    return Date.now()
  }

  async all<Row>(query: Asks<Row>): Promise<Row[]> {
    return this.#run(query) as Row[]
  }

  async cells(query: Asks<unknown>): Promise<Cell[][]> {
    return this.#run(query, true) as Cell[][]
  }

  async digest(table: string, columns: readonly CopiedColumn[], cleaned: readonly string[]): Promise<Digest> {
    const [same, changed] = partedBy(columns, cleaned)
    const texts = [
      rowText(same, (text) => sql`octet_length(${text})`),
      ...changed.map(({ name }) => sql.ref(name)),
    ]
    const { text } = compiled(this.db, sql`select ${sql.join(texts)} from ${sql.table(table)}`)
    const rows = this.#guarded((database) => {
      const statement = database.prepare(text)
      statement.setReturnArrays(true)
      return statement.iterate() as Iterator<unknown> as Iterator<Cell[]>
    })
    const sum = new RowDigest()
    const addSome = (): boolean => {
      for (let count = 0; count < atOnce; count++) {
        const { value, done } = rows.next()
        if (done) return false
        sum.add(value)
      }
      return true
    }
    // Between them a server may answer, and progress is drawn.
    while (this.#guarded(addSome)) await new Promise((resolve) => setImmediate(resolve))
    return sum.digest
  }

  async commit(queries: readonly Asks<unknown>[], condition?: Asks<unknown>): Promise<boolean> {
    this.#guarded((database) => database.exec('pragma synchronous = full'))
    const isDone = this.#together(() => {
      if (condition && this.#run(condition).length === 0) return false
      for (const query of queries) this.#run(query)
      return true
    })
    // This also brings to disk the batches that are still in the log.
    this.#guarded((database) => database.exec('pragma wal_checkpoint(truncate)'))
    return isDone
  }

  async lock(): Promise<boolean> {
    this.#lock ??= this.#guarded(() => SqliteLock.of(this.#file))
    return this.#lock !== undefined
  }

  async add({ table, columns, rows, before, note }: Batch): Promise<boolean> {
    // In this mode a power cut undoes whole commits, from the last one back.
    this.#guarded((database) => database.exec('pragma synchronous = normal'))
    const { text } = compiled(
      this.db,
      sql`insert into ${sql.table(table)} (${sql.join(columns.map((name) => sql.ref(name)))})
        values (${sql.join(columns.map(() => sql`${''}`))})`,
    )
    return this.#together((database) => {
      if (this.#run(note).length === 0) return false
      for (const query of before) this.#run(query)
      const insert = database.prepare(text)
      for (const row of rows) insert.run(...row)
      return true
    })
  }

  lighten(): Asks<unknown>[] {
    return []
  }

  async settle(): Promise<void> {
    this.#guarded((database) => database.exec('analyze'))
  }

  async holdMoment(): Promise<void> {
    this.#guarded((database) => {
      database.exec('begin')
      database.prepare('select count(*) from sqlite_master').get()
    })
  }

  async checkWrites(): Promise<void> {
    let place = this.#file
    while (!existsSync(place) && place !== dirname(place)) place = dirname(place)
    try {
      accessSync(place, constants.W_OK)
      // SQLite keeps two files beside it.
      accessSync(place === this.#file ? dirname(place) : place, constants.W_OK)
    } catch (error) {
      throw openError(this.#file, error)
    }
  }

  async checkTarget({ bytes }: { bytes: number }): Promise<void> {
    const room = roomFor(this.#file)
    if (room && room.bytes < bytes) {
      throw new StoreUnavailable(
        `There is too little room for ${this.#file}: the copy takes about ${bytes} bytes, and ${roomWords(room)}. Free some space, or name a file on a larger disk.`,
      )
    }
    await this.checkWrites()
  }

  async migrate(): Promise<void> {
    this.#end()
    const { database } = await openSqlite(this.#file)
    database.close()
  }

  async close(): Promise<void> {
    this.#end()
    this.#lock?.release()
    this.#lock = undefined
  }

  #end(): void {
    this.#statements.clear()
    this.#database?.close()
    this.#database = undefined
  }
}

/** An error of SQLite in the middle of a copy, with its own words: they name tables and columns, and no values. */
const failed = (file: string, cause: unknown): StoreUnavailable =>
  cause instanceof StoreUnavailable
    ? cause
    : new StoreUnavailable(`SQLite refuses a step of the copy in ${file}: ${(cause as Error).message}.`, {
        cause,
      })

function openFile(file: string, readOnly: boolean): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: busyFor, readOnly })
  database.exec('pragma cache_size = -65536')
  return database
}

const kindOf = (type: string) =>
  type === 'text' ? 'text' : type === 'integer' || type === 'bigint' ? 'int8' : 'other'

interface ColumnRow {
  table: string
  name: string
  type: string
  pk: number
}
