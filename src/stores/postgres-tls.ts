import { isLoopbackHost } from '../network/loopback.ts'
import { StoreUnavailable } from '../store.ts'

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
