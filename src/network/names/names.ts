import type { LookupAddress, lookup } from 'node:dns'
import { isIP } from 'node:net'
import type { LookupKind, LookupOutcome, World } from '../../world.ts'
import { isLoopbackHost } from '../private-network.ts'
import { after } from '../timers.ts'
import { HostsFile } from './hosts-file.ts'
import { type AskFamily, NameServers } from './name-server.ts'
import { Resolver } from './resolver.ts'

export interface NamesOptions {
  /** Addresses of name servers, with a port if it is not 53. Default: those of the system. */
  nameServers?: readonly string[] | undefined
  hostsFile?: string
  /** Looks up one family of one name. Default: the name servers. */
  askFamily?: AskFamily
  /** A monotonic clock, in milliseconds. */
  monotonic?: () => number
  after?: World['after']
  lookedUp?: (kind: LookupKind, outcome: LookupOutcome) => void
}

const thisMachine: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

/**
 * Resolves host names: `localhost` is this machine, `/etc/hosts` comes next, then the name servers. Each kind of caller has answers, lanes
 * and sockets of its own, so that hanging names delay no other kind.
 */
export class Names {
  readonly #options: NamesOptions
  readonly #hosts: HostsFile
  readonly #resolvers = new Map<LookupKind, Resolver>()

  constructor(options: NamesOptions) {
    this.#options = options
    this.#hosts = new HostsFile(options.hostsFile)
  }

  /**
   * Resolves a name ahead of its call, in the lane of the caller. Returns `undefined` if there is nothing to wait for. Rejects with a
   * `NAME_NOT_FOUND`, `NAME_SERVER_FAILED` or `NAME_LOOKUPS_FULL`.
   */
  ready(kind: LookupKind, host: string, lane: string): Promise<unknown> | undefined {
    if (isIP(host) || this.#resolver(kind).isFresh(host)) return undefined
    return this.#find(kind, host, lane)
  }

  /** The `lookup` function of a connection. */
  lookup(kind: LookupKind): typeof lookup {
    const find = (host: string, options: object, done: (error: Error | null, found?: unknown) => void) => {
      const { family } = options as { family?: number | string }
      const only = Number(String(family ?? 0).replace('IPv', ''))
      this.#find(kind, host, undefined).then(
        (found) => done(null, only ? found.filter((one) => one.family === only) : found),
        (error: Error) => done(error),
      )
    }
    return find as typeof lookup
  }

  async #find(kind: LookupKind, host: string, lane: string | undefined): Promise<readonly LookupAddress[]> {
    const name = host.toLowerCase().replace(/\.$/, '')
    if (isLoopbackHost(name)) return thisMachine
    return (await this.#hosts.addressesOf(name)) ?? this.#resolver(kind).find(name, lane)
  }

  #resolver(kind: LookupKind): Resolver {
    const known = this.#resolvers.get(kind)
    if (known) return known
    const { lookedUp, askFamily, monotonic, nameServers } = this.#options
    const made = new Resolver({
      ask: askFamily ?? new NameServers(nameServers).ask,
      now: monotonic ?? (() => performance.now()),
      after: this.#options.after ?? after,
      seen: (outcome) => lookedUp?.(kind, outcome),
    })
    this.#resolvers.set(kind, made)
    return made
  }
}
