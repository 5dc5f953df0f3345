import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { Engine, Tables } from '../sql/schema.ts'
import type { Asks, Cell } from './side.ts'

/** Compiles SQL for an engine and opens nothing. */
export const compilingFor = (engine: Engine): Kysely<Tables> =>
  new Kysely<Tables>({
    dialect: {
      createAdapter: () => (engine === 'sqlite' ? new SqliteAdapter() : new PostgresAdapter()),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) =>
        engine === 'sqlite' ? new SqliteIntrospector(db) : new PostgresIntrospector(db),
      createQueryCompiler: () =>
        engine === 'sqlite' ? new SqliteQueryCompiler() : new PostgresQueryCompiler(),
    },
  })

/** The text of a query and its values. */
export function compiled(db: Kysely<Tables>, query: Asks<unknown>): { text: string; values: Cell[] } {
  if ('sql' in query) return { text: query.sql, values: query.values }
  const { sql, parameters } = query.compile(db)
  return { text: sql, values: parameters as Cell[] }
}
