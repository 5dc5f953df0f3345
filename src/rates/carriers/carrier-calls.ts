import { z } from 'zod'
import { isOfAccount, isPassing, isRefusal } from '../../adapters/cause-of.ts'
import { placeOf } from '../../code-place.ts'
import { PurveyorError } from '../../errors/errors.ts'
import { answeredStatus } from '../../printable.ts'
import { type MaybePromise, orAborted, readRetryAfter } from '../../world.ts'
import type { RateContext } from '../adapter.ts'
import { callable } from '../options.ts'
import type { RemoteAnswer, RemoteCall } from './fixtures.ts'
import { callOnce, type OneAnswer, type OneCall, Passing, RemoteRatesError } from './one-call.ts'

/** A secret, or a function that reads it at each call: `() => process.env.CARRIER_KEY`, or `({ settings }) => settings.key`. */
type Secret<S> = string | ((ctx: RateContext<S>) => string | undefined)

/** A login that ends and is renewed, as `oauth` makes it. */
export interface Login<S = unknown> {
  /** The headers of a call, and the login that they carry. */
  headers(ctx: RateContext<S>): Promise<LoginHeaders>
}

/** The headers of one call, with what to do if the carrier refuses them. */
export interface LoginHeaders {
  headers: Record<string, string>
  /** The carrier refused them with this status, or with another one that `expired` takes for 401. Resolves with those of a new login, or `undefined` if there is none. */
  refused(status: number): Promise<LoginHeaders | undefined>
}

/** The credentials that `remoteRates` sends. Each secret is a text, or a function that reads it at each call. */
export type RemoteAuth<S = unknown> =
  | { bearer: Secret<S> }
  | { basic: { user: Secret<S>; password: Secret<S> } }
  | { header: { name: string; value: Secret<S> } }
  | Login<S>

const secret = z.union([z.string().min(1), callable])

export const authOption = z
  .union(
    [
      z.strictObject({ bearer: secret }),
      z.strictObject({ basic: z.strictObject({ user: secret, password: z.union([z.string(), callable]) }) }),
      z.strictObject({ header: z.strictObject({ name: z.string(), value: secret }) }),
      z.custom<Login>((value) => typeof (value as Partial<Login> | null)?.headers === 'function'),
    ],
    {
      error:
        'must be { bearer }, { basic: { user, password } } or { header: { name, value } }, each secret a text or a function, or oauth({...})',
    },
  )
  .optional()

/** The headers of `auth` for one call. Throws `CONFIGURATION_INVALID` for a secret that is not set. */
function headersOf<S>(
  adapter: string,
  auth: RemoteAuth<S> | undefined,
  ctx: RateContext<S>,
): MaybePromise<LoginHeaders> {
  if (!auth) return lasting({})
  if ('headers' in auth) return auth.headers(ctx)
  const read = (given: Secret<S>, place: string): string => {
    const value = typeof given === 'function' ? given(ctx) : given
    if (value) return value
    throw new PurveyorError('CONFIGURATION_INVALID', `${adapter}: ${place} is not set`, { place })
  }
  if ('bearer' in auth) return lasting({ authorization: `Bearer ${read(auth.bearer, 'auth.bearer')}` })
  if ('header' in auth) return lasting({ [auth.header.name]: read(auth.header.value, 'auth.header.value') })
  const user = read(auth.basic.user, 'auth.basic.user')
  const { password: given } = auth.basic
  const password = typeof given === 'function' ? (given(ctx) ?? '') : given
  return lasting({ authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` })
}

const lasting = (headers: Record<string, string>): LoginHeaders => {
  return { headers, refused: async () => undefined }
}

export interface CarrierCallsOptions<S> {
  name: string
  auth: RemoteAuth<S> | undefined
  timeout: number
  retries: number
  urlOfShop: boolean
  expired: ((status: number, body: unknown) => boolean) | undefined
  /** The body that `expired` and `answer` get; `undefined` for one that they cannot. */
  parse: (text: string) => unknown
  /** Whether a late answer is of use: then the deadline of a quote ends no call. */
  keeps: boolean
}

/** The first wait before another try, and the longest, in milliseconds. Each is twice the one before. */
const waits = { first: 100, most: 1_000 }
const pageAnswered = 'a web page answered instead of the API, so every quote may be refused: check url'
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
        const what = expired ? `calls the login ended, with ${status}` : `answered ${status}`
        if (!next) throw new RemoteRatesError(`${name}: the carrier ${what}`, status, { about: 'account' })
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
    const { name, timeout, urlOfShop, parse, keeps } = this.#options
    const accept = parse('') === '' ? '*/*' : 'application/json'
    const headers = { accept, 'content-type': call.type, ...call.headers, ...login.headers }
    const named = { adapter: name, other: 'the carrier', place: 'url', urlOfShop, Unanswered: Passing }
    const { after, signal } = ctx
    const fetch = keeps ? ctx.sharedFetch : ctx.fetch
    return callOnce({ ...call, headers, timeout, ...named }, { fetch, after, signal })
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
    explain(`a web page answered ${status} instead of the API: check url`)
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

function wait(ms: number, { signal, after }: Pick<RateContext, 'signal' | 'after'>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  return orAborted(promise, signal).finally(after(ms, resolve))
}
