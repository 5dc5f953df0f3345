import type { Group, Tried } from './group-commit.ts'
import { send } from './postgres-connection.ts'
import { AnswerLost, Blocked, isConnectionFault, unavailable } from './postgres-errors.ts'
import { type Elsewhere, tryGroup } from './postgres-group.ts'
import { type PostgresServer, patience, pause } from './postgres-server.ts'
import { Transaction, writing } from './postgres-transaction.ts'
import type { Step } from './sql/query.ts'

/** The limit for checking whether a row is still locked, in milliseconds. */
const lookFor = 10

/** Commits a group. A commit whose answer was lost is looked up, and never blindly repeated. */
export async function commitGroup(
  server: PostgresServer,
  group: Group,
  elsewhere: Elsewhere,
): Promise<Tried> {
  try {
    return await server.connected(async (connection) => {
      const transaction = new Transaction(connection, (ms) => server.flew(ms))
      if (await tryGroup(transaction, group, elsewhere)) {
        await transaction.commit()
        return 'committed'
      }
      await transaction.rollback()
      return 'again'
    })
  } catch (error) {
    if (!(error instanceof AnswerLost)) throw error
    return (await wasCommitted(server, error.transaction)) ? 'committed' : 'again'
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

/** Finds the steps that would not wait for a lock now: tries each in a transaction of its own, and undoes it. */
export function findFree(server: PostgresServer, steps: readonly Step[]): Promise<boolean[]> {
  return server.connected(async (connection) => {
    const outcomes: boolean[] = []
    for (const step of steps) {
      await connection.begin(writing, `set_config('lock_timeout', '${lookFor}', true)`)
      outcomes.push(
        await send(connection, [step]).then(
          () => true,
          (error: unknown) => {
            if (isConnectionFault(error)) throw error
            return !(error instanceof Blocked)
          },
        ),
      )
      await connection.query('rollback')
    }
    return outcomes
  })
}
