import { reasonOf } from '../adapters/cause-of.ts'
import { platformErrorBody } from '../contract/index.ts'
import { jsonIn } from '../contract/texts.ts'
import { hasCode } from '../errors/errors.ts'
import { type Clock, readRetryAfter } from '../world.ts'
import { PlatformError, type PlatformErrorCode } from './errors.ts'

/** This machine's clock. A wait keeps the process alive, so that a command ends with its answer. */
export const systemClock: Clock = {
  now: Date.now,
  after(ms, call) {
    const timer = setTimeout(call, ms)
    return () => clearTimeout(timer)
  },
}

type Window = { remaining: number; resetAt: number }

/** If fewer calls than this are left in a window, they are spread over the rest of it. */
const scarce = 5

/**
 * Respects the rate limits that a platform announces: `X-RateLimit-Remaining` and `-Reset` with one number for each window, joined by `/`;
 * resets are in seconds. Slows down before it is refused.
 */
export class Pace {
  readonly #now: () => number
  #windows: Window[] = []

  constructor(now: () => number) {
    this.#now = now
  }

  /** How many milliseconds to wait before the next call. */
  wait(): number {
    const now = this.#now()
    return Math.max(0, ...this.#windows.map((window) => waitFor(window, now)))
  }

  note(headers: Headers): void {
    const numbers = (name: string) =>
      (headers.get(name) ?? '').split('/').map((part) => Number(part.trim() || Number.NaN))
    const resets = numbers('x-ratelimit-reset')
    const now = this.#now()
    const windows = numbers('x-ratelimit-remaining').map((remaining, at): Window => {
      return { remaining, resetAt: now + (resets[at] ?? Number.NaN) * 1000 }
    })
    const sound = windows.filter((window) => Object.values(window).every(Number.isFinite))
    if (sound.length > 0) this.#windows = sound
  }
}

function waitFor({ remaining, resetAt }: Window, now: number): number {
  const left = resetAt - now
  if (left <= 0) return 0
  if (remaining <= 0) return left
  return remaining < scarce ? left / (remaining + 1) : 0
}

export interface CallOptions {
  baseUrl: string
  key: string
  secret: string
  fetch: typeof fetch
  clock: Clock
  /** The limit for one try with its body, in milliseconds. */
  timeout: number
  /** The most tries of a call that may be repeated. */
  tries: number
  /** The longest wait for a rate limit, in milliseconds. */
  patience: number
}

export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below `baseUrl`, such as `nl/products.json`. */
  path: string
  query?: Record<string, string | number | undefined>
  /** A body with its content type. */
  body?: { type: string; text: string }
}

/** Calls a platform's API: within its rate limits, with a deadline, and repeated if that is safe. */
export class PlatformCalls {
  readonly #options: CallOptions
  readonly #pace: Pace
  readonly #authorization: string

  constructor(options: CallOptions) {
    this.#options = options
    this.#pace = new Pace(() => options.clock.now())
    this.#authorization = `Basic ${Buffer.from(`${options.key}:${options.secret}`).toString('base64')}`
  }

  /** Resolves with the answer's JSON; `undefined` for an empty one. Rejects with a `PlatformError`. */
  async send(call: Call): Promise<unknown> {
    const { clock, tries, patience } = this.#options
    let waited = 0
    const pause = async (ms: number, error?: PlatformError) => {
      waited += ms
      const said = 'the platform accepts no more calls for now'
      if (waited > patience)
        throw (
          error ?? new PlatformError('PLATFORM_RATE_LIMITED', said, { ...call, retryAt: clock.now() + ms })
        )
      await new Promise<void>((over) => clock.after(ms, over))
    }
    let lost = false
    for (let attempt = 1; ; attempt++) {
      const wait = this.#pace.wait()
      if (wait > 0) await pause(wait)
      try {
        return await this.#try(call)
      } catch (error) {
        if (!(error instanceof PlatformError)) throw error
        // The record existed, or an earlier try removed it and its answer was lost.
        if (call.method === 'DELETE' && error.code === 'PLATFORM_NOT_FOUND' && lost) return undefined
        if (attempt >= tries || !mayRepeat(call, error)) throw error
        lost ||= error.code === 'PLATFORM_UNAVAILABLE'
        const backOff = Math.min(500 * 2 ** (attempt - 1), 8_000)
        await pause(error.retryAt === undefined ? backOff : Math.max(0, error.retryAt - clock.now()), error)
      }
    }
  }

  async #try(call: Call): Promise<unknown> {
    const { fetch, timeout, clock } = this.#options
    const { method, body } = call
    const url = this.#url(call)
    let answer: Response
    let text: string
    try {
      answer = await fetch(url, {
        method,
        body: body?.text,
        redirect: 'manual',
        signal: AbortSignal.timeout(timeout),
        headers: {
          ...{ authorization: this.#authorization, accept: 'application/json' },
          ...(body && { 'content-type': body.type }),
        },
      })
      this.#pace.note(answer.headers)
      text = await answer.text()
    } catch (cause) {
      // After a lost answer a POST may have taken effect, unless the platform was not reached.
      const unsent = isUnreached(cause)
      const lost = method === 'POST' && !unsent ? 'PLATFORM_OUTCOME_UNKNOWN' : 'PLATFORM_UNAVAILABLE'
      const code = hasCode(cause, 'OUTGOING_REFUSED') ? 'PLATFORM_NOT_CALLED' : lost
      const what = unsent ? 'the platform was not reached' : 'the answer was lost'
      const why = reasonOf(cause).replace(/\.$/, '')
      throw new PlatformError(code, `${what}: ${why}`, { ...call, cause: withoutAddress(cause) })
    }
    const { status } = answer
    if (status >= 300 && status < 400)
      throw new PlatformError('PLATFORM_REDIRECTED', 'the platform redirects', { ...call, status })
    // The body of an answer to a removal does not matter.
    if (status >= 200 && status < 300) return method === 'DELETE' ? undefined : readJson(call, status, text)
    const said = saidIn(text)
    const after = readRetryAfter(answer.headers.get('retry-after'), clock.now())
    const retryAt =
      status === 429 || status === 503
        ? clock.now() + (after ?? Math.max(1_000, this.#pace.wait()))
        : undefined
    throw new PlatformError(codeOf(status), 'the platform refused', { ...call, status, said, retryAt })
  }

  #url({ path, query = {} }: Call): string {
    const url = new URL(`${this.#options.baseUrl}/${path}`)
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value))
    return url.href
  }
}

/** A call refused by a rate limit has changed nothing. Other calls are repeated if they are idempotent. */
function mayRepeat({ method }: Call, { code, cause, status }: PlatformError): boolean {
  if (code === 'PLATFORM_RATE_LIMITED') return true
  if (code !== 'PLATFORM_UNAVAILABLE') return false
  return method !== 'POST' || (status === undefined && cause !== undefined)
}

const codeOf = (status: number): PlatformErrorCode => {
  if (status === 401) return 'PLATFORM_UNAUTHORIZED'
  if (status === 403) return 'PLATFORM_FORBIDDEN'
  if (status === 404 || status === 410) return 'PLATFORM_NOT_FOUND'
  if (status === 429) return 'PLATFORM_RATE_LIMITED'
  return status >= 500 ? 'PLATFORM_UNAVAILABLE' : 'PLATFORM_INVALID'
}

function readJson(call: Call, status: number, text: string): unknown {
  if (text.trim() === '') return undefined
  const json = jsonIn(text)
  if (json !== undefined) return json
  const what = /^\s*</.test(text) ? 'the answer is HTML' : 'the answer is not complete JSON'
  throw new PlatformError('PLATFORM_UNREADABLE', what, { ...call, status })
}

const saidIn = (text: string): string | undefined =>
  platformErrorBody.safeParse(jsonIn(text)).data?.error.message.slice(0, 500)

/** Codes of calls that did not reach the platform. */
const unreached = new Set([
  ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'],
  ...['OUTGOING_REFUSED', 'NAME_NOT_FOUND', 'NAME_SERVER_FAILED', 'NAME_LOOKUPS_FULL'],
])

const isUnreached = (error: unknown): boolean =>
  error instanceof Error &&
  (unreached.has((error as NodeJS.ErrnoException).code ?? '') || isUnreached(error.cause))

/** The reason only: the request holds the credentials. */
function withoutAddress(error: unknown): Error {
  const { name, message, cause } = error instanceof Error ? error : new Error(String(error))
  const inner = cause instanceof Error ? `: ${cause.message}` : ''
  return Object.assign(new Error(`${message}${inner}`), { name })
}
