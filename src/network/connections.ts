import type { lookup } from 'node:dns'
import { isIP } from 'node:net'
import type { buildConnector, Dispatcher } from 'undici'
import { PurveyorError } from '../errors/errors.ts'
import type { MaybePromise } from '../world.ts'
import { isPublic, nameOfPlace, type Place, PrivateNetwork, placeOf } from './private-network.ts'

/** The call is not made: the address is not https, or inside a private network. */
export const outgoingRefused = (why: string): PurveyorError =>
  new PurveyorError('OUTGOING_REFUSED', `The address may not be called: ${why}`)

/** Opens nothing: for addresses from a caller, and for adapters without `network.allow`. */
export const everybody = new PrivateNetwork([])

type Connector = ReturnType<typeof buildConnector>
type Callback = (error: Error | null, address?: unknown, family?: number) => void

/** The connections of callers with the same permissions. Each numeric address is checked, and exactly that one is connected to. */
export class Way {
  readonly network: PrivateNetwork
  readonly maxAnswer: number
  readonly #options: { loopback: boolean; resolve: typeof lookup }
  readonly #connectors = new Map<string, Connector>()
  #dispatcher: MaybePromise<Dispatcher> | undefined

  constructor(
    options: { loopback: boolean; resolve: typeof lookup },
    maxAnswer: number,
    allow: readonly string[],
  ) {
    this.#options = options
    this.maxAnswer = maxAnswer
    this.network = allow.length === 0 ? everybody : new PrivateNetwork(allow)
  }

  /** At the first call it is loaded. */
  dispatcher(): MaybePromise<Dispatcher> {
    if (this.#dispatcher) return this.#dispatcher
    const connecting = this.#connect().then((made) => {
      // It may have been closed meanwhile.
      if (this.#dispatcher === connecting) this.#dispatcher = made
      return made
    })
    this.#dispatcher = connecting
    return connecting
  }

  /** Closes idle connections, and the others after their call. A later call opens new ones. */
  async close(): Promise<void> {
    const made = this.#dispatcher
    this.#dispatcher = undefined
    const dispatcher = await made
    // A call that has begun has its dispatcher, or waits for it, and uses it within this turn.
    setImmediate(() => void dispatcher?.close())
  }

  async #connect(): Promise<Dispatcher> {
    const { Agent, buildConnector } = await import('undici')
    return new Agent({
      connect: (options, done) => {
        const place = placeOf(options.protocol, options.hostname, options.port)
        // A literal address is never looked up.
        if (isIP(place.host) && !this.#allows(place.host, place)) {
          return done(outgoingRefused('it is private'), null)
        }
        this.#connector(place, buildConnector)(options, done)
      },
      // Counts bytes on the wire: a longer answer is stopped before it is decoded.
      maxResponseSize: this.maxAnswer,
    })
  }

  /** One agent for each host and port that an entry names, and one for all others. */
  #connector(place: Place, build: typeof buildConnector): Connector {
    const key = this.network.names(place) ? nameOfPlace(place) : place.protocol
    const known =
      this.#connectors.get(key) ?? build({ lookup: this.#lookup(place) as typeof lookup, timeout: 5_000 })
    this.#connectors.set(key, known)
    return known
  }

  #lookup(place: Place) {
    const { resolve } = this.#options
    return (host: string, options: object, done: Callback) => {
      resolve(host, { ...options, all: true }, (error, addresses) => {
        if (error) return done(error)
        if (addresses.length === 0 || addresses.some(({ address }) => !this.#allows(address, place)))
          return done(outgoingRefused('its name leads to a private address'))
        if ((options as { all?: boolean }).all) return done(null, addresses)
        done(null, addresses[0]!.address, addresses[0]!.family)
      })
    }
  }

  #allows(address: string, place: Place): boolean {
    const { loopback } = this.#options
    // An http entry leads to private addresses only, except in development.
    if ((loopback || !this.network.names(place)) && isPublic(address, loopback)) return true
    return this.network.allows(address, place)
  }
}
