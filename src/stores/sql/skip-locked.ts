import { type Kysely, PostgresAdapter, type SelectQueryBuilder } from 'kysely'
import type { Tables } from './tables.ts'

/**
 * Makes a claim's query skip rows locked by another client, and lock the rows that it finds. SQLite locks no rows, so there the query stays
 * unchanged.
 */
export function skipLocked(db: Kysely<Tables>) {
  const locks = db.getExecutor().adapter instanceof PostgresAdapter
  return <DB, TB extends keyof DB, Row>(query: SelectQueryBuilder<DB, TB, Row>) =>
    locks ? query.forUpdate().skipLocked() : query
}
