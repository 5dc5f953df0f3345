import { isLoopbackHost } from '../network/loopback.ts'
import { StoreUnavailable } from '../store.ts'

/** Where the driver would connect to, and how. */
interface Connecting {
  host: string
  ssl: unknown
}

/**
 * Throws a `StoreUnavailable` for an address whose passwords and rows would cross a network in the clear: any but this machine and a
 * socket, unless `?sslmode=disable` is written out. `ssl` is what the driver makes of the address and of `PGSSLMODE`: it never falls
 * back to a connection in the clear.
 */
export function checkEncryption(url: string, { host, ssl }: Connecting): void {
  if (ssl || host.startsWith('/') || isLoopbackHost(host)) return
  if (URL.parse(url)?.searchParams.getAll('sslmode').at(-1) === 'disable') return
  throw new StoreUnavailable(
    `The connection to PostgreSQL on ${host} would not be encrypted. Add ?sslmode=verify-full to PURVEYOR_DATABASE_URL, with &sslrootcert= and a file for a certificate authority of your own; or ?sslmode=disable where nobody else is on the network between.`,
  )
}
