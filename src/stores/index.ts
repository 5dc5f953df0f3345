import { z } from 'zod'
import { checkOptions, optionGroup } from '../checked-options.ts'
import { wrongCall } from '../errors/errors.ts'
import type { Store } from '../store.ts'
import { memoryStore as memory } from './memory.ts'
import { type PostgresOptions, postgresStore as postgres } from './postgres.ts'
import { type SqliteOptions, sqliteStore as sqlite } from './sqlite.ts'

export type { PostgresOptions } from './postgres.ts'
export type { SqliteOptions } from './sqlite.ts'

/** Keeps everything in memory; for tests. */
export const memoryStore: () => Store = memory

const sqliteOptions = optionGroup({ file: z.string('must be a path').min(1, 'must be a path') })
const postgresOptions = optionGroup({
  url: z
    .string()
    .regex(/^postgres(ql)?:\/\/[^/]/, 'must be an address such as postgres://user:password@host/database'),
  connections: z.int('must be a whole number').min(1, 'must be 1 or more').optional(),
  preparedStatements: z.boolean('must be true or false').optional(),
})

/** The store in one SQLite file. A commit is on disk before it is acknowledged. Throws `ARGUMENT_INVALID` for wrong options. */
export function sqliteStore(options: SqliteOptions): Store {
  if (typeof options === 'string') throw wrongCall('sqliteStore() takes an object: sqliteStore({ file })')
  checkOptions('sqliteStore()', sqliteOptions, options)
  return sqlite(options)
}

/**
 * The store on a PostgreSQL server, which many processes share. Leases use a clock that all of them agree on. Throws `ARGUMENT_INVALID` for
 * wrong options.
 */
export function postgresStore(options: PostgresOptions): Store {
  if (typeof options === 'string') throw wrongCall('postgresStore() takes an object: postgresStore({ url })')
  checkOptions('postgresStore()', postgresOptions, options)
  return postgres(options)
}
