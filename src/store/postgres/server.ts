import { randomInt } from 'node:crypto'
import type { ClientConfig, Pool, PoolClient } from 'pg'
import { StoreUnavailable } from '../connection.ts'
import type { Command, Step } from '../query.ts'
import { checkEncryption, checkLimits, checkServer } from './checks.ts'
import { Connection, preparesIn, Sessions, send, toEnd } from './connection.ts'
import { driverFault, isAway, isRetryable, startError, unavailable } from './errors.ts'
import { fillHolds, migratePostgres } from './migrate.ts'
import { DatabaseNames } from './names.ts'

/** How long a command is retried while the server is unavailable or others block it, in milliseconds. */
export const patience = 2_000
/** The limit for a statement: a connection that no longer answers is closed then. */
const statementTimeout = 5_000
/** How long a statement waits for another client's lock, in milliseconds. */
export const lockTimeout = 300
const connectTimeout = 2_000
/**
 * The server ends the transaction of a frozen process after this time, and the others continue. Less than `patience`: it may have locked the
 * lane of a shop, and payments of that shop on other nodes wait for that.
 */
const idleTimeout = 1_500
/**
 * Every query has an index. The server would plan it as a scan while the table is small, and keep that plan while the table grows: 640 orders
 * after a table of 60 was analyzed took four times as long. A query without an index looks dear then, and is compiled first unless `jit` is off.
 */
const settings = {
  statement_timeout: statementTimeout,
  lock_timeout: lockTimeout,
  idle_in_transaction_session_timeout: idleTimeout,
  enable_seqscan: 'off',
  jit: 'off',
}
/** A read sees one moment. */
const reading = 'isolation level repeatable read, read only'
const int8 = 20

/** Loaded on use: a SQLite installation may not have it. */
export const loadPg = async () =>
  (
    await import('pg').catch((cause: unknown) => {
      throw new StoreUnavailable('PostgreSQL needs its driver beside purveyor: npm install pg', { cause })
    })
  ).default
type Pg = Awaited<ReturnType<typeof loadPg>>

/** Times and counts are 64 bits wide there and exact numbers here. */
export const exactNumbers = ({ types }: Pg) =>
  ({
    getTypeParser: (oid: number, format?: 'text' | 'binary') =>
      oid === int8 ? Number : types.getTypeParser(oid, format as 'text'),
  }) as ClientConfig['types']

/** The connections of this process to the server. A command that arrives while they are being opened waits. */
export class PostgresServer {
  readonly #url: string
  readonly #connections: number
  readonly #prepares: boolean | undefined
  readonly #names: DatabaseNames
  /** Set anew by each opening. */
  #sessions = new Sessions(settings)
  #pool: Pool | undefined
  #opening: Promise<void> | undefined
  /** The reads that take more than one flight, which is known once they ran. */
  readonly #long = new Set<string>()
  readonly #flights = [0]

  /** `prepares`: whether statements are prepared by name; not set for what the address says. */
  constructor(
    url: string,
    { connections, prepares }: { connections: number; prepares: boolean | undefined },
    names = new DatabaseNames(),
  ) {
    this.#url = url
    this.#names = names
    this.#connections = connections
    this.#prepares = prepares
  }

  /** `first` runs once there are connections; the server is open after it. `serves`: for a node, which may need all its connections at a time. */
  open(first: () => Promise<void>, serves = false): Promise<void> {
    this.#opening ??= this.#open(first, serves)
    this.#opening.catch(() => {
      this.#opening = undefined
    })
    return this.#opening
  }

  /** New commands are refused at once; those under way end with `settled`. */
  async close(settled: Promise<void>): Promise<void> {
    const ending = this.#pool
    this.#opening = undefined
    await settled
    this.#pool = undefined
    await ending?.end()
  }

  async #open(first: () => Promise<void>, serves: boolean): Promise<void> {
    const pg = await loadPg()
    const config = this.#config(pg)
    const sessions = new Sessions(settings)
    let pool: Pool | undefined
    try {
      checkEncryption(this.#url, new pg.Client(config))
      pool = this.#newPool(pg, config)
      await this.#look(pool, sessions, serves)
      await migratePostgres(pg, config)
      await fillHolds(pool, serves)
      this.#sessions = sessions
      this.#pool = pool
      await first()
    } catch (error) {
      this.#pool = undefined
      await pool?.end().catch(() => {})
      throw startError(error)
    }
  }

  async #look(pool: Pool, sessions: Sessions, serves: boolean): Promise<void> {
    const client = await pool.connect()
    let known = false
    try {
      const prepares = this.#prepares ?? preparesIn(this.#url)
      await sessions.look(client, await checkServer(client), prepares)
      if (serves && !sessions.isPooled) await checkLimits(client, this.#connections)
      const settle = async (one: PoolClient) => sessions.once && one.query(sessions.once)
      await settle(client)
      // A failure is that of the first command too.
      pool.on('connect', (other) => void settle(other).catch(() => {}))
      known = true
    } finally {
      client.release(!known)
    }
  }

  #config(pg: Pg): ClientConfig {
    return {
      connectionString: this.#url,
      connectionTimeoutMillis: connectTimeout,
      stream: this.#names.stream,
      keepAlive: true,
      // A flight of queries is sent without waiting for each answer.
      pipeline: true,
      application_name: 'purveyor',
      types: exactNumbers(pg),
    }
  }

  #newPool({ Pool }: Pg, config: ClientConfig): Pool {
    const pool = new Pool({
      ...config,
      max: this.#connections,
      query_timeout: statementTimeout,
      idleTimeoutMillis: 30_000,
    })
    // The pool replaces a connection that breaks, and the query on it rejects. Without a listener Node exits on this 'error' event.
    pool.on('error', () => {})
    pool.on('connect', (client) => void client.on('error', () => {}))
    return pool
  }

  /** The shortest of the last flights to the server and back, in milliseconds. */
  get flight(): number {
    return Math.min(...this.#flights)
  }

  flew(ms: number): void {
    this.#flights.push(ms)
    if (this.#flights.length > 20) this.#flights.shift()
  }

  /** Runs with a connection, and again with another one while the server is unavailable. */
  async connected<T>(use: (connection: Connection) => Promise<T>): Promise<T> {
    const until = performance.now() + patience
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.once(use)
      } catch (error) {
        if (!isRetryable(error)) throw isAway(error) ? unavailable(error) : error
        if (performance.now() > until) throw unavailable(error)
        await pause(attempt)
      }
    }
  }

  /** Runs with a connection, which is closed or rolled back after a failure. */
  async once<T>(use: (connection: Connection) => Promise<T>): Promise<T> {
    if (!this.#pool) await this.opened()
    const client = await this.#pool!.connect().catch((error: unknown) => {
      throw driverFault(error)
    })
    const connection = new Connection(client, this.#sessions)
    try {
      const result = await use(connection)
      connection.release(false)
      return result
    } catch (error) {
      // The state of a failed connection is unknown.
      connection.release(isAway(error) || !(await isRolledBack(connection)))
      throw error
    }
  }

  async opened(): Promise<void> {
    if (!this.#opening) throw unavailable()
    await this.#opening
  }

  /** One query is consistent by itself; several read the same snapshot. Queries that go together take one flight, transaction included. */
  read<T>(name: string, command: () => Command<T>): Promise<T> {
    return this.connected(async (connection) => {
      if (!this.#long.has(name)) {
        const running = command()
        const { done, value } = running.next()
        if (done) return value
        if ('steps' in value) {
          const next = running.next(await readAtOnce(connection, value.steps))
          if (next.done) return next.value
        }
        this.#long.add(name)
      }
      const begun = connection.begin(reading)
      const [result] = await Promise.all([toEnd(connection, command()), begun])
      await connection.query('commit')
      return result
    })
  }
}

async function readAtOnce(connection: Connection, steps: readonly Step[]): Promise<unknown[][]> {
  // The settings of its session are those of each statement too.
  if (steps.length === 1 && connection.hasSession) return send(connection, steps)
  const flight = [connection.begin(reading), send(connection, steps), connection.query('commit')] as const
  await Promise.allSettled(flight)
  const [, rows] = await Promise.all(flight)
  return rows
}

const isRolledBack = (connection: Connection): Promise<boolean> =>
  connection.query('rollback').then(
    () => true,
    () => false,
  )

export const pause = (attempt: number) =>
  new Promise((resolve) => setTimeout(resolve, randomInt(5, 10 * 2 ** Math.min(attempt, 5) + 10)))
