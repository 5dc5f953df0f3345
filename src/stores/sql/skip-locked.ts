import { type Kysely, PostgresAdapter, type SelectQueryBuilder } from 'kysely'
import type { Tables } from './tables.ts'

/**
 * Makes a query of a claim leave out rows that somebody else has locked, and lock what it finds. SQLite locks no rows: there the query
 * stays as it is.
 */
export function skipLocked(db: Kysely<Tables>) {
  const locks = db.getExecutor().adapter instanceof PostgresAdapter
  return <DB, TB extends keyof DB, Row>(query: SelectQueryBuilder<DB, TB, Row>) =>
    locks ? query.forUpdate().skipLocked() : query
}
