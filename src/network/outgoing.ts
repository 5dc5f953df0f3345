import { lookup } from 'node:dns'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
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
    loading ??= import('undici').then(({ Agent, fetch, request }) => ({
      fetch,
      request,
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
      const { request, dispatcher } = await undici()
      const { url, method, headers, body, timeout } = call
      const signal = AbortSignal.timeout(timeout)
      const answer = await request(url, { method: method as 'POST', headers, body, signal, dispatcher })
      const { 'retry-after': retryAfter } = answer.headers
      return {
        status: answer.statusCode,
        retryAfter: Array.isArray(retryAfter) ? retryAfter[0] : retryAfter,
        body: await readStart(answer.body),
      }
    },
  }
}

type Callback = (error: Error | null, address?: unknown, family?: number) => void

interface Undici {
  fetch: typeof import('undici').fetch
  request: typeof import('undici').request
  dispatcher: import('undici').Agent
}

async function readStart(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.length
    // Leaving the loop closes the connection: a receiver cannot keep us reading.
    if (size >= maxAnswer) break
  }
  return Buffer.concat(chunks).subarray(0, maxAnswer).toString('utf8')
}
