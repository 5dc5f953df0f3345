import type { Connection } from './postgres-connection.ts'
import { send } from './postgres-connection.ts'
import { isAfterAnother, isAway, isConnectionFault, isRetryable, sqlState } from './postgres-errors.ts'
import type { Command } from './sql/query.ts'
import { sideBySide } from './sql/side-by-side.ts'

/**
 * How long a statement of a group waits for a lock, in milliseconds. Writers of our own wait for each other before they touch a row, so
 * that only somebody else's lock is ever in the way, and every other command of the group waits with it.
 */
const lockTimeout = 10

/**
 * One writer at a time, whichever process it is in. Serializable transactions side by side were tried: with four busy processes they
 * got into each other's way for so long that commands were given up. Whoever waits sees all that was committed before.
 */
const beginWriting = `begin isolation level read committed; set local lock_timeout = 0;
  select pg_advisory_xact_lock(7236844117);
  set local lock_timeout = ${lockTimeout}; select pg_current_xact_id()::text as id`

/** A command that waits for its commit. */
export interface Waiting {
  command: () => Command<unknown>
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
  /** Until when it is tried again, in milliseconds of `performance.now()`. */
  until: number
  /** Answers its caller, once the commit is on disk. */
  settle?: () => void
  /** It has refused by itself and takes no part in a further try. */
  refused?: boolean
}

/** Commands that share a commit. */
export interface Group {
  commands: Waiting[]
  /** How many have left it because the server cannot carry them out. */
  failed: number
}

/**
 * Runs the commands of a group in one transaction, and returns its id on the server. `undefined` when one of them broke it: nothing is
 * kept, and the next try goes on without that one. `leave` is given each command that the server has refused, which is no longer part of
 * the group. Rejects when it is not one command that is at fault: the connection is lost, or the server fails a second command too.
 */
export async function tryTogether(
  connection: Connection,
  group: Group,
  leave: (one: Waiting, error: unknown) => void,
): Promise<string | undefined> {
  const begun = (await connection.query(beginWriting)) as unknown as { rows: { id: string }[] }[]
  const tried = group.commands.filter(({ refused }) => !refused)
  const { outcomes, broken } = await sideBySide(
    tried.map(({ command }) => command),
    (steps) => send(connection, steps),
  )
  const errors = outcomes.flatMap((outcome) => (outcome && 'error' in outcome ? [outcome.error] : []))
  const lost = errors.find(isConnectionFault)
  if (lost !== undefined) throw lost
  for (const [index, one] of tried.entries()) {
    const outcome = outcomes[index]
    if (!outcome) continue
    if ('value' in outcome) one.settle = () => one.resolve(outcome.value)
    else if (sqlState(outcome.error) === undefined) {
      one.settle = () => one.reject(outcome.error)
      one.refused = true
    } else if (!isAfterAnother(outcome.error)) {
      // One of its own kind may be at fault itself. Of all of them, or of one alone, the connection may be: a new one is taken.
      const away = isAway(outcome.error) && !isRetryable(outcome.error)
      if (away && (++group.failed > 1 || group.commands.length === 1)) throw outcome.error
      group.commands.splice(group.commands.indexOf(one), 1)
      leave(one, outcome.error)
    }
  }
  if (!broken) return begun[4]!.rows[0]!.id
  await connection.query('rollback')
  return undefined
}
