import { z } from 'zod'
import type { DefaultNeed, Disclosure, Need } from '../../adapters/call-adapter.ts'
import { placeOf } from '../../code-place.ts'
import { jsonIn } from '../../contract/texts.ts'
import { hasCode } from '../../errors/errors.ts'
import type { AdapterNetwork, MaybePromise } from '../../world.ts'
import {
  none,
  type PrepareContext,
  type QuoteRequest,
  type RateAdapter,
  type RateAnswer,
  type RateCaching,
  type RateContext,
} from '../adapter.ts'
import { adapterName, callable, optionsOf, settingsOptions } from '../options.ts'
import type { SettingsOption } from '../shop-options.ts'
import { authOption, CarrierCalls, type RemoteAuth } from './carrier-calls.ts'
import { type Fixtures, type RemoteCall, record, replay } from './fixtures.ts'
import { RemoteRatesError } from './one-call.ts'

/** Options of `remoteRates`. Times are in milliseconds. */
export interface RemoteRatesOptions<N extends Need = DefaultNeed, S = unknown> extends SettingsOption<S> {
  name: string
  /** The carrier's address for rates. */
  url: string | ((request: QuoteRequest<N>, ctx: RateContext<S>) => string)
  /** Default `POST`, or `GET` without `body`. */
  method?: string
  /** More headers, such as one with the number of a contract. One that is `undefined` is not sent. */
  headers?:
    | Record<string, string | undefined>
    | ((request: QuoteRequest<N>, ctx: RateContext<S>) => Record<string, string | undefined>)
  /** The login of the shop's account. Default: none. */
  auth?: RemoteAuth<S>
  /** The body of the request: text and `URLSearchParams` as they are, all else as JSON. Text that is not plain needs a `content-type` in `headers`. */
  body?: (request: QuoteRequest<N>, ctx: RateContext<S>) => MaybePromise<unknown>
  /**
   * Turns the carrier's parsed answer into methods or `none('why')`. The body is `undefined` for 204, which is no method if this throws, and for
   * another answer that is empty or `null`, which is then a failure. Without `refused`
   * it also gets what the carrier refuses about this request (4xx except 401, 403, 408, 425 and 429), parsed or as text. If it throws for one
   * of these, there is no method; a `RemoteRatesError` says that the carrier failed.
   */
  answer: (
    body: unknown,
    request: QuoteRequest<N>,
    ctx: RateContext<S>,
    response: { status: number },
  ) => MaybePromise<RateAnswer>
  /** The form of the body that `answer`, `refused` and `expired` get: parsed JSON, or plain text. Default `json`. */
  read?: 'json' | 'text'
  /** Answers for such a refusal instead of `answer`. It is no failure, unless this function throws. */
  refused?: (
    status: number,
    body: unknown,
    request: QuoteRequest<N>,
    ctx: RateContext<S>,
  ) => MaybePromise<RateAnswer>
  /** Whether another status than 401 says that the login has ended, such as 400 with a code. It gets every answer, parsed or as text. The call is repeated once with a new login. */
  expired?: (status: number, body: unknown) => boolean
  /**
   * The limit for one try, in milliseconds. Default 2,000. With `cache` 10,000, because a late answer is kept for the next quote: the deadline
   * of the quote ends the tries, and not the call.
   */
  timeout?: number
  /** Retries after no answer, 408, 425, 429 or 5xx. Default 1. */
  retries?: number
  /** The personal fields that it reads. Default: country, region and zipcode of both addresses. */
  needs?: readonly N[]
  /** Whether estimates in the cart call the carrier too. Default no: each is one more call. */
  estimate?: boolean
  /** Caching of its answers. Default: none, every request calls the carrier. */
  cache?: RateCaching<N, S>
  /** Records the carrier's answers into files, or answers from them. Default: calls the carrier. */
  fixtures?: Fixtures
  /** The carrier as the recipient of these fields, for the merchant's privacy policy. Default: the host of `url`, and `doctor` warns. */
  privacy?: Disclosure
  /** For a carrier in a private network, or with answers above 8 MiB. */
  network?: AdapterNetwork
  /** Called when the provider starts, to warm up. If it fails, the provider does not start. */
  prepare?: (ctx: PrepareContext) => MaybePromise<void>
}

const notAnAddress = 'must be an http or https address, or a function that returns one'

const options = z.strictObject({
  name: adapterName,
  url: z.union([z.url({ protocol: /^https?$/, error: notAnAddress }), callable], { error: notAnAddress }),
  method: z.enum(['GET', 'POST', 'PUT']).optional(),
  headers: z
    .union([z.record(z.string(), z.string().optional()), callable], {
      error: 'must be texts by their name, or a function that returns them',
    })
    .optional(),
  auth: authOption,
  body: callable.optional(),
  answer: callable,
  read: z.enum(['json', 'text']).default('json'),
  refused: callable.optional(),
  expired: callable.optional(),
  timeout: z.number().positive().optional(),
  retries: z.number().int().min(0).max(5).default(1),
  needs: z.array(z.string()).optional(),
  estimate: z.boolean().default(false),
  cache: z.custom<RateCaching>().optional(),
  privacy: z.custom<Disclosure>().optional(),
  network: z.custom<AdapterNetwork>().optional(),
  fixtures: z.strictObject({ folder: z.string().min(1), mode: z.enum(['record', 'replay']) }).optional(),
  prepare: callable.optional(),
  ...settingsOptions,
})

/** Gets rates from a carrier's HTTP API, with retries within the deadline. An answer that refuses this request is no failure. Throws `CONFIGURATION_INVALID` for wrong options. */
export function remoteRates<N extends Need = DefaultNeed, S = unknown>(
  given: RemoteRatesOptions<N, S>,
): RateAdapter<N, S> {
  const checked = optionsOf('remoteRates', options, given)
  const { name, retries, fixtures, method = given.body ? 'POST' : 'GET' } = checked
  const keeps = given.cache !== undefined
  const { timeout = keeps ? 10_000 : 2_000 } = checked
  const parse = checked.read === 'text' ? (text: string) => text : jsonIn
  const calls = new CarrierCalls({
    ...{ name, auth: given.auth, timeout, retries, expired: given.expired, parse, keeps },
    urlOfShop: typeof given.url === 'function',
  })

  async function send(call: RemoteCall, request: QuoteRequest<N>, ctx: RateContext<S>) {
    if (fixtures?.mode === 'replay') return replay(fixtures, call)
    const headers = typeof given.headers === 'function' ? given.headers(request, ctx) : (given.headers ?? {})
    const answer = await calls.send({ ...call, headers }, ctx)
    if (fixtures) await record(fixtures, call, answer)
    return answer
  }

  async function quote(request: QuoteRequest<N>, ctx: RateContext<S>): Promise<RateAnswer> {
    const url = typeof given.url === 'function' ? given.url(request, ctx) : given.url
    const sent = sentBody(await given.body?.(request, ctx))
    const { status, body: text } = await send({ method, url, ...sent }, request, ctx)
    const parsed = parse(text)
    const read = async (body: unknown) => given.answer(body, request, ctx, { status })
    calls.notePage({ status, body: text }, ctx)
    if (status >= 400) {
      const body = parsed ?? text
      ctx.explain(`the carrier answered ${status}`)
      return given.refused ? given.refused(status, body, request, ctx) : refusal(status, read(body), ctx)
    }
    if (text.trim() === '' || parsed === null) return withoutBody(name, status, read(undefined), ctx)
    if (parsed === undefined) throw new RemoteRatesError(`${name}: the carrier's answer is not JSON`, status)
    return read(parsed)
  }

  const { needs, cache, privacy, network, settings, settingsName, prepare } = given
  const sendsTo = [typeof given.url === 'string' ? new URL(given.url).host : 'the host of its url()']
  const estimate = checked.estimate ? 'quote' : undefined
  return { name, needs, quote, estimate, cache, privacy, sendsTo, network, settings, settingsName, prepare }
}

function sentBody(body: unknown): Pick<RemoteCall, 'body' | 'type'> {
  if (body === undefined) return { body }
  if (typeof body === 'string') return { body, type: 'text/plain;charset=UTF-8' }
  if (body instanceof URLSearchParams)
    return { body: body.toString(), type: 'application/x-www-form-urlencoded;charset=UTF-8' }
  return { body: JSON.stringify(body), type: 'application/json' }
}

async function refusal(status: number, read: Promise<RateAnswer>, ctx: RateContext): Promise<RateAnswer> {
  try {
    return await read
  } catch (error) {
    if (isFailure(error, ctx)) throw error
    const place = placeOf(error)
    ctx.explain(`answer() cannot read it${place ? `, at ${place}` : ''}: add refused() to say why`)
    return none(`the carrier refused with ${status}`)
  }
}

/** Another 2xx without a body says nothing, unless `answer` knows better. */
async function withoutBody(name: string, status: number, read: Promise<RateAnswer>, ctx: RateContext) {
  let cause: unknown
  try {
    const answer: RateAnswer | undefined = await read
    if (answer !== undefined) return answer
  } catch (error) {
    if (isFailure(error, ctx)) throw error
    cause = error
  }
  if (status === 204 || status === 205) return none(`the carrier answered ${status} without rates`)
  throw new RemoteRatesError(`${name}: the carrier answered ${status} without a body`, status, { cause })
}

/** Whether `answer` says itself that the carrier failed, or was too late. Otherwise it could not read an answer without rates. */
const isFailure = (error: unknown, { signal }: RateContext): boolean =>
  hasCode(error, 'CARRIER_FAILED') || signal.aborted
