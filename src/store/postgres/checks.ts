import { hostname } from 'node:os'
import type { ClientBase } from 'pg'
import { isLoopbackHost } from '../../network/private-network.ts'
import { StoreUnavailable } from '../connection.ts'
import { readOnlyServer } from './errors.ts'

interface Connecting {
  host: string
  ssl: unknown
}

const modes = ['verify-full', 'verify-ca', 'require', 'prefer', 'no-verify', 'disable']

/**
 * Throws a `StoreUnavailable` for an address whose passwords and rows would cross a network unencrypted: any but this machine and a socket,
 * unless it says `?sslmode=disable`; and for an unknown `sslmode`. `ssl` is the driver's reading of the address and `PGSSLMODE`; it never falls back to an unencrypted
 * connection.
 */
export function checkEncryption(url: string, { host, ssl }: Connecting): void {
  const mode = URL.parse(url)?.searchParams.getAll('sslmode').at(-1)
  if (mode && !modes.includes(mode)) {
    throw new StoreUnavailable(
      `sslmode=${mode} in PURVEYOR_DATABASE_URL is not a mode. Write verify-full, no-verify or disable.`,
    )
  }
  if (ssl || host.startsWith('/') || isLoopbackHost(host)) return
  if (mode === 'disable') return
  throw new StoreUnavailable(
    `The connection to PostgreSQL on ${host} would not be encrypted. Add ?sslmode=verify-full to PURVEYOR_DATABASE_URL, with &sslrootcert= and a file for your own certificate authority. If the network is private, you can add ?sslmode=disable instead.`,
  )
}

interface Limits extends Record<'server' | 'role' | 'database', number> {
  has_nodes: boolean
}

/** `reserved_connections` is of version 16. */
const limitsOf = `select rolconnlimit as role, datconnlimit as database,
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
      - coalesce(current_setting('reserved_connections', true), '0')::int as server,
    to_regclass('nodes') is not null as has_nodes
  from pg_database, pg_roles where datname = current_database() and rolname = current_user`

/** A node that was noted within the last minute runs. */
const seenNodes = `select host, pid from nodes
  where seen_at >= extract(epoch from clock_timestamp()) * 1000 - 60000`

interface SeenNode {
  host: string
  pid: number
}

/** A process of this machine that has ended is none: the worker that replaces it starts at once. */
function mayRun({ host, pid }: SeenNode): boolean {
  if (host !== hostname()) return true
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

/**
 * Rejects with a `StoreUnavailable` if the server takes fewer connections than one node more needs beside those that run: each may open so many
 * at a time. A pool has limits of its own, and lets them wait.
 */
export async function checkLimits(client: Pick<ClientBase, 'query'>, connections: number): Promise<void> {
  const { rows } = await client.query<Limits>(limitsOf)
  const { server, role, database, has_nodes } = rows[0]!
  const seen = has_nodes ? (await client.query<SeenNode>(seenNodes)).rows : []
  const nodes = seen.filter(mayRun).length + 1
  const limits = [
    [server, 'max_connections, without those for superusers,'],
    [role, 'the connection limit of the user'],
    [database, 'the connection limit of the database'],
  ] as const
  for (const [limit, name] of limits) {
    if (limit < 0 || limit >= nodes * connections) continue
    const each = nodes === 1 ? 'a node needs' : `${nodes} nodes with ${connections} each need`
    throw new StoreUnavailable(
      `The PostgreSQL server takes too few connections: ${name} is ${limit}, and ${each} ${nodes * connections}. Raise it, run fewer nodes, put a pool in front, or set connections of postgresStore. A node that was killed on another machine counts for one minute more.`,
    )
  }
}

/** The oldest server version whose transactions can be looked up by id. */
const oldestServer = 130_000

interface ServerFacts {
  version: string
  sync: string
  fsync: string
  readonly: string
  pid: number
}

/**
 * Rejects with a `StoreUnavailable` if the server is too old, accepts no writes, or acknowledges commits that are not on disk. Resolves with the
 * number of the server's process that has answered.
 */
export async function checkServer(client: Pick<ClientBase, 'query'>): Promise<number> {
  const { rows } = await client.query<ServerFacts>(
    `select pg_backend_pid() as pid, current_setting('server_version_num') as version,
      current_setting('synchronous_commit') as sync, current_setting('fsync') as fsync,
      current_setting('transaction_read_only') as readonly`,
  )
  const { version, sync, fsync, readonly, pid } = rows[0]!
  if (Number(version) < oldestServer) {
    throw new StoreUnavailable(
      `The PostgreSQL server is older than version 13 (${version}). Run a newer one.`,
    )
  }
  // Of a standby too.
  if (readonly === 'on') throw new StoreUnavailable(readOnlyServer)
  if (sync === 'off' || fsync === 'off') {
    throw new StoreUnavailable(
      'The PostgreSQL server acknowledges commits before they are on disk. Set synchronous_commit and fsync to on.',
    )
  }
  return pid
}
