import type { lookup } from 'node:dns'
import { isIP } from 'node:net'
import { Problem } from '../contract/index.ts'
import { hasCode, outgoingCodes, type PurveyorError } from '../errors/errors.ts'
import type { RefusalCode } from '../errors/refusals.ts'
import { outgoingSpan } from '../tracing.ts'
import {
  isPromise,
  type LookupKind,
  type Outgoing,
  type OutgoingAnswer,
  type OutgoingCall,
  type OutgoingCaller,
  orAborted,
} from '../world.ts'
import { everybody, outgoingRefused, Way } from './connections.ts'
import { defaultMaxAnswer, isTooLong, limitAnswer, tooLarge } from './limited-answer.ts'
import { Names, type NamesOptions } from './names/names.ts'
import { isUnresolved } from './names/resolver.ts'
import { isPublic, isPublicName, nameOf, type PrivateNetwork, placeOf } from './private-network.ts'
import { sendTo } from './send.ts'

export interface OutgoingOptions extends NamesOptions {
  /** Allows http and addresses of this machine, for development. */
  loopback: boolean
  /** The address of this provider, which it does not call itself. */
  ownUrl?: () => string
  /** Shared with other networks. Default: names of its own. */
  names?: Names
  /** The `lookup` of connections. Default: `names`. */
  resolve?: typeof lookup
  /** Called for every refused call, and every answer that is not read to its end. */
  refused?: (code: RefusalCode, about: RefusedCall) => void
}

interface RefusedCall {
  /** The adapter or option of the call. */
  caller: string | undefined
  shop: string | undefined
  /** The host without an address. */
  host?: string | undefined
}

/** All outgoing calls: https, no redirects. Each connection checks its numeric address: no name leads into a private network. */
export const guardedOutgoing = (options: OutgoingOptions): Outgoing => {
  const guard = new Guard(options)
  return {
    check: (url) => guard.check(url),
    fetch: (input, init, caller) => guard.fetch(input, init, caller),
    send: (call) => guard.send(call),
    close: () => guard.close(),
  }
}

class Guard implements Outgoing {
  readonly #options: OutgoingOptions
  /** Keyed by the permissions of the caller, so that connections are never shared across them. */
  readonly #ways = new Map<string, Way>()
  /** The one of webhooks. */
  #toReceivers: Way | undefined
  readonly #names: Names
  constructor(options: OutgoingOptions) {
    this.#options = options
    this.#names = options.names ?? new Names(options)
  }

  check(url: string): void {
    if (this.#faultOf(URL.parse(url), everybody)) throw new Problem('HOST_NOT_ALLOWED')
  }

  fetch(...[input, init, caller]: Parameters<Outgoing['fetch']>): Promise<Response> {
    const about = { caller: caller?.name, shop: caller?.shop }
    const refused = (error: PurveyorError) => this.#refused(error, about)
    return this.#fetch(input, init, caller, refused).catch((error: unknown) => {
      const ours = refusalIn(error)
      if (ours) refused(ours)
      throw ours ?? error
    })
  }

  async #fetch(
    input: string | URL | Request,
    init: RequestInit | undefined,
    caller: OutgoingCaller | undefined,
    refused: (error: PurveyorError) => void,
  ): Promise<Response> {
    const request = input instanceof Request ? input : undefined
    const url = request?.url ?? String(input)
    const way = this.#wayOf(caller)
    const to = this.#allowed(url, way.network)
    const named = this.#namesReady(to, caller?.kind ?? 'other', `${caller?.name} ${caller?.shop}`)
    if (named) await orAborted(named, init?.signal ?? request?.signal)
    const dispatcher = await way.dispatcher()
    const limit = way.maxAnswer
    // undici takes 50 ms to load, and most processes that quote rates never call out.
    const undici = await import('undici')
    // undici does not know the Request of the runtime.
    const { method, body, signal } = request ?? {}
    const asked = request && { method, body, signal, duplex: 'half' }
    const redirect = init?.redirect === 'error' ? 'error' : 'manual'
    return outgoingSpan(url, init?.method ?? method ?? 'GET', async (trace) => {
      const headers = new Headers(init?.headers ?? request?.headers)
      // A trace header of the adapter's own stays.
      if (!headers.has('traceparent'))
        for (const [name, value] of Object.entries(trace ?? {})) headers.set(name, value)
      const sent = { ...asked, ...init, headers: [...headers], redirect, dispatcher }
      const answer = await undici.fetch(url, sent as never).catch((error: unknown) => {
        throw isTooLong(error) ? tooLarge(limit) : error
      })
      return limitAnswer(answer, limit, refused, undici.Response) as never
    })
  }

  async send(call: OutgoingCall): Promise<OutgoingAnswer> {
    try {
      const to = this.#allowed(call.url, everybody)
      const named = this.#namesReady(to, 'receivers', call.shop ?? '')
      const waited = named ? await msOf(named) : 0
      this.#toReceivers ??= this.#wayOf(receivers)
      const found = this.#toReceivers.dispatcher()
      const dispatcher = isPromise(found) ? await found : found
      return await outgoingSpan(call.url, call.method, (trace) =>
        sendTo(dispatcher, to, call, { waited, trace }),
      )
    } catch (error) {
      const ours = refusalIn(error)
      if (ours) this.#refused(ours, { caller: 'webhook_url', shop: call.shop })
      throw error
    }
  }

  close(): void {
    for (const way of this.#ways.values()) void way.close().catch(() => {})
  }

  #refused(error: PurveyorError, about: RefusedCall): void {
    const host = isUnresolved(error) ? { host: error.place } : {}
    if (hasCode(error, ...outgoingCodes)) this.#options.refused?.(error.code, { ...about, ...host })
  }

  /** Resolves the host at the turn of its caller, before the connection is made. */
  #namesReady(url: URL, kind: LookupKind, asker: string): Promise<unknown> | undefined {
    return this.#options.resolve ? undefined : this.#names.ready(kind, nameOf(url), asker)
  }

  /** The address, read once: every part of a URL is read anew. Throws `OUTGOING_REFUSED`. */
  #allowed(text: string, network: PrivateNetwork): URL {
    const url = URL.parse(text)
    const why = this.#faultOf(url, network)
    if (why !== undefined || !url) throw outgoingRefused(why ?? 'it is not https')
    return url
  }

  #faultOf(url: URL | null, network: PrivateNetwork): string | undefined {
    if (!url) return 'it is not https'
    if (url.username !== '' || url.password !== '') return 'it carries a user name'
    return (
      this.#faultOfOrigin(url, network) ??
      (this.#isOwn(url) ? 'it is the address of this provider itself' : undefined)
    )
  }

  /** The fault of an address without its path. Each connection checks the number behind a name. */
  #faultOfOrigin(url: URL, network: PrivateNetwork): string | undefined {
    const { loopback } = this.#options
    const host = nameOf(url)
    const opened = network !== everybody && network.mayTry(placeOf(url.protocol, host, url.port))
    if (url.protocol !== 'https:' && !opened && !(loopback && url.protocol === 'http:'))
      return 'it is not https'
    if (!opened && (isIP(host) ? !isPublic(host, loopback) : !loopback && !isPublicName(host)))
      return 'its host is not public'
    return undefined
  }

  #isOwn(url: URL): boolean {
    const { ownUrl, loopback } = this.#options
    const own = URL.parse(ownUrl?.() ?? '')
    // Beside a sandbox on this machine only the port distinguishes them.
    return own !== null && (loopback ? url.host === own.host : nameOf(url) === nameOf(own))
  }

  #wayOf({ kind = 'other', network = {} }: Partial<OutgoingCaller> = {}): Way {
    const { maxAnswer = defaultMaxAnswer, allow = [] } = network
    const key = [kind, maxAnswer, ...allow].join(' ')
    const known = this.#ways.get(key)
    if (known) return known
    const { loopback, resolve = this.#names.lookup(kind) } = this.#options
    const made = new Way({ loopback, resolve }, maxAnswer, allow)
    this.#ways.set(key, made)
    return made
  }
}

const receivers = { kind: 'receivers' } as const

/** The refusal that made a call fail: undici keeps it as the `cause`. */
function refusalIn(error: unknown): PurveyorError | undefined {
  for (const one of [error, (error as Error | undefined)?.cause])
    if (hasCode(one, ...outgoingCodes)) return one
  return undefined
}

async function msOf(work: Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work
  return performance.now() - started
}
