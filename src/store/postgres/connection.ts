import { hash, randomBytes } from 'node:crypto'
import type { Client, PoolClient, QueryConfig, QueryResult } from 'pg'
import { StoreUnavailable } from '../connection.ts'
import type { Command, Step } from '../query.ts'
import { readOnly } from '../standstill.ts'
import {
  Blocked,
  driverFault,
  isAfterAnother,
  isLocked,
  isLostName,
  isPlannedBefore,
  sqlState,
} from './errors.ts'

/** A connection whose errors name their origin: the server's own, or a `ConnectionLost`. */
export class Connection {
  readonly #client: PoolClient
  readonly #sessions: Sessions
  #isCorked = false
  #isSpent = false
  #hasFailed = false

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
    return this.query(this.#sessions.beginning(mode, ...selected))
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
      // Behind a failure of its own, the server says so of each query. Without one it is the transaction of somebody else.
      this.#isSpent ||= sqlState(fault) === readOnly || (isAfterAnother(fault) && !this.#hasFailed)
      this.#hasFailed = true
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

export async function toEnd<T>(connection: Connection, command: Command<T>): Promise<T> {
  let next = command.next()
  while (!next.done) {
    next = command.next('steps' in next.value ? await send(connection, next.value.steps) : [])
  }
  return next.value
}

/**
 * How the connections of this process reach sessions of the server. Each has its own, unless a pool is in between that gives every transaction
 * another one: then settings belong to each transaction, and no statement is prepared by name, unless the pool itself remembers names.
 */
export class Sessions {
  readonly #settings: readonly (readonly [string, string | number])[]
  isPooled = false
  /** Whether a statement that is prepared by name is there later. */
  prepares = true

  /** `settings` are those of each transaction, or of a connection with a session of its own. */
  constructor(settings: Readonly<Record<string, string | number>>) {
    this.#settings = Object.entries(settings)
  }

  /** Looks whether a pool is in between. `prepares`: what the operator says. Rejects with a `StoreUnavailable` for a pool without transactions. */
  async look(client: Conversing, pid: number, prepares: boolean | undefined): Promise<void> {
    this.isPooled = isPooled(client, pid) || prepares === false
    const remembers = !this.isPooled || (await remembersNames(client))
    this.prepares = prepares ?? remembers
  }

  /** An error of a query may show what was not known of the way: a statement is not where it was prepared. */
  learn(error: unknown): void {
    if (isLostName(error)) this.isPooled = true
    // A pool keeps the sessions with the plans of before, also for new connections.
    if (this.isPooled && (isLostName(error) || isPlannedBefore(error))) this.prepares = false
  }

  /** Sent once by a new connection; not set if its session is not its own. */
  get once(): string | undefined {
    if (this.isPooled) return undefined
    return this.#settings.map(([name, value]) => `set ${name} = ${value}`).join('; ')
  }

  /** Begins a transaction with the settings: in the same flight. `selected` is what it selects beside them. */
  beginning(mode: string, ...selected: string[]): string {
    const settings = this.#settings.map(([name, value]) => `set_config('${name}', '${value}', true)`)
    const all = this.isPooled ? [...settings, ...selected] : selected
    return all.length === 0 ? `begin ${mode}` : `begin ${mode}; select ${all.join(', ')}`
  }
}

/** A connection, with the number of the server's process that was named at its start. */
type Conversing = Pick<Client | PoolClient, 'query'> & { processID?: number | null }

/** Whether another process answers than the one that opened the connection. `pid` is that of `pg_backend_pid()`. */
const isPooled = ({ processID }: Conversing, pid: number): boolean => processID !== pid

/** Whether a pool gives statements names of its own, and so knows where they are. Rejects if it has no transactions. */
async function remembersNames(client: Conversing): Promise<boolean> {
  const name = `purveyor_${randomBytes(9).toString('hex')}`
  // It finds itself.
  const text = `/* ${name} */ select name from pg_prepared_statements where statement like '/* ${name} */%'`
  const [, found] = await Promise.all([
    client.query('begin').catch(refuseStatementMode),
    client.query<{ name: string }>({ name, text }),
  ])
  const there = found.rows[0]?.name
  // A prepared statement belongs to the session, and not to the transaction.
  await client.query(there === name ? `deallocate ${name}; rollback` : 'rollback')
  return there !== undefined && there !== name
}

function refuseStatementMode(error: unknown): never {
  if (sqlState(error) !== '08P01') throw error
  throw new StoreUnavailable(
    'The pool in front of the PostgreSQL server gives each statement another session, and refuses transactions. Set its pool_mode to transaction, or name the server itself in PURVEYOR_DATABASE_URL.',
    { cause: error },
  )
}

/** The word of an address about prepared statements; not set to find out. Throws a `StoreUnavailable` for another word than `true` and `false`. */
export function preparesIn(url: string): boolean | undefined {
  const said = URL.parse(url)?.searchParams.getAll('prepared_statements').at(-1)
  if (said === undefined) return undefined
  if (said === 'true' || said === 'false') return said === 'true'
  throw new StoreUnavailable('prepared_statements in PURVEYOR_DATABASE_URL must be true or false.')
}
