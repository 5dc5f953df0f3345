import { DatabaseSync } from 'node:sqlite'

/** The ids of the first shops in a file, in their order. Only reads, and migrates nothing; throws if the file is no store. */
export function shopIdsIn(file: string, limit: number): string[] {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const rows = database.prepare('select id from shops order by id limit ?').all(limit)
    return rows.map(({ id }) => String(id))
  } finally {
    database.close()
  }
}
