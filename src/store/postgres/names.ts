import { type LookupAddress, type LookupOptions, promises } from 'node:dns'
import { type LookupFunction, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** How long addresses are used without another lookup, in milliseconds: a database that moves is found soon. */
const freshFor = 5_000
/** How long a connection waits for a lookup if there are older addresses, in milliseconds. */
const patience = 500

/** Asks the system for all addresses of a name. Occupies one of the four threads that Node has for names and files until it settles. */
export type SystemLookup = (host: string, options: LookupOptions) => Promise<readonly LookupAddress[]>

interface Known {
  addresses: readonly LookupAddress[]
  until: number
  /** Whether the last lookup failed: nobody waits for the next one then. */
  failed: boolean
}

interface Asking {
  since: number
  found: Promise<readonly LookupAddress[]>
}

/**
 * The addresses of the database's host. The system finds them, so `/etc/hosts`, search domains and the names of containers count. All
 * connections share one lookup at a time: a silent name server occupies one thread of the process, for any number of connections. While a
 * lookup hangs or fails, the addresses of the last one stay in use. "No such name" is an answer, and drops them.
 */
export class DatabaseNames {
  readonly #lookup: SystemLookup
  readonly #now: () => number
  #known: Known | undefined
  #asking: Asking | undefined

  /** `now` is a monotonic clock in milliseconds. */
  constructor(
    lookup: SystemLookup = (host, options) => promises.lookup(host, { ...options, all: true }),
    now = () => performance.now(),
  ) {
    this.#lookup = lookup
    this.#now = now
  }

  /** The option `stream` of the driver: a socket that looks its host up here. A path or an address needs no lookup. */
  readonly stream = (): Socket => {
    const socket = new Socket()
    const connect = socket.connect.bind(socket) as (...to: unknown[]) => Socket
    const connectByName = (...to: unknown[]) => {
      const [port, host] = to
      if (typeof port !== 'number' || typeof host !== 'string') return connect(...to)
      // The host may have moved.
      const failed = () => {
        if (this.#known) this.#known.until = 0
      }
      socket.once('error', failed).once('connect', () => socket.off('error', failed))
      return connect({ port, host, lookup: this.lookup })
    }
    return Object.assign(socket, { connect: connectByName })
  }

  readonly lookup: LookupFunction = (host, options, done) => {
    this.#find(host, options).then(
      (found) => {
        const [first] = found
        if (options.all) done(null, [...found])
        else done(null, first?.address ?? '', first?.family)
      },
      (error: NodeJS.ErrnoException) => done(error, ''),
    )
  }

  async #find(host: string, options: LookupOptions): Promise<readonly LookupAddress[]> {
    const known = this.#known
    if (known && this.#now() < known.until) return known.addresses
    this.#asking ??= { since: this.#now(), found: this.#ask(host, options) }
    const { since, found } = this.#asking
    if (!known) return found
    const wait = known.failed ? 0 : Math.max(0, since + patience - this.#now())
    const current = found.catch((error: unknown) => {
      if (isUnknown(error)) throw error
      return known.addresses
    })
    return Promise.race([current, sleep(wait, known.addresses, { ref: false })])
  }

  async #ask(host: string, options: LookupOptions): Promise<readonly LookupAddress[]> {
    try {
      const addresses = await this.#lookup(host, options)
      this.#known = { addresses, until: this.#now() + freshFor, failed: false }
      return addresses
    } catch (error) {
      if (isUnknown(error)) this.#known = undefined
      else if (this.#known) this.#known.failed = true
      throw error
    } finally {
      this.#asking = undefined
    }
  }
}

/** The name servers say that there is no such name, or that it has no address. A failure of theirs is EAI_AGAIN or EAI_FAIL. */
const isUnknown = (error: unknown): boolean =>
  /^(ENOTFOUND|ENODATA)$/.test((error as { code?: string }).code ?? '')
