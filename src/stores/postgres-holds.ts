import type { Pool } from 'pg'
import { sqlState } from './postgres-errors.ts'
import { completeHolds, countHolds, holdRows } from './sql/holds.ts'

/** Adds the rows of `holds` that are not there, such as after a restore without its data: every write locks some of them. */
export async function fillHolds(pool: Pick<Pool, 'query'>): Promise<void> {
  const found = await pool.query<{ count: number }>(countHolds).catch((error: unknown) => {
    if (sqlState(error) === '42P01') return { rows: [{ count: 0 }] }
    throw error
  })
  if (found.rows[0]!.count < holdRows) await pool.query(completeHolds)
}
