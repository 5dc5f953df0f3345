import { type Kysely, PostgresAdapter, type SelectQueryBuilder } from 'kysely'
import type { Tables } from './tables.ts'

/** Makes a claim's query skip rows that another client has locked, and lock those that it finds. SQLite locks no rows. */
export function skipLocked(db: Kysely<Tables>) {
  const locks = db.getExecutor().adapter instanceof PostgresAdapter
  return <DB, TB extends keyof DB, Row>(query: SelectQueryBuilder<DB, TB, Row>) =>
    locks ? query.forUpdate().skipLocked() : query
}
