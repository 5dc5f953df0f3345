import type { Store } from '../store.ts'
import { memoryStore as memory } from './memory.ts'
import { type PostgresOptions, postgresStore as postgres } from './postgres.ts'
import { type SqliteOptions, sqliteStore as sqlite } from './sqlite.ts'

export type { PostgresOptions } from './postgres.ts'
export type { SqliteOptions } from './sqlite.ts'

/** Keeps everything in memory; for tests. */
export const memoryStore: () => Store = memory

/** The store in one SQLite file. A commit is on disk before it is acknowledged. */
export const sqliteStore: (options: SqliteOptions) => Store = sqlite

/** The store on a PostgreSQL server, which many processes share. Leases use a clock that all of them agree on. */
export const postgresStore: (options: PostgresOptions) => Store = postgres
