import { hash } from 'node:crypto'
import type { PoolClient, QueryConfig, QueryResult } from 'pg'
import type { Command, Step } from '../query.ts'
import { readOnly } from '../standstill.ts'
import { Blocked, driverFault, isAfterAnother, isLocked, sqlState } from './errors.ts'
import type { Sessions } from './sessions.ts'

/** A connection whose errors name their origin: the server's own, or a `ConnectionLost`. */
export class Connection {
  readonly #client: PoolClient
  readonly #sessions: Sessions
  #isCorked = false
  #isSpent = false

  constructor(client: PoolClient, sessions: Sessions) {
    this.#client = client
    this.#sessions = sessions
  }

  /** Whether its statements outside a transaction have the settings too. */
  get hasSession(): boolean {
    return !this.#sessions.isPooled
  }

  /** Begins a transaction, such as `isolation level read committed`. `selected` is what it selects in the same flight. */
  begin(mode: string, ...selected: string[]): Promise<QueryResult> {
    return this.query(this.#sessions.begin(mode, ...selected))
  }

  /** A query that is planned once for each session where that is possible. */
  prepared<Row extends object = object>(text: string, values: unknown[]): Promise<QueryResult<Row>> {
    return this.query(this.#sessions.prepares ? { name: nameOf(text), text, values } : { text, values })
  }

  query<Row extends object = object>(
    query: string | QueryConfig,
    values?: unknown[],
  ): Promise<QueryResult<Row>> {
    this.#cork()
    return this.#client.query<Row>(query, values).catch((error: unknown) => {
      this.#sessions.learn(error)
      const fault = driverFault(error)
      this.#isSpent ||= sqlState(fault) === readOnly || isAfterAnother(fault)
      throw fault
    })
  }

  /** Queries of one turn go in one packet: a write to the socket costs more than the query that it carries. */
  #cork(): void {
    if (this.#isCorked) return
    this.#isCorked = true
    const { stream } = this.#client.connection
    stream.cork()
    process.nextTick(() => {
      this.#isCorked = false
      stream.uncork()
    })
  }

  /** Releases the connection. It is closed if it is `broken`, or if its session was read-only: the next one may not be. */
  release(broken: boolean): void {
    this.#client.release(broken || this.#isSpent)
  }
}

const names = new Map<string, string>()
function nameOf(sql: string): string {
  const known = names.get(sql) ?? `p${hash('sha256', sql, 'hex').slice(0, 24)}`
  names.set(sql, known)
  return known
}

/** Sends steps in one flight. Rejects with the first error once all are answered: a `Blocked` for a step that waited for a lock. */
export async function send(connection: Connection, steps: readonly Step[]): Promise<unknown[][]> {
  const answers = await Promise.allSettled(
    steps.map(({ sql, values }) => {
      // Text there has no NUL.
      const clean = values.map((value) => (typeof value === 'string' ? value.replaceAll('\0', '') : value))
      return connection.prepared(sql, clean)
    }),
  )
  return answers.map((answer, index) => {
    if (answer.status === 'fulfilled') return answer.value.rows
    throw isLocked(answer.reason) ? new Blocked(steps[index]!, answer.reason) : answer.reason
  })
}

/** Runs a single command. */
export async function toEnd<T>(connection: Connection, command: Command<T>): Promise<T> {
  let next = command.next()
  while (!next.done) {
    next = command.next('steps' in next.value ? await send(connection, next.value.steps) : [])
  }
  return next.value
}
