import { type Group, refuses, returns, type Waiting } from './group-commit.ts'
import { type Connection, send } from './postgres-connection.ts'
import {
  Blocked,
  isAfterAnother,
  isAway,
  isConnectionFault,
  isRetryable,
  sqlState,
} from './postgres-errors.ts'
import { isOf, shopOf } from './postgres-touches.ts'
import type { Step } from './sql/query.ts'
import { type Outcome, sideBySide } from './sql/side-by-side.ts'

/**
 * How long a statement of a group waits for a lock, in milliseconds. Our own writers wait for each other before they touch a row, so only a
 * lock of another client can block a statement, and every command of the group waits with it.
 */
const lockTimeout = 10

/**
 * One writer at a time, whichever process it is in. Serializable transactions side by side were tried: with four busy processes they got
 * into each other's way for so long that commands were given up. A waiting writer sees everything committed before it.
 */
const beginWriting = `begin isolation level read committed; set local lock_timeout = 0;
  select pg_advisory_xact_lock(7236844117);
  set local lock_timeout = ${lockTimeout}; select pg_current_xact_id()::text as id`

/** Receives commands that leave their group. */
export interface Elsewhere {
  /** The server has rejected it. */
  leave(one: Waiting, error: unknown): void
  /** Another command of its shop is blocked, so it runs apart from other shops: the same row may block it too. */
  setApart(one: Waiting): void
  /** Whether the row of a step is known to be locked by another client. */
  isLocked(step: Step): boolean
}

/**
 * Runs the commands of a group in one transaction, and returns its id on the server. `undefined` when one of them broke it: nothing is
 * kept, and the next try goes on without that one, and without the shop of one that is blocked. After a second one each command runs behind
 * a savepoint of its own, so that any number of them can fail at the price of one more try. Rejects when the connection is lost, or when the server fails all of them.
 */
export async function tryGroup(
  connection: Connection,
  group: Group,
  elsewhere: Elsewhere,
): Promise<string | undefined> {
  const begun = (await connection.query(beginWriting)) as unknown as { rows: { id: string }[] }[]
  const id = begun[4]!.rows[0]!.id
  const tried = group.commands.filter(({ refused }) => !refused)
  if (group.apart || group.failed > 1) {
    await oneByOne(connection, { group, tried, elsewhere })
    return id
  }
  const { outcomes, broken } = await sideBySide(
    tried.map(({ command }) => command),
    (steps) => send(connection, steps),
  )
  const errors = outcomes.flatMap((outcome) => (outcome && 'error' in outcome ? [outcome.error] : []))
  const lost = errors.find(isConnectionFault)
  if (lost !== undefined) throw lost
  for (const [index, one] of tried.entries()) {
    const error = answered(one, outcomes[index])
    if (error === undefined || isAfterAnother(error)) continue
    // The command may be at fault, and if it is alone the connection may be: a new one is used.
    if (isBroken(error) && group.commands.length === 1) throw error
    group.failed++
    remove(group, one)
    elsewhere.leave(one, error)
    for (const mate of matesOf(one, error, tried)) if (remove(group, mate)) elsewhere.setApart(mate)
  }
  if (!broken) return id
  await connection.query('rollback')
  return undefined
}

/** Runs each command behind a savepoint: a failed one is undone, the others stay. */
async function oneByOne(
  connection: Connection,
  { group, tried, elsewhere }: { group: Group; tried: readonly Waiting[]; elsewhere: Elsewhere },
): Promise<void> {
  const faults: unknown[] = []
  const left = [...tried]
  for (let one = left.shift(); one; one = left.shift()) {
    await connection.query('savepoint one')
    const { outcomes, broken } = await sideBySide([one.command], async (steps) => {
      const locked = steps.find(elsewhere.isLocked)
      // It is not waited for again.
      if (locked) throw new Blocked(locked)
      return send(connection, steps)
    })
    const error = answered(one, outcomes[0])
    if (isConnectionFault(error)) throw error
    if (error !== undefined) {
      if (isBroken(error)) faults.push(error)
      remove(group, one)
      elsewhere.leave(one, error)
      const waited = error instanceof Blocked && error.cause !== undefined
      for (const mate of waited ? matesOf(one, error, left) : []) {
        left.splice(left.indexOf(mate), 1)
        if (remove(group, mate)) elsewhere.setApart(mate)
      }
    }
    await connection.query(broken ? 'rollback to savepoint one' : 'release savepoint one')
  }
  // If every command fails, the connection may be at fault: a new one is used.
  if (faults.length > 0 && faults.length === tried.length) throw faults[0]
}

/** The other commands of the shop of one that is blocked: the same row may block each of them. */
function matesOf(one: Waiting, error: unknown, others: readonly Waiting[]): Waiting[] {
  const shop = error instanceof Blocked ? shopOf(one) : undefined
  return shop === undefined
    ? []
    : others.filter((other) => other !== one && !other.refused && isOf(other, shop))
}

/** Returns whether it was part of the group. */
function remove({ commands }: Group, one: Waiting): boolean {
  const at = commands.indexOf(one)
  if (at >= 0) commands.splice(at, 1)
  return at >= 0
}

/** Keeps the result or error of a command for its caller after the commit. Returns the error of a command that the server has rejected. */
function answered(one: Waiting, outcome: Outcome): unknown {
  if (!outcome) return undefined
  if ('value' in outcome) returns(one, outcome.value)
  else if (sqlState(outcome.error) !== undefined || isConnectionFault(outcome.error)) return outcome.error
  else refuses(one, outcome.error)
  return undefined
}

/** The server cannot carry it out now, and trying again does not help. */
const isBroken = (error: unknown): boolean => isAway(error) && !isRetryable(error)
