import type { QueryResult } from 'pg'
import { type Connection, send } from './postgres-connection.ts'
import { AnswerLost, isConnectionFault } from './postgres-errors.ts'
import { lockTimeout } from './postgres-server.ts'
import { shopIn } from './postgres-touches.ts'
import { awaitHolds, keepShops, slotOf, takeHolds } from './sql/holds.ts'
import type { Step } from './sql/query.ts'
import type { Flights } from './sql/side-by-side.ts'

/** Each statement sees what was committed before it. */
export const writing = 'isolation level read committed'

/**
 * How long a command that shares its transaction with no other waits for what it holds first, in milliseconds: less than a statement may take,
 * and more than the server leaves to the transaction of a frozen process.
 */
const waitFor = 4_000

/**
 * A transaction that commands share. Its begin goes along with the first queries, and its commit with the last ones. Each statement sees what was
 * committed before it, so what a command reads after its holds is what the last holder left.
 */
export class Transaction implements Flights {
  readonly #connection: Connection
  readonly #begun: Promise<string>
  #ended: Promise<QueryResult> | undefined

  /** `flew` gets the milliseconds of its first flight. */
  constructor(connection: Connection, flew: (ms: number) => void) {
    this.#connection = connection
    const since = performance.now()
    this.#begun = connection.begin(writing, 'pg_current_xact_id()::text as id').then((answers) => {
      flew(performance.now() - since)
      return (answers as unknown as { rows: { id: string }[] }[])[1]!.rows[0]!.id
    })
    // Its failure is that of every query after it.
    this.#begun.catch(() => {})
  }

  begun = (): Promise<string> => this.#begun

  send = (steps: readonly Step[]): Promise<unknown[][]> => send(this.#connection, steps)

  take = async (things: readonly string[], mayWait: boolean): Promise<ReadonlySet<string>> => {
    const slots = things.map(slotOf)
    const [rows, removed] = await Promise.all([
      mayWait ? this.#await(slots) : this.#take(slots),
      this.#keepShops(things.flatMap((thing) => shopIn(thing) ?? [])),
    ])
    const free = new Set(rows.map(({ slot }) => slot))
    const isFree = (thing: string, index: number) =>
      free.has(slots[index]!) && !removed.some(({ id }) => id === shopIn(thing))
    return new Set(things.filter((thing, index) => !isFree(thing, index)))
  }

  /** None of these shops is removed or disabled until the commit. Resolves with those that another transaction is removing or disabling. */
  async #keepShops(shops: readonly string[]): Promise<{ id: string }[]> {
    if (shops.length === 0) return []
    return (await this.#connection.prepared<{ id: string }>(keepShops, [[...new Set(shops)]])).rows
  }

  async #take(slots: readonly number[]): Promise<{ slot: number }[]> {
    const values = [[...new Set(slots)]]
    return (await this.#connection.prepared<{ slot: number }>(takeHolds, values)).rows
  }

  /** In one flight. The statements after it wait for locks as briefly as all others. */
  async #await(slots: readonly number[]): Promise<{ slot: number }[]> {
    const values = [[...new Set(slots)]]
    const flight = [
      this.#connection.query(`set local lock_timeout = ${waitFor}`),
      this.#connection.prepared<{ slot: number }>(awaitHolds, values),
      this.#connection.query(`set local lock_timeout = ${lockTimeout}`),
    ] as const
    await Promise.allSettled(flight)
    return (await flight[1]).rows
  }

  ending = (): void => {
    this.#ended = this.#connection.query('commit')
    this.#ended.catch(() => {})
  }

  /** Whether a fault of the connection leaves it open what the transaction has become. */
  get isEnding(): boolean {
    return this.#ended !== undefined
  }

  /** Resolves once it is on disk. Rejects with an `AnswerLost` if nobody knows. */
  async commit(): Promise<void> {
    const id = await this.#begun
    this.#ended ??= this.#connection.query('commit')
    const answer = await this.#ended.catch((error: unknown) => {
      throw isConnectionFault(error) ? new AnswerLost(error, id) : error
    })
    // The server rolls back a broken transaction at COMMIT, without an error.
    if (answer.command !== 'COMMIT') throw new Error('the server has rolled back what it was to commit')
  }

  async rollback(): Promise<void> {
    await (this.#ended ?? this.#connection.query('rollback'))
  }

  savepoint = (): Promise<unknown> => this.#connection.query('savepoint one')
  leaveSavepoint = (undo: boolean): Promise<unknown> =>
    this.#connection.query(undo ? 'rollback to savepoint one' : 'release savepoint one')
}
