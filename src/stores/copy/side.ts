import type { Kysely, RawBuilder } from 'kysely'
import type { Step } from '../sql/query.ts'
import type { Engine, Tables } from '../sql/schema.ts'

/** A value of a row. Every number is whole and safe: the check before a copy finds others. */
export type Cell = string | number | null

export interface CopiedColumn {
  name: string
  /** `int4` holds 32 bits, `int8` 64; SQLite has no `int4`. */
  kind: 'text' | 'int4' | 'int8' | 'other'
  /** The server numbers new rows by it. */
  isIdentity: boolean
}

export interface CopiedTable {
  name: string
  columns: readonly CopiedColumn[]
  /** The names of its primary key; empty without one. */
  key: readonly string[]
  /** Its rows lie in several tables of the server. */
  isPartitioned: boolean
}

/**
 * The content of a table, the same in both engines: the number of its rows, and the sum of the hashes of its rows, modulo 2^60. A hash is the
 * first 60 bits of the SHA-256 of all columns of a row. So the digests of two tables are equal if each row of one is in the other, column by
 * column and byte by byte, in whatever order. If they differ anywhere by accident, the digests are equal once in 10^18 cases.
 */
export interface Digest {
  rows: number
  /** 15 hexadecimal digits. */
  sum: string
}

/** A query with its values in it, or a prepared one. */
export type Asks<Row> = RawBuilder<Row> | Step

/** Rows to add in one commit with the note of how far the copy is. */
export interface Batch {
  table: string
  columns: readonly string[]
  /** In the order of `columns`. */
  rows: readonly (readonly Cell[])[]
  /** Run first, in the same commit. It returns no row if another process has noted a batch meanwhile: then nothing is added. */
  note: Asks<unknown>
  /** Run after that, before the rows are added. */
  before: readonly Asks<unknown>[]
}

/** One of the two stores of a copy, on a connection of its own. Every call rejects with a `StoreUnavailable` if the store cannot be reached. */
export interface Side {
  readonly engine: Engine
  /** Its address without a password. */
  readonly shown: string
  /** Compiles SQL for it. */
  readonly db: Kysely<Tables>
  /** The same for two addresses of one database. */
  identity(): Promise<string>
  /** All tables in it, also those of other programs. Empty for a file that is not there. */
  tables(): Promise<CopiedTable[]>
  /** About how many bytes it takes. */
  size(): Promise<number>
  /** Its clock, in milliseconds since 1970. */
  now(): Promise<number>
  all<Row>(query: Asks<Row>): Promise<Row[]>
  /** The rows as lists, in the order of the columns. */
  cells(query: Asks<unknown>): Promise<Cell[][]>
  /** The content of these columns in a table. Of columns in `cleaned` without the character NUL, which a server does not store. */
  digest(table: string, columns: readonly CopiedColumn[], cleaned: readonly string[]): Promise<Digest>
  /**
   * Runs queries in one commit that is on disk afterwards. Resolves with false, and nothing is changed, if `condition`, which runs first in it,
   * returns no row.
   */
  commit(queries: readonly Asks<unknown>[], condition?: Asks<unknown>): Promise<boolean>
  /**
   * Whether this side is from now on the only copy or release of its store, until it is closed. The lock ends with its process: if that is
   * killed, a server sees it within seconds, the system at once.
   */
  lock(): Promise<boolean>
  /** Whether the batch was added. A power cut may undo it together with its note. */
  add(batch: Batch): Promise<boolean>
  /** Sets aside what only speeds up reading: many rows are added faster without. */
  lighten(): Asks<unknown>[]
  /** Makes it anew, and renews the figures of the planner. Safe to repeat. */
  settle(): Promise<void>
  /** Reads from one moment from now on, while others write. */
  holdMoment(): Promise<void>
  /** Rejects if its rows and tables cannot be changed. */
  checkWrites(): Promise<void>
  /** The same for a target. `processes` will run on it; `bytes` are to come. */
  checkTarget(needs: { processes: number; bytes: number }): Promise<void>
  /** Creates it if it is missing, and brings its tables up to date. */
  migrate(): Promise<void>
  close(): Promise<void>
}
