import { Pool } from 'pg'
import { times } from '../../together.ts'
import { statements, valuesOf } from '../payments/rows.ts'

/** The rows of a payment start by the bare driver, every statement prepared and a commit of its own. */
export async function rawStarter(databaseUrl: string, first: number) {
  const pool = new Pool({ connectionString: databaseUrl, max: 10 })
  let order = first
  async function write(): Promise<void> {
    const values = valuesOf(++order)
    for (const name of ['payment', 'attempt', 'change', 'start'] as const)
      await pool.query({ name, text: statements[name] }, values[name])
  }
  return {
    start: (starts: number, callers: number) => times(starts, callers, write),
    close: () => pool.end(),
  }
}
