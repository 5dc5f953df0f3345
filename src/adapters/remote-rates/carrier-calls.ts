import { placeOf } from '../../code-place.ts'
import { readRetryAfter } from '../../contract/retry-after.ts'
import { orAborted } from '../../network/timers.ts'
import { answeredStatus } from '../../printable.ts'
import type { RateContext } from '../../rates/adapter.ts'
import { isOfAccount, isPassing, isRefusal } from '../../rates/status-cause.ts'
import { headersOf, type LoginHeaders, type RemoteAuth } from './auth.ts'
import type { RemoteAnswer, RemoteCall } from './fixtures.ts'
import { callOnce, type OneAnswer, type OneCall, Passing, RemoteRatesError } from './one-call.ts'

export interface CarrierCallsOptions<S> {
  name: string
  auth: RemoteAuth<S> | undefined
  timeout: number
  retries: number
  /** Whether a function returns the address, which may read the settings of a shop. */
  urlOfShop: boolean
  expired: ((status: number, body: unknown) => boolean) | undefined
  /** The body that `expired` and `answer` get; `undefined` for one that they cannot. */
  parse: (text: string) => unknown
  /** Whether a late answer is of use: then the deadline of a quote ends no call. */
  keeps: boolean
}

/** The first wait before another try, and the longest, in milliseconds. Each is twice the one before. */
const waits = { first: 100, most: 1_000 }

const pageAnswered = 'a page answered, and no API: every quote may be refused. Check url'

type CarrierCall = RemoteCall & Pick<OneCall, 'headers'>

/** Calls a carrier: with its login, a limit for each try, and further tries within the deadline. */
export class CarrierCalls<S> {
  readonly #options: CarrierCallsOptions<S>
  #paged = false

  constructor(options: CarrierCallsOptions<S>) {
    this.#options = options
  }

  /** Resolves with an answer of 2xx, or of 4xx about this request. Rejects with a `RemoteRatesError`. */
  async send(call: CarrierCall, ctx: RateContext<S>): Promise<RemoteAnswer> {
    const { name, auth, retries } = this.#options
    let login = await headersOf(name, auth, ctx)
    let renewed = false
    for (let failures = 0; ; ) {
      try {
        const answer = await this.#try(call, login, ctx)
        const { status } = answer
        const expired = this.#isExpired(answer, ctx)
        if (!expired && !isOfAccount(status)) return this.#unlessFailed(answer, ctx)
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

  #try(call: CarrierCall, login: LoginHeaders, ctx: RateContext<S>): Promise<OneAnswer> {
    const { method, url, body, type, headers } = call
    const { name, timeout, urlOfShop, parse, keeps } = this.#options
    const all = {
      accept: parse('') === '' ? '*/*' : 'application/json',
      'content-type': type,
      ...headers,
      ...login.headers,
    }
    const named = { adapter: name, other: 'the carrier', place: 'url', urlOfShop, Unanswered: Passing }
    const { after, signal } = ctx
    const fetch = keeps ? ctx.sharedFetch : ctx.fetch
    return callOnce({ method, url, body, headers: all, timeout, ...named }, { fetch, after, signal })
  }

  #unlessFailed({ status, body, retryAfter }: OneAnswer, { now }: RateContext<S>): RemoteAnswer {
    if ((status >= 200 && status < 300) || isRefusal(status)) return { status, body }
    const message = `${this.#options.name}: the carrier answered ${answeredStatus(status)}`
    const asked = readRetryAfter(retryAfter, now())
    const retryAt = asked === undefined ? undefined : now() + asked
    if (!isPassing(status) || retryAfter !== null) throw new RemoteRatesError(message, status, { retryAt })
    throw new Passing(message, status)
  }

  /** Notes a page where an API was expected: its address may be wrong, for every quote. The first one of a process is logged. */
  notePage({ status, body }: RemoteAnswer, { explain, log, shop }: RateContext<S>): void {
    if ((status !== 404 && status !== 405) || !body.trimStart().startsWith('<')) return
    explain(`a page answered ${status}, and no API: check url`)
    if (!this.#paged) log.warn({ adapter: this.#options.name, shop: shop.id, status }, pageAnswered)
    this.#paged = true
  }

  #isExpired({ status, body }: RemoteAnswer, { explain }: RateContext<S>): boolean {
    const { expired, parse } = this.#options
    if (!expired) return false
    try {
      return expired(status, parse(body) ?? body)
    } catch (error) {
      const place = placeOf(error)
      explain(`expired() threw${place ? `, at ${place}` : ''}`)
      return false
    }
  }
}

/** Rejects at the deadline. */
async function wait(ms: number, { signal, after }: Pick<RateContext, 'signal' | 'after'>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const cancel = after(ms, resolve)
  await orAborted(promise, signal).finally(cancel)
}
