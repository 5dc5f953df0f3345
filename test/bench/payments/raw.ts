import { DatabaseSync } from 'node:sqlite'
import { statements, valuesOf } from './rows.ts'

function writer(database: DatabaseSync) {
  const [payment, attempt, change, start] = Object.values(statements).map((sql) =>
    database.prepare(sql.replaceAll('$', '?')),
  )
  let order = 1_000_000_000
  return {
    open() {
      const values = valuesOf(++order)
      payment!.run(...values.payment)
      attempt!.run(...values.attempt)
      change!.run(...values.change)
      return values
    },
    started: (values: ReturnType<typeof valuesOf>) => void start!.run(...values.start),
  }
}

export type RawStore = ReturnType<typeof rawStore>

/** The bare driver, with the store's own tables and settings. */
export function rawStore(file: string, perCommit: number) {
  const database = new DatabaseSync(file)
  database.exec('pragma journal_mode = wal; pragma synchronous = full')
  const { open, started } = writer(database)
  return {
    perCommit,
    /** Writes the rows of `perCommit` payment starts: in one commit, or with one start a commit before and one after it. */
    write() {
      database.exec('begin immediate')
      const opened = Array.from({ length: perCommit }, open)
      if (perCommit === 1) database.exec('commit; begin immediate')
      opened.forEach(started)
      database.exec('commit')
    },
  }
}

/** Puts so many payments into a store that is not open. */
export function fill(file: string, count: number): void {
  const database = new DatabaseSync(file)
  database.exec('pragma journal_mode = wal; pragma synchronous = off')
  const { open, started } = writer(database)
  database.exec('begin')
  for (let stored = 0; stored < count; stored++) started(open())
  database.exec('commit; pragma wal_checkpoint(truncate)')
  database.close()
}
