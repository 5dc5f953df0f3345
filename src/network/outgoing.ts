import { lookup } from 'node:dns'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Dispatcher } from 'undici'
import { Problem } from '../contract/index.ts'
import type { Outgoing, OutgoingAnswer, OutgoingCall } from '../world.ts'

const maxAnswer = 64 * 1024

/** An address that may not be called: not https, or one inside a private network. */
export class OutgoingRefused extends Error {
  override readonly name = 'OutgoingRefused'
  readonly code = 'OUTGOING_REFUSED'
}

/**
 * The one way out. https only, and the numeric address is checked when the connection is made, on every connection, so that
 * no name can lead into a private network. Development opens http and loopback, nothing else. Redirects are not followed.
 */
export function guardedOutgoing({ development }: { development: boolean }): Outgoing {
  const allowed = (address: string) => {
    const range = ipaddr.process(address).range()
    return range === 'unicast' || (development && range === 'loopback')
  }

  function refuseUrl(text: string): string | undefined {
    const url = URL.parse(text)
    if (!url || (url.protocol !== 'https:' && !(development && url.protocol === 'http:')))
      return 'it is not https'
    const host = url.hostname.replace(/^\[|\]$/g, '')
    if (isIP(host) ? !allowed(host) : !development && !host.includes('.')) return 'its host is not public'
    return undefined
  }

  const guardedLookup: typeof lookup = ((host: string, options: object, done: Callback) => {
    lookup(host, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error)
      const inside = addresses.some(({ address }) => !allowed(address))
      if (inside)
        return done(new OutgoingRefused('The address may not be called: its name leads to a private address'))
      if ((options as { all?: boolean }).all) return done(null, addresses)
      done(null, addresses[0]!.address, addresses[0]!.family)
    })
  }) as typeof lookup

  // undici takes 50 ms to load, and most processes that quote rates never call out.
  let loading: Promise<Undici> | undefined
  const undici = () => {
    loading ??= import('undici').then(({ Agent, fetch }) => ({
      fetch,
      dispatcher: new Agent({
        connect: { lookup: guardedLookup, timeout: 5_000 },
        maxResponseSize: 16 * 1024 * 1024,
      }),
    }))
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
      refuse(input instanceof Request ? input.url : String(input))
      const { fetch: undiciFetch, dispatcher } = await undici()
      return undiciFetch(input as string, { redirect: 'manual', ...init, dispatcher } as never) as never
    },
    async send(call: OutgoingCall): Promise<OutgoingAnswer> {
      refuse(call.url)
      const { dispatcher } = await undici()
      return sendTo(dispatcher, call)
    },
  }
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
