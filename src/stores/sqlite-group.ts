import type { StatementSync } from 'node:sqlite'
import { refuses, returns, type Waiting } from './group-commit.ts'
import type { Command, Wait } from './sql/query.ts'
import { standsStill } from './sql/standstill.ts'
import { isDamaged, isUnavailable, unavailable } from './sqlite-errors.ts'

/** An open file, with its statements prepared once. */
export interface SqliteFile {
  statement(sql: string): StatementSync
  /** A page of it cannot be read. */
  damaged(): void
}

/** Runs a command in one go. `wrote` is called before it changes anything. */
export function run<T>(file: SqliteFile, command: Command<T>, wrote: () => void): T {
  let wait = command.next()
  while (!wait.done) {
    // It runs alone.
    const { steps, damagedAt } = 'steps' in wait.value ? wait.value : noSteps
    wait = command.next(
      steps.map(({ sql, writes, values }, place) => {
        if (writes) wrote()
        try {
          return file.statement(sql).all(...values)
        } catch (error) {
          if (!isDamaged(error)) throw error
          file.damaged()
          if (!damagedAt) throw error
          damagedAt(place)
          throw new LeavesOut(error)
        }
      }),
    )
  }
  return wait.value
}

/** Runs commands under one commit. `false`: one failed after a write, nothing is committed, and the next try leaves it out. */
export function tryGroup(file: SqliteFile, commands: readonly Waiting[]): boolean {
  file.statement('begin immediate').all()
  for (const one of commands) {
    if (one.refused) continue
    let wrote = false
    try {
      returns(
        one,
        run(file, one.command(), () => {
          wrote = true
        }),
      )
    } catch (error) {
      const damaged = isDamaged(error) || error instanceof LeavesOut
      if (isUnavailable(error) && !damaged) throw error
      const cause = error instanceof LeavesOut ? error.cause : error
      if (error instanceof LeavesOut) one.damages = (one.damages ?? 0) + 1
      if (cause === error || one.damages! >= mostDamages)
        refuses(one, damaged ? unavailable(cause) : (standsStill(error) ?? error))
      // SQLite does not commit a transaction that met a damaged page.
      if (wrote || damaged) {
        file.statement('rollback').all()
        return false
      }
    }
  }
  file.statement('commit').all()
  return true
}

/** A damaged page stops a part of a command; the command runs again without that part. */
class LeavesOut extends Error {
  override readonly name = 'LeavesOut'
  constructor(cause: unknown) {
    super('a damaged page', { cause })
  }
}

const mostDamages = 100
const noSteps: Extract<Wait, { steps: unknown }> = { steps: [] }
