import { DatabaseSync } from 'node:sqlite'
import { Kysely, SqliteDialect } from 'kysely'

/** A SQLite file for migrations and for statements of tests, as Kysely takes it. */
export function sqliteTables(file: string): Kysely<unknown> {
  const database = new DatabaseSync(file)
  return new Kysely<unknown>({
    dialect: new SqliteDialect({
      database: {
        close: () => database.close(),
        prepare(query: string) {
          const prepared = database.prepare(query)
          return {
            reader: prepared.columns().length > 0,
            all: (values: readonly unknown[]) => prepared.all(...(values as never[])),
            run: (values: readonly unknown[]) => prepared.run(...(values as never[])),
            iterate: (values: readonly unknown[]) => prepared.iterate(...(values as never[])),
          }
        },
      },
    }),
  })
}

/** The values of all rows of all tables of a SQLite file, as text. */
export function sqliteValues(file: string): string[] {
  const database = new DatabaseSync(file)
  const tables = database.prepare(`select name from sqlite_master where type = 'table'`).all()
  const rows = tables.flatMap(({ name }) => database.prepare(`select * from "${name}"`).all())
  database.close()
  return rows.flatMap((row) => Object.values(row).map(String))
}
