import { type RetryReason, StoreUnavailable } from '../connection.ts'
import type { Step } from '../query.ts'
import { readOnly, standsStill } from '../standstill.ts'
import { databaseOfAnother } from '../tables/migrate.ts'

/** The SQLSTATE of an error of the server. Errors of the socket and the driver have a `code` too, such as EPIPE, and no severity. */
export function sqlState(error: unknown): string | undefined {
  const { code, severity } = (error ?? {}) as { code?: unknown; severity?: unknown }
  return typeof severity === 'string' && typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)
    ? code
    : undefined
}

/** The connection failed or does not answer: any error of the driver that the server did not send. */
export class ConnectionLost extends Error {
  constructor(cause: unknown) {
    super('the connection to the PostgreSQL server failed', { cause })
  }
}

export const driverFault = (error: unknown): unknown =>
  sqlState(error) === undefined ? new ConnectionLost(error) : error

/** Another client holds a lock that a step waits for. */
export class Blocked extends Error {
  readonly code = '55P03'
  readonly severity = 'ERROR'
  readonly step: Step
  /** Without a `cause` if the lock was known and not waited for. */
  constructor(step: Step, cause?: unknown) {
    super('another client has locked a row', cause === undefined ? {} : { cause })
    this.step = step
  }
}

/**
 * A table has changed since a query was planned in this session, because a newer node has added to it. The server refuses that query there
 * for good; another session plans it anew.
 */
export const isPlannedBefore = (error: unknown): boolean =>
  sqlState(error) === '0A000' && (error as { routine?: string }).routine === 'RevalidateCachedQuery'

/** A statement that was prepared by name is not there, or another one is: a pool has given the connection another session. */
export const isLostName = (error: unknown): boolean => /^(26000|42P05)$/.test(sqlState(error) ?? '')

/** Why the same command may be tried again, whether no command can be carried out now, and the SQLSTATEs and classes of this kind. */
type Kind = readonly [retry: RetryReason | undefined, isAway: boolean, states: string]
/** The connection is gone, the server ends it, or it is of no more use. */
const lost: Kind = ['connection', true, '08 25P03 25P04 26000 42P05 57P01 57P02 57P03 57P04 57P05']
/** Errors of the server that do not blame the command. */
const kinds: readonly Kind[] = [
  lost,
  ['connection', true, '53300'],
  ['lock', true, '57014'],
  ['lock', false, '55P03'],
  ['conflict', false, '40001 40P01'],
  // It is full, demoted, closed to us or without its tables, or the reason is not known (25P02): another try does not help.
  [undefined, true, `${readOnly} 25P02 28 3D 42501 42P01 53 55000 57 58 XX`],
]
export const kindByState = new Map(
  kinds.flatMap((kind) => kind[2].split(' ').map((state) => [state, kind] as const)),
)

function kindOf(error: unknown): Kind | undefined {
  if (error instanceof ConnectionLost || isPlannedBefore(error)) return lost
  const state = sqlState(error) ?? ''
  return kindByState.get(state) ?? kindByState.get(state.slice(0, 2))
}

export const isConnectionFault = (error: unknown): boolean => kindOf(error) === lost
export const retryReason = (error: unknown): RetryReason | undefined => kindOf(error)?.[0]
export const isRetryable = (error: unknown): boolean => retryReason(error) !== undefined
export const isAway = (error: unknown): boolean => kindOf(error)?.[1] === true

/** PostgreSQL's answer to every query after a failed one. */
export const isAfterAnother = (error: unknown): boolean => sqlState(error) === '25P02'

export const isLocked = (error: unknown): boolean => sqlState(error) === '55P03'

export const readOnlyServer =
  'The database accepts no writes: it is read-only, or a standby. Name the primary.'

export const unavailable = (cause?: unknown): StoreUnavailable => {
  const why = sqlState(cause) === readOnly ? readOnlyServer : 'The PostgreSQL server cannot be used now.'
  return standsStill(cause) ?? new StoreUnavailable(why, { cause })
}

const startFaults: Record<string, string> = {
  '28P01': 'The PostgreSQL server refuses the password. Check PURVEYOR_DATABASE_URL.',
  '28000':
    'The PostgreSQL server refuses the user. Check PURVEYOR_DATABASE_URL, that the role may log in, and pg_hba.conf.',
  '3D000': 'There is no such database on the PostgreSQL server. Create it, or check PURVEYOR_DATABASE_URL.',
  '57014':
    'Another process has locked the tables, or updating them takes too long. Try again with one node first.',
  '42501':
    'The user may not create tables in the database. Run: grant create on schema public to ..., and make the user the owner of the existing tables.',
  '42P07': databaseOfAnother,
  '42703': databaseOfAnother,
  '53300':
    'The PostgreSQL server accepts no more connections. Raise max_connections, or run fewer processes.',
  '57P03': 'The PostgreSQL server is starting or stopping. Try again in a moment.',
  [readOnly]: readOnlyServer,
  ERR_INVALID_URL:
    'PURVEYOR_DATABASE_URL cannot be read. Check the port, and encode special characters of a password, such as %40 for @ and %23 for #.',
}

export const startError = (error: unknown): StoreUnavailable =>
  error instanceof StoreUnavailable ? error : new StoreUnavailable(startFault(error), { cause: error })

/** Node names the file where it cannot be opened, and a folder never. */
function certificateFault(code: string | undefined, path: string | undefined): string {
  if (code === 'EISDIR') return 'A certificate file named in PURVEYOR_DATABASE_URL is a folder'
  const file = path === undefined ? 'A certificate file' : `The certificate file ${path}`
  const reason = code === 'ENOENT' ? 'is not there' : `cannot be read (${code})`
  return `${file} named in PURVEYOR_DATABASE_URL ${reason}`
}

function startFault(error: unknown): string {
  const { code, syscall, path, message = '' } = (error ?? {}) as Partial<NodeJS.ErrnoException>
  const known = startFaults[code ?? '']
  if (known !== undefined) return known
  if (code === '08P01')
    return `The pool in front of the PostgreSQL server refuses the connection: ${message}. Check its databases, users and limits.`
  if (/password must be a (non-empty )?string/.test(message))
    return 'The PostgreSQL server asks for a password, and PURVEYOR_DATABASE_URL has none. Add it to the address.'
  if (/does not support SSL/.test(message))
    return 'The PostgreSQL server has no TLS. Give it a certificate. If the network is private, you can add ?sslmode=disable to PURVEYOR_DATABASE_URL instead.'
  if (/CERT|ALTNAME|ISSUER/.test(code ?? ''))
    return `The certificate of the PostgreSQL server does not prove who it is (${code}). In PURVEYOR_DATABASE_URL, name the host as in the certificate, and its authority with &sslrootcert=.`
  if (syscall === 'open' || code === 'EISDIR')
    return `${certificateFault(code, path)}. Check sslrootcert, sslcert and sslkey.`
  if (/^ERR_OSSL_/.test(code ?? ''))
    return `A certificate file named in PURVEYOR_DATABASE_URL holds no certificate or key as PEM text (${code}). Check sslrootcert, sslcert and sslkey.`
  if (sqlState(error) !== undefined)
    return `The PostgreSQL server refuses a step of the start: ${message} (${code}). Check the rights of the user, and that the database is the provider's own.`
  const why = typeof code === 'string' ? ` (${code})` : ''
  return `The PostgreSQL server cannot be reached${why}. Check PURVEYOR_DATABASE_URL, and that it runs.`
}
