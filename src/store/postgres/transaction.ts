import { awaitHolds, keepShops, shopIn, slotOf, takeHolds } from '../holds.ts'
import type { Step } from '../query.ts'
import { type Flights, type Running, sideBySide } from '../side-by-side.ts'
import { type Connection, send } from './connection.ts'
import { isConnectionFault, unavailable } from './errors.ts'
import { lockTimeout, type PostgresServer, patience, pause } from './server.ts'

/**
 * How long a command that shares its transaction with no other waits for what it holds first, in milliseconds: less than a statement may take,
 * and more than the server leaves to the transaction of a frozen process.
 */
const waitFor = 4_000

/**
 * A transaction that commands share. Its begin goes along with the first queries, and its commit with the last ones. Each statement sees what was
 * committed before it, so what a command reads after its holds is what the last holder left.
 */
class Transaction implements Flights {
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

  begun = (): Promise<string> => this.#begun

  send = (steps: readonly Step[]): Promise<unknown[][]> => send(this.#connection, steps)

  take = async (things: readonly string[], mayWait: boolean): Promise<ReadonlySet<string>> => {
    const slots = things.map(slotOf)
    const shops = [...new Set(things.flatMap((thing) => shopIn(thing) ?? []))]
    const connection = this.#connection
    const [held, changing] = await Promise.all([
      mayWait ? this.#await(slots) : connection.prepared<{ slot: number }>(takeHolds, [slots]),
      // None of these shops is removed or disabled until the commit, except those that another transaction changes at this moment.
      shops.length > 0 ? connection.prepared<{ id: string }>(keepShops, [shops]) : undefined,
    ])
    const free = new Set(held.rows.map(({ slot }) => slot))
    const isFree = (thing: string, index: number) =>
      free.has(slots[index]!) && !changing?.rows.some(({ id }) => id === shopIn(thing))
    return new Set(things.filter((thing, index) => !isFree(thing, index)))
  }

  /** In one flight. The statements after it wait for locks as briefly as all others. */
  async #await(slots: readonly number[]): Promise<{ rows: { slot: number }[] }> {
    const flight = [
      this.#connection.query(`set local lock_timeout = ${waitFor}`),
      this.#connection.prepared<{ slot: number }>(awaitHolds, [slots]),
      this.#connection.query(`set local lock_timeout = ${lockTimeout}`),
    ] as const
    await Promise.allSettled(flight)
    return flight[1]
  }

  /** Resolves once it is on disk. */
  commit = async (): Promise<void> => {
    this.isEnding = true
    const { command } = await this.#connection.query('commit')
    // The server rolls back a broken transaction at COMMIT, without an error.
    if (command !== 'COMMIT') throw new Error('the server has rolled back what it was to commit')
  }
}

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
