import type { LookupAddress, lookup } from 'node:dns'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { after, type LookupKind, type LookupOutcome, type World } from '../../world.ts'
import { isLoopbackHost } from '../private-network.ts'
import { type AskFamily, askBothFamilies, NameServers } from './name-server.ts'
import { Resolver } from './resolver.ts'

const systemFile = process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts'
/** In milliseconds. */
const lookEvery = 5_000

/** The names of this machine's `/etc/hosts`. A change is seen within 5 s. Reading takes no thread of the process: other code may hold them all. */
export class HostsFile {
  readonly #file: string
  #names: ReadonlyMap<string, readonly LookupAddress[]> = new Map()
  #lookAt = 0

  constructor(file = systemFile) {
    this.#file = file
  }

  /** `name` is in lower case. */
  addressesOf(name: string): readonly LookupAddress[] | undefined {
    const now = performance.now()
    if (now >= this.#lookAt) {
      this.#lookAt = now + lookEvery
      this.#read()
    }
    return this.#names.get(name)
  }

  #read(): void {
    try {
      this.#names = namesIn(readFileSync(this.#file, 'utf8'))
    } catch {
      // Without the file there are no names. If it cannot be read for a moment, the old names stay.
    }
  }
}

/** Lines of an address and its names; `#` begins a comment. */
export function namesIn(text: string): Map<string, LookupAddress[]> {
  const names = new Map<string, LookupAddress[]>()
  for (const line of text.split('\n')) {
    const [address = '', ...named] = line.replace(/#.*/, '').trim().split(/\s+/)
    const family = isIP(address)
    if (family === 0) continue
    for (const name of named.map((one) => one.toLowerCase().replace(/\.$/, '')))
      names.set(name, [...(names.get(name) ?? []), { address, family }])
  }
  return names
}

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
 * Resolves host names: `localhost` is this machine, `/etc/hosts` comes next, then the name servers. Each kind of caller has answers and
 * turns of its own, so that hanging names delay no other kind.
 */
export class Names {
  readonly #options: NamesOptions
  readonly #hosts: HostsFile
  readonly #servers: NameServers
  readonly #resolvers = new Map<LookupKind, Resolver>()

  constructor(options: NamesOptions) {
    this.#options = options
    this.#hosts = new HostsFile(options.hostsFile)
    this.#servers = new NameServers(options.nameServers)
  }

  /**
   * Resolves a name ahead of its call, when its caller has its turn. Returns `undefined` if there is nothing to wait for. Rejects with a
   * `NAME_NOT_FOUND`, `NAME_SERVER_FAILED` or `NAME_LOOKUPS_FULL`.
   */
  ready(kind: LookupKind, host: string, asker: string): Promise<unknown> | undefined {
    if (isIP(host) || this.#resolver(kind).isFresh(host)) return undefined
    return this.#find(kind, host, asker)
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

  async #find(kind: LookupKind, host: string, asker: string | undefined): Promise<readonly LookupAddress[]> {
    const name = host.toLowerCase().replace(/\.$/, '')
    if (isLoopbackHost(name)) return thisMachine
    return this.#hosts.addressesOf(name) ?? this.#resolver(kind).find(name, asker)
  }

  #resolver(kind: LookupKind): Resolver {
    const known = this.#resolvers.get(kind)
    if (known) return known
    const { lookedUp, askFamily, monotonic, after: wait = after } = this.#options
    const made = new Resolver({
      ask: (name) => (askFamily ? askBothFamilies(askFamily, name, wait) : this.#servers.find(name, wait)),
      now: monotonic ?? (() => performance.now()),
      after: wait,
      seen: (outcome) => lookedUp?.(kind, outcome),
    })
    this.#resolvers.set(kind, made)
    return made
  }
}
