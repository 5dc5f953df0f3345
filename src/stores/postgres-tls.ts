import { isLoopbackHost } from '../network/loopback.ts'
import { StoreUnavailable } from '../store.ts'

interface Connecting {
  host: string
  ssl: unknown
}

/**
 * Throws a `StoreUnavailable` for an address whose passwords and rows would cross a network unencrypted: any but this machine and a socket,
 * unless it says `?sslmode=disable`. `ssl` is the driver's reading of the address and `PGSSLMODE`; it never falls back to an unencrypted
 * connection.
 */
export function checkEncryption(url: string, { host, ssl }: Connecting): void {
  if (ssl || host.startsWith('/') || isLoopbackHost(host)) return
  if (URL.parse(url)?.searchParams.getAll('sslmode').at(-1) === 'disable') return
  throw new StoreUnavailable(
    `The connection to PostgreSQL on ${host} would not be encrypted. Add ?sslmode=verify-full to PURVEYOR_DATABASE_URL, with &sslrootcert= and a file for your own certificate authority. If the network is private, you can add ?sslmode=disable instead.`,
  )
}
