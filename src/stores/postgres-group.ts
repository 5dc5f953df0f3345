import { type Group, refuses, returns, type Waiting } from './group-commit.ts'
import {
  AnswerLost,
  Blocked,
  isAfterAnother,
  isAway,
  isConnectionFault,
  isRetryable,
  sqlState,
} from './postgres-errors.ts'
import { isOf, shopOf } from './postgres-touches.ts'
import type { Transaction } from './postgres-transaction.ts'
import type { Step } from './sql/query.ts'
import { HeldElsewhere, type Outcome, sideBySide } from './sql/side-by-side.ts'

/** Receives commands that leave their group. */
export interface Elsewhere {
  /** The server has rejected it, or somebody else holds the same. */
  leave(one: Waiting, error: unknown): void
  /** Another command of its shop is blocked, so it runs apart from other shops: the same row may block it too. */
  setApart(one: Waiting): void
  /** The server cannot be used, and commands were rejected for it. */
  failed(): void
  /** Whether the row of a step is known to be locked by another client. */
  isLocked(step: Step): boolean
}

/**
 * Runs the commands of a group in one transaction. `false` when one of them broke it: nothing is kept, and the next try goes on without that
 * one, and without the shop of one that is blocked. After a second one each command runs behind a savepoint of its own, so that any number of
 * them can fail at the price of one more try. Rejects when the connection is lost, or when the server fails all of them.
 */
export async function tryGroup(
  transaction: Transaction,
  group: Group,
  elsewhere: Elsewhere,
): Promise<boolean> {
  const tried = group.commands.filter(({ refused }) => !refused)
  if (group.apart || group.failed > 1) {
    await oneByOne(transaction, { group, tried, elsewhere })
    return true
  }
  const { outcomes, broken } = await sideBySide(
    tried.map(({ command }) => command),
    transaction,
  )
  const errors = outcomes.flatMap((outcome) => (outcome && 'error' in outcome ? [outcome.error] : []))
  const lost = errors.find(isConnectionFault)
  if (lost !== undefined) {
    if (!transaction.isEnding) throw lost
    await loseAnswer(transaction, lost, { outcomes, tried, group, elsewhere })
  }
  for (const [index, one] of tried.entries()) {
    const error = answered(one, outcomes[index])
    if (error === undefined || isAfterAnother(error)) continue
    // The command may be at fault, and if it is alone the connection may be: a new one is used.
    if (isBroken(error) && group.commands.length === 1) throw error
    remove(group, one)
    elsewhere.leave(one, error)
    if (error instanceof HeldElsewhere) continue
    group.failed++
    for (const mate of matesOf(one, error, tried)) if (remove(group, mate)) elsewhere.setApart(mate)
  }
  // Nothing would be different at the next try.
  if (broken && tried.every((one) => !one.refused && group.commands.includes(one))) throw errors[0]
  return !broken
}

/** The commit went along with queries that got no answer. Commands that came to their end have their values if it is on disk. */
async function loseAnswer(
  transaction: Transaction,
  lost: unknown,
  { outcomes, tried, group, elsewhere }: Ran,
): Promise<never> {
  for (const [index, one] of tried.entries()) {
    const outcome = outcomes[index]
    if (!outcome) continue
    if ('value' in outcome) returns(one, outcome.value)
    else if (leaves(outcome.error)) {
      remove(group, one)
      elsewhere.leave(one, outcome.error)
    } else refuses(one, outcome.error)
  }
  throw new AnswerLost(lost, await transaction.begun())
}

interface Ran {
  outcomes: readonly Outcome[]
  tried: readonly Waiting[]
  group: Group
  elsewhere: Elsewhere
}

/** Runs each command behind a savepoint: a failed one is undone, the others stay. */
async function oneByOne(
  transaction: Transaction,
  { group, tried, elsewhere }: { group: Group; tried: readonly Waiting[]; elsewhere: Elsewhere },
): Promise<void> {
  const faults: unknown[] = []
  const left = [...tried]
  for (let one = left.shift(); one; one = left.shift()) {
    await transaction.savepoint()
    const { outcomes, broken } = await sideBySide([one.command], {
      ...{ begun: transaction.begun, take: transaction.take, ending: () => {} },
      async send(steps) {
        const locked = steps.find(elsewhere.isLocked)
        // It is not waited for again.
        if (locked) throw new Blocked(locked)
        return transaction.send(steps)
      },
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
    await transaction.leaveSavepoint(broken)
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

/** Keeps the result or error of a command for its caller after the commit. Returns the error of a command that leaves. */
function answered(one: Waiting, outcome: Outcome): unknown {
  if (!outcome) return undefined
  if (!('error' in outcome)) returns(one, outcome.value)
  else if (leaves(outcome.error)) return outcome.error
  else refuses(one, outcome.error)
  return undefined
}

const leaves = (error: unknown): boolean =>
  error instanceof HeldElsewhere || sqlState(error) !== undefined || isConnectionFault(error)

/** The server cannot carry it out now, and trying again does not help. */
const isBroken = (error: unknown): boolean => isAway(error) && !isRetryable(error)
