import type { SQLTagStore } from 'node:sqlite'

export type RecordAction = 'created' | 'updated' | 'deleted'

type Changed<T> = (id: number, action: RecordAction, before?: T) => void

const perRead = 500

/** One kind of record by id, on disk: a million need no memory. Records are plain data, and are replaced, never changed in place. */
export class Table<T extends { id: number }> {
  readonly #kind: string
  readonly #sql: SQLTagStore
  readonly #changed: Changed<T>
  #lastId: number

  constructor(options: { kind: string; firstId: number; sql: SQLTagStore; changed: Changed<T> }) {
    this.#kind = options.kind
    this.#sql = options.sql
    this.#changed = options.changed
    const last = this.#sql.get`select max(id) as id from records where kind = ${this.#kind}`
    this.#lastId = Math.max(options.firstId - 1, Number(last?.id ?? 0))
  }

  startAfter(id: number): void {
    this.#lastId = Math.max(this.#lastId, id)
  }

  nextId(): number {
    return ++this.#lastId
  }

  get lastId(): number {
    return this.#lastId
  }

  count(since: number): number {
    const found = this.#sql
      .get`select count(*) as many from records where kind = ${this.#kind} and id > ${since}`
    return Number(found?.many)
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

  page({ since, offset, limit }: { since: number; offset: number; limit: number }): T[] {
    const rows = this.#sql.all`select value from records where kind = ${this.#kind} and id > ${since}
      order by id limit ${limit} offset ${offset}`
    return rows.map(({ value }) => JSON.parse(String(value)) as T)
  }

  get(id: number): T | undefined {
    const row = this.#sql.get`select value from records where kind = ${this.#kind} and id = ${id}`
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
    this.#sql.run`begin`
    try {
      for (const record of records) this.#write(record)
      this.#sql.run`commit`
    } catch (error) {
      this.#sql.run`rollback`
      throw error
    }
  }

  delete(id: number): void {
    const { changes } = this.#sql.run`delete from records where kind = ${this.#kind} and id = ${id}`
    if (changes > 0) this.#changed(id, 'deleted')
  }

  #write(record: T): void {
    const { id } = record
    this.#sql.run`insert or replace into records values (${this.#kind}, ${id}, ${JSON.stringify(record)})`
    this.startAfter(id)
  }
}
