import { hasCode, PurveyorError } from '../../errors.ts'
import type { RateContext } from '../../rates/adapter.ts'
import { isOfAccount, isPassing, isRefusal } from '../../rates/status-cause.ts'
import { placeOf } from '../../use-cases/rates/error-words.ts'
import { headersOf, type LoginHeaders, type RemoteAuth } from './auth.ts'
import { Passing, RemoteRatesError } from './errors.ts'
import type { RemoteAnswer, RemoteCall } from './fixtures.ts'
import { parsedBody } from './parsed-body.ts'

export interface CarrierCallsOptions<S> {
  name: string
  auth: RemoteAuth<S> | undefined
  headers: Record<string, string>
  timeout: number
  retries: number
  /** Whether a function returns the address, which may read the settings of a shop. */
  urlOfShop: boolean
  expired: ((status: number, body: unknown) => boolean) | undefined
}

/** The first wait before another try, and the longest, in milliseconds. Each is twice the one before. */
const waits = { first: 100, most: 1_000 }

/** Calls a carrier: with its login, a limit for each try, and further tries within the deadline. */
export class CarrierCalls<S> {
  readonly #options: CarrierCallsOptions<S>

  constructor(options: CarrierCallsOptions<S>) {
    this.#options = options
  }

  /** Resolves with an answer of 2xx, or of 4xx about this request. Rejects with a `RemoteRatesError`. */
  async send(call: RemoteCall, ctx: RateContext<S>): Promise<RemoteAnswer> {
    const { name, auth, retries } = this.#options
    let login = await headersOf(name, auth, ctx)
    let renewed = false
    for (let failures = 0; ; ) {
      try {
        const answer = await this.#try(call, login, ctx)
        const { status } = answer
        const expired = this.#isExpired(answer, ctx)
        if (!expired && !isOfAccount(status)) return this.#unlessFailed(answer)
        const next = renewed ? undefined : await login.refused(expired ? 401 : status)
        if (!next) {
          const what = expired ? `calls the login ended, with ${status}` : `answered ${status}`
          throw new RemoteRatesError(`${name}: the carrier ${what}`, status, { about: 'account' })
        }
        renewed = true
        login = next
      } catch (error) {
        if (!(error instanceof Passing) || failures >= retries) throw error
        await wait(Math.min(waits.first * 2 ** failures, waits.most), ctx)
        failures++
      }
    }
  }

  /** Throws `CONFIGURATION_INVALID` for a header that cannot be sent. */
  #headers(body: string | undefined, login: LoginHeaders): Headers {
    const all = {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...this.#options.headers,
      ...login.headers,
    }
    const headers = new Headers()
    for (const [header, value] of Object.entries(all)) {
      try {
        headers.set(header, value)
      } catch {
        throw unsendable(
          this.#options.name,
          `the header ${header}`,
          'has characters that a header cannot have',
        )
      }
    }
    return headers
  }

  async #try(
    { method, url, body }: RemoteCall,
    login: LoginHeaders,
    ctx: RateContext<S>,
  ): Promise<RemoteAnswer & { retryAfter: boolean }> {
    const { name, timeout, urlOfShop } = this.#options
    const headers = this.#headers(body, login)
    if (!URL.canParse(url))
      throw unsendable(name, 'url', 'is no address: write one such as https://api.carrier.example')
    const limit = new AbortController()
    const cancel = ctx.after(timeout, () => limit.abort(new Error(`no answer within ${timeout} ms`)))
    let response: Response
    let text: string
    try {
      response = await ctx.fetch(url, {
        method,
        body,
        headers,
        signal: limit.signal,
      })
      text = await response.text()
    } catch (error) {
      if (
        ctx.signal.aborted ||
        hasCode(error, 'OUTGOING_REFUSED', 'ANSWER_TOO_LARGE', 'ANSWER_ENCODED_TWICE')
      )
        throw error
      if (urlOfShop && hasCode(error, 'NAME_NOT_FOUND'))
        throw new RemoteRatesError(`${name}: there is no host of this name`, undefined, {
          cause: error,
          about: 'account',
        })
      const why = limit.signal.aborted ? `did not answer within ${timeout} ms` : 'could not be reached'
      throw new Passing(`${name}: the carrier ${why}`, undefined, { cause: error })
    } finally {
      cancel()
    }
    return { status: response.status, body: text, retryAfter: response.headers.has('retry-after') }
  }

  #unlessFailed({ status, body, retryAfter }: RemoteAnswer & { retryAfter: boolean }): RemoteAnswer {
    if ((status >= 200 && status < 300) || isRefusal(status)) return { status, body }
    const message = `${this.#options.name}: the carrier answered ${status}`
    // A carrier that sent Retry-After is not called before then. If that is too late for the deadline, there is no retry.
    if (!isPassing(status) || retryAfter) throw new RemoteRatesError(message, status)
    throw new Passing(message, status)
  }

  #isExpired({ status, body }: RemoteAnswer, { explain }: RateContext<S>): boolean {
    const { expired } = this.#options
    if (!expired) return false
    try {
      return expired(status, parsedBody(body) ?? body)
    } catch (error) {
      const place = placeOf(error)
      explain(`expired() threw${place ? `, at ${place}` : ''}`)
      return false
    }
  }
}

/** The error of a call that the options, or the settings of the shop, make impossible. Never the value: it may be a secret. */
const unsendable = (name: string, place: string, what: string): PurveyorError =>
  new PurveyorError('CONFIGURATION_INVALID', `${name}: ${place} ${what}`, { place })

/** Rejects at the deadline. */
function wait(ms: number, { signal, after }: Pick<RateContext, 'signal' | 'after'>): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      cancel()
      reject(signal.reason)
    }
    const cancel = after(ms, () => {
      signal.removeEventListener('abort', abort)
      resolve()
    })
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  })
}
