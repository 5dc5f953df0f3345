import { StoreUnavailable } from '../store.ts'
import type { Group, Tried } from './group-commit.ts'
import { send } from './postgres-connection.ts'
import { AnswerLost, Blocked, isConnectionFault, isRetryable, unavailable } from './postgres-errors.ts'
import { type Elsewhere, tryGroup } from './postgres-group.ts'
import { type PostgresServer, patience, pause } from './postgres-server.ts'
import { Transaction, writing } from './postgres-transaction.ts'
import type { Step } from './sql/query.ts'

/** The limit for checking whether a row is still locked, in milliseconds. */
const lookFor = 10

/** How long a group is tried at least while the server is unavailable, in milliseconds: its commands may have queued for long. */
const shortestTry = 100

/**
 * Commits a group. A commit whose answer was lost is looked up, and never blindly repeated. While the server is unavailable each command waits
 * for its own time, counted from its call: the first to be over is rejected, and the others are `busy` with those that came meanwhile.
 */
export async function commitGroup(
  server: PostgresServer,
  group: Group,
  elsewhere: Elsewhere,
): Promise<Tried> {
  const until = Math.min(...group.commands.map((one) => one.until))
  try {
    return await server.connected(
      async (connection) => {
        const transaction = new Transaction(connection, (ms) => server.flew(ms))
        const isDone = await tryGroup(transaction, group, elsewhere).catch(async (error: unknown) => {
          // A failed begin is the reason of every error after it.
          await transaction.begun()
          throw error
        })
        if (isDone) {
          await transaction.commit()
          return 'committed'
        }
        await transaction.rollback()
        return 'again'
      },
      Math.max(until, performance.now() + shortestTry),
    )
  } catch (error) {
    if (error instanceof StoreUnavailable && isRetryable(error.cause)) {
      rejectOver(group, error)
      elsewhere.failed()
      return 'busy'
    }
    if (!(error instanceof AnswerLost)) throw error
    return (await wasCommitted(server, error.transaction)) ? 'committed' : 'again'
  }
}

/** Rejects the commands of a group whose time is over: they leave it. */
function rejectOver(group: Group, error: StoreUnavailable): void {
  const now = performance.now()
  const all = group.commands.splice(0)
  for (const one of all) {
    if (one.until <= now) one.reject(error)
    else group.commands.push(one)
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
