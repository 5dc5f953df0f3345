import { Resolver } from 'node:dns/promises'

export interface NameRecord {
  address: string
  /** In seconds. */
  ttl: number
}

/** Asks for the addresses of one family. Rejects with the `code` of `node:dns`. */
export type AskFamily = (name: string, family: 4 | 6) => Promise<readonly NameRecord[]>

/** The limit of the first try, in milliseconds. The second waits twice as long. */
const firstTry = 700
const tries = 2
/** The most queries in one turn of the event loop: a burst would overrun the buffer of a name server's socket and lose good names too. */
const perTurn = 32
/** In milliseconds. The system's name servers may change while the process runs. */
const serversKeptFor = 30_000

/**
 * Asks name servers through sockets of its own. `dns.lookup` would occupy one of the four threads that the process has for all names and
 * files. Asks for the exact name: search domains and `ndots` of the system are not applied.
 */
export class NameServers {
  readonly #servers: readonly string[] | undefined
  #resolver: Resolver | undefined
  #until = 0
  #asked = 0
  #nextTurn: Promise<void> | undefined

  /** `servers` are addresses, with a port if it is not 53. Default: those of the system. */
  constructor(servers: readonly string[] | undefined) {
    this.#servers = servers
  }

  readonly ask: AskFamily = async (name, family) => {
    await this.#turn()
    const resolver = this.#current()
    return family === 4 ? resolver.resolve4(name, { ttl: true }) : resolver.resolve6(name, { ttl: true })
  }

  async #turn(): Promise<void> {
    while (this.#asked >= perTurn) await this.#nextTurn
    this.#asked++
    this.#nextTurn ??= new Promise((resolve) => {
      setImmediate(() => {
        this.#asked = 0
        this.#nextTurn = undefined
        resolve()
      })
    })
  }

  #current(): Resolver {
    const now = performance.now()
    if (this.#resolver && now < this.#until) return this.#resolver
    this.#resolver = new Resolver({ timeout: firstTry, tries })
    if (this.#servers) this.#resolver.setServers(this.#servers)
    this.#until = now + serversKeptFor
    return this.#resolver
  }
}
