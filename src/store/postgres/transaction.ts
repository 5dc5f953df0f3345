import { awaitHolds, keepShops, shopIn, slotOf, takeHolds } from '../holds.ts'
import type { Step } from '../query.ts'
import type { Flights } from '../side-by-side.ts'
import { type Connection, send } from './connection.ts'
import { lockTimeout } from './server.ts'

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
  /** Whether a fault of the connection leaves it open what the transaction has become. */
  isEnding = false

  /** `flew` gets the milliseconds of its first flight. Its statements wait `waitsFor` milliseconds for a lock, or as long as all others. */
  constructor(connection: Connection, flew: (ms: number) => void, waitsFor?: number) {
    this.#connection = connection
    const since = performance.now()
    const more = waitsFor === undefined ? [] : [`set_config('lock_timeout', '${waitsFor}', true)`]
    this.#begun = connection
      .begin('isolation level read committed', 'pg_current_xact_id()::text as id', ...more)
      .then((answers) => {
        flew(performance.now() - since)
        return (answers as unknown as { rows: { id: string }[] }[])[1]!.rows[0]!.id
      })
    // Its failure is that of every query after it.
    this.#begun.catch(() => {})
  }

  /** Resolves with the id of the transaction. */
  begun = (): Promise<string> => this.#begun

  send = (steps: readonly Step[]): Promise<unknown[][]> => send(this.#connection, steps)

  take = async (things: readonly string[], mayWait: boolean): Promise<ReadonlySet<string>> => {
    const slots = things.map(slotOf)
    const shops = [...new Set(things.flatMap((thing) => shopIn(thing) ?? []))]
    const [rows, removed] = await Promise.all([
      mayWait ? this.#await(slots) : this.#take(slots),
      shops.length > 0 ? this.#keepShops(shops) : [],
    ])
    const free = new Set(rows.map(({ slot }) => slot))
    const isFree = (thing: string, index: number) =>
      free.has(slots[index]!) && !removed.some(({ id }) => id === shopIn(thing))
    return new Set(things.filter((thing, index) => !isFree(thing, index)))
  }

  /** None of these shops is removed or disabled until the commit. Resolves with those that another transaction is removing or disabling. */
  async #keepShops(shops: readonly string[]): Promise<{ id: string }[]> {
    return (await this.#connection.prepared<{ id: string }>(keepShops, [shops])).rows
  }

  async #take(slots: readonly number[]): Promise<{ slot: number }[]> {
    return (await this.#connection.prepared<{ slot: number }>(takeHolds, [slots])).rows
  }

  /** In one flight. The statements after it wait for locks as briefly as all others. */
  async #await(slots: readonly number[]): Promise<{ slot: number }[]> {
    const flight = [
      this.#connection.query(`set local lock_timeout = ${waitFor}`),
      this.#connection.prepared<{ slot: number }>(awaitHolds, [slots]),
      this.#connection.query(`set local lock_timeout = ${lockTimeout}`),
    ] as const
    await Promise.allSettled(flight)
    return (await flight[1]).rows
  }

  /** Resolves once it is on disk. */
  commit = async (): Promise<void> => {
    this.isEnding = true
    const { command } = await this.#connection.query('commit')
    // The server rolls back a broken transaction at COMMIT, without an error.
    if (command !== 'COMMIT') throw new Error('the server has rolled back what it was to commit')
  }
}
