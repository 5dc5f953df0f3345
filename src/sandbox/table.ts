import type { DatabaseSync, StatementSync } from 'node:sqlite'

export type RecordAction = 'created' | 'updated' | 'deleted'

type Changed<T> = (id: number, action: RecordAction, before?: T) => void

const perRead = 500

/**
 * One kind of record, such as orders, by id, on disk: a million of them need no memory. Records are plain data and are replaced, never
 * changed in place.
 */
export class Table<T extends { id: number }> {
  readonly #kind: string
  readonly #database: DatabaseSync
  readonly #changed: Changed<T>
  readonly #statements = new Map<string, StatementSync>()
  #lastId: number

  constructor(options: { kind: string; firstId: number; database: DatabaseSync; changed: Changed<T> }) {
    this.#kind = options.kind
    this.#database = options.database
    this.#changed = options.changed
    const last = this.#prepared('select max(id) as id from records where kind = ?').get(this.#kind)
    this.#lastId = Math.max(options.firstId - 1, Number(last?.id ?? 0))
  }

  /** Lets new records have higher ids than this one. */
  startAfter(id: number): void {
    this.#lastId = Math.max(this.#lastId, id)
  }

  nextId(): number {
    return ++this.#lastId
  }

  get lastId(): number {
    return this.#lastId
  }

  get size(): number {
    return this.count(0)
  }

  count(since: number): number {
    const counting = this.#prepared('select count(*) as many from records where kind = ? and id > ?')
    return Number(counting.get(this.#kind, since)?.many)
  }

  /** By id, lowest first. Holds all of them in memory: use `each` or `page` for a resource that can be large. */
  all(): T[] {
    return [...this.each(0)]
  }

  /** The records with a higher id, lowest first, read in small parts. */
  *each(since: number): IterableIterator<T> {
    for (let last = since; ; ) {
      const records = this.page({ since: last, offset: 0, limit: perRead })
      yield* records
      if (records.length < perRead) return
      last = records.at(-1)!.id
    }
  }

  /** Some of the records with a higher id, lowest first. */
  page({ since, offset, limit }: { since: number; offset: number; limit: number }): T[] {
    return this.#prepared('select value from records where kind = ? and id > ? order by id limit ? offset ?')
      .all(this.#kind, since, limit, offset)
      .map(({ value }) => JSON.parse(String(value)) as T)
  }

  get(id: number): T | undefined {
    const row = this.#prepared('select value from records where kind = ? and id = ?').get(this.#kind, id)
    return row && (JSON.parse(String(row.value)) as T)
  }

  set(record: T): T {
    const before = this.get(record.id)
    this.#write(record)
    this.#changed(record.id, before ? 'updated' : 'created', before)
    return record
  }

  /** Writes many records at once. They count as no change. */
  fill(records: Iterable<T>): void {
    this.#database.exec('begin')
    try {
      for (const record of records) this.#write(record)
      this.#database.exec('commit')
    } catch (error) {
      this.#database.exec('rollback')
      throw error
    }
  }

  delete(id: number): void {
    const { changes } = this.#prepared('delete from records where kind = ? and id = ?').run(this.#kind, id)
    if (changes > 0) this.#changed(id, 'deleted')
  }

  #write(record: T): void {
    const { id } = record
    const insert = this.#prepared('insert or replace into records values (?, ?, ?)')
    insert.run(this.#kind, id, JSON.stringify(record))
    this.startAfter(id)
  }

  #prepared(sql: string): StatementSync {
    const known = this.#statements.get(sql)
    if (known) return known
    const statement = this.#database.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }
}
