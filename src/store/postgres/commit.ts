import { type Running, sideBySide } from '../side-by-side.ts'
import { isConnectionFault, unavailable } from './errors.ts'
import { type PostgresServer, patience, pause } from './server.ts'
import { Transaction } from './transaction.ts'

/**
 * Runs commands in one transaction. Resolves once it is on disk: each command has its outcome then. A commit whose answer was lost is looked
 * up, and never blindly repeated. Rejects if nothing was kept, or with a `StoreUnavailable` if that cannot be known. `waitsFor` is for how many milliseconds a
 * statement waits for a lock.
 */
export async function commitTogether(
  server: PostgresServer,
  commands: readonly Running[],
  waitsFor?: number,
): Promise<void> {
  let lost: { id: string } | undefined
  try {
    await server.once(async (connection) => {
      const transaction = new Transaction(connection, (ms) => server.flew(ms), waitsFor)
      await sideBySide(commands, transaction).catch(async (error: unknown) => {
        // A failed begin is the reason of every error after it.
        const id = await transaction.begun()
        if (transaction.isEnding && isConnectionFault(error)) lost = { id }
        throw error
      })
    })
  } catch (error) {
    if (!lost || !(await wasCommitted(server, lost.id))) throw error
  }
}

/** The outcome of a transaction whose commit was not answered. Rejects if it is unknown. */
async function wasCommitted(server: PostgresServer, id: string): Promise<boolean> {
  const until = performance.now() + 2 * patience
  for (let attempt = 0; ; attempt++) {
    const status = await server.connected(async (connection) => {
      const { rows } = await connection.query<{ status: string | null }>(
        'select pg_xact_status($1::xid8) as status',
        [id],
      )
      return rows[0]?.status
    })
    if (status === 'committed' || status === 'aborted') return status === 'committed'
    if (status !== 'in progress' || performance.now() > until) {
      throw unavailable(new Error(`transaction ${id} is ${status ?? 'forgotten'}`))
    }
    await pause(attempt)
  }
}
