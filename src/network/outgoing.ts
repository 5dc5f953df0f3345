import { lookup } from 'node:dns'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Dispatcher } from 'undici'
import { Problem } from '../contract/index.ts'
import { outgoingSpan } from '../observability/tracing.ts'
import type { Outgoing, OutgoingAnswer, OutgoingCall } from '../world.ts'

const maxAnswer = 64 * 1024

/** An address that may not be called: not https, or one inside a private network. */
export class OutgoingRefused extends Error {
  override readonly name = 'OutgoingRefused'
  readonly code = 'OUTGOING_REFUSED'
}

export interface OutgoingOptions {
  /** Opens http and addresses of this machine, for development. */
  loopback: boolean
  /** Where this provider is reached: it does not call itself. */
  ownUrl?: () => string
  /** How names become addresses. Default: as the system does it. */
  resolve?: typeof lookup
}

/**
 * The one way out. https only, and every numeric address is checked when the connection is made, on every connection, so that
 * no name and no way of writing an address leads into a private network. Redirects are not followed.
 */
export function guardedOutgoing({ loopback, ownUrl, resolve = lookup }: OutgoingOptions): Outgoing {
  const isOwn = (url: URL): boolean => {
    const own = URL.parse(ownUrl?.() ?? '')
    // Beside a sandbox on this machine only the port tells them apart.
    return own !== null && (loopback ? url.host === own.host : nameOf(url) === nameOf(own))
  }

  function refuseUrl(text: string): string | undefined {
    const url = URL.parse(text)
    if (!url || (url.protocol !== 'https:' && !(loopback && url.protocol === 'http:')))
      return 'it is not https'
    if (url.username !== '' || url.password !== '') return 'it carries a user name'
    const host = nameOf(url)
    if (isIP(host) ? !isPublic(host, loopback) : !loopback && !isPublicName(host))
      return 'its host is not public'
    return isOwn(url) ? 'it is the address of this provider itself' : undefined
  }

  const guardedLookup: typeof lookup = ((host: string, options: object, done: Callback) => {
    resolve(host, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error)
      if (addresses.length === 0 || addresses.some(({ address }) => !isPublic(address, loopback)))
        return done(new OutgoingRefused('The address may not be called: its name leads to a private address'))
      if ((options as { all?: boolean }).all) return done(null, addresses)
      done(null, addresses[0]!.address, addresses[0]!.family)
    })
  }) as typeof lookup

  // undici takes 50 ms to load, and most processes that quote rates never call out.
  let loading: Promise<Undici> | undefined
  const undici = () => {
    loading ??= import('undici').then(({ Agent, buildConnector, fetch }) => {
      const connect = buildConnector({ lookup: guardedLookup, timeout: 5_000 })
      return {
        fetch,
        dispatcher: new Agent({
          connect(options, done) {
            // A literal address is never looked up.
            const host = options.hostname.replace(/^\[|\]$/g, '')
            if (isIP(host) && !isPublic(host, loopback)) {
              return done(new OutgoingRefused('The address may not be called: it is private'), null)
            }
            connect(options, done)
          },
          maxResponseSize: 16 * 1024 * 1024,
        }),
      }
    })
    return loading
  }

  const refuse = (url: string) => {
    const why = refuseUrl(url)
    if (why) throw new OutgoingRefused(`The address may not be called: ${why}`)
  }

  return {
    check(url) {
      if (refuseUrl(url)) throw new Problem('HOST_NOT_ALLOWED')
    },
    fetch: async (input, init) => {
      const request = input instanceof Request ? input : undefined
      const url = request?.url ?? String(input)
      refuse(url)
      const { fetch: undiciFetch, dispatcher } = await undici()
      // undici does not know the Request of the runtime.
      const { method, body, signal } = request ?? {}
      const asked = request && { method, body, signal, duplex: 'half' }
      const redirect = init?.redirect === 'error' ? 'error' : 'manual'
      return outgoingSpan(url, init?.method ?? method ?? 'GET', (trace) => {
        const headers = new Headers(init?.headers ?? request?.headers)
        // A trace that the adapter hands on by itself stays.
        if (!headers.has('traceparent'))
          for (const [name, value] of Object.entries(trace)) headers.set(name, value)
        const sent = { ...asked, ...init, headers: [...headers], redirect, dispatcher }
        return undiciFetch(url, sent as never) as never
      })
    },
    async send(call: OutgoingCall): Promise<OutgoingAnswer> {
      refuse(call.url)
      const { dispatcher } = await undici()
      return outgoingSpan(call.url, call.method, (trace) =>
        sendTo(dispatcher, { ...call, headers: { ...call.headers, ...trace } }),
      )
    },
  }
}

const nameOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')

/** Names without a dot, and those that lead into one's own network by their definition. */
const isPublicName = (host: string): boolean =>
  host.includes('.') && !/\.(localhost|local|localdomain|internal|home\.arpa)$/.test(host)

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/** Whether an address is one that everybody can reach. */
function isPublic(text: string, loopback: boolean): boolean {
  const address = ipaddr.process(text)
  const range = address.range()
  if (range === 'loopback') return loopback
  if (range !== 'unicast') return false
  // All else of IPv6 is not given out, or carries an IPv4 address inside.
  return address.kind() === 'ipv4' || address.match(globalUnicast)
}

/** Below undici's `request`: its streams and signals would cost more than the call. */
function sendTo(
  dispatcher: Dispatcher,
  { url, method, headers, body, timeout }: OutgoingCall,
): Promise<OutgoingAnswer> {
  return new Promise((resolve, reject) => {
    const { origin, pathname, search } = new URL(url)
    const answer = { status: 0, retryAfter: undefined as string | undefined }
    const chunks: Buffer[] = []
    let size = 0
    let over = false
    let connection: Dispatcher.DispatchController | undefined
    const end = (settle: () => void) => {
      if (over) return
      over = true
      clearTimeout(timer)
      settle()
    }
    const fail = (error: Error) => end(() => reject(error))
    const succeed = () =>
      end(() =>
        resolve({ ...answer, body: Buffer.concat(chunks).toString('utf8', 0, Math.min(size, maxAnswer)) }),
      )
    // One limit for all of it, so that a receiver that drips cannot keep us either.
    const timer = setTimeout(() => {
      const error = new Error(`no answer within ${timeout / 1000} s`)
      fail(error)
      connection?.abort(error)
    }, timeout)
    dispatcher.dispatch(
      { origin, path: `${pathname}${search}`, method: method as 'POST', headers, body },
      {
        onRequestStart(controller) {
          connection = controller
          if (over) controller.abort(new Error('too late'))
        },
        onResponseStart(_controller, status, { 'retry-after': retryAfter }) {
          answer.status = status
          answer.retryAfter = Array.isArray(retryAfter) ? retryAfter[0] : retryAfter
        },
        onResponseData(controller, chunk) {
          chunks.push(chunk)
          size += chunk.length
          if (size < maxAnswer) return
          succeed()
          // The connection ends with it: a receiver cannot keep us reading.
          controller.abort(new Error('more than is read of an answer'))
        },
        onResponseEnd: succeed,
        onResponseError: (_controller, error) => fail(error),
      },
    )
  })
}

type Callback = (error: Error | null, address?: unknown, family?: number) => void

interface Undici {
  fetch: typeof import('undici').fetch
  dispatcher: Dispatcher
}
