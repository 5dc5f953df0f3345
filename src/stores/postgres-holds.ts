import type { Pool } from 'pg'
import { sqlState } from './postgres-errors.ts'
import { completeHolds, hasHolds, hasHoldsAtEnds } from './sql/holds.ts'

/**
 * Adds the rows of `holds` that are not there, such as after a restore without its data: every write locks some of them. A node that `serves`
 * counts them all; a command in a terminal looks for two.
 */
export async function fillHolds(pool: Pick<Pool, 'query'>, serves: boolean): Promise<void> {
  const looked = serves ? hasHolds : hasHoldsAtEnds
  const found = await pool.query<{ complete: boolean }>(looked).catch((error: unknown) => {
    if (sqlState(error) === '42P01') return { rows: [{ complete: false }] }
    throw error
  })
  if (!found.rows[0]!.complete) await pool.query(completeHolds)
}
