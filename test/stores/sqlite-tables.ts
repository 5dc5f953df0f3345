import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { Kysely, SqliteDialect } from 'kysely'
import { sqliteStore } from '../../src/stores/sqlite.ts'

/** Makes a file with the tables of an empty store. */
export async function makeTables(file: string): Promise<void> {
  const store = sqliteStore({ file })
  await store.open()
  await store.close()
}

/** Reads or changes a SQLite file below Purveyor. */
export function inFile<T>(file: string, use: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(file)
  try {
    return use(database)
  } finally {
    database.close()
  }
}

/** Spoils the page that lies `share` of the way through a table. Returns what puts it right. */
export function spoilPage(file: string, table: string, share: number): () => void {
  const size = 4_096
  const leaves = inFile(file, (database) => {
    database.exec('pragma wal_checkpoint(truncate)')
    const pages = "select pageno from dbstat where name = ? and pagetype = 'leaf' order by path"
    return database.prepare(pages).all(table)
  })
  const at = (Number(leaves[Math.floor(leaves.length * share)]!.pageno) - 1) * size
  const whole = Buffer.alloc(size)
  const write = (page: Buffer) => {
    const to = openSync(file, 'r+')
    if (page !== whole) readSync(to, whole, 0, size, at)
    writeSync(to, page, 0, size, at)
    closeSync(to)
  }
  write(Buffer.alloc(size, 0xff))
  return () => write(whole)
}

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
export const sqliteValues = (file: string): string[] =>
  inFile(file, (database) => {
    const tables = database.prepare(`select name from sqlite_master where type = 'table'`).all()
    const rows = tables.flatMap(({ name }) => database.prepare(`select * from "${name}"`).all())
    return rows.flatMap((row) => Object.values(row).map(String))
  })
