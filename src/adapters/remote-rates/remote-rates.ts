import { ExponentialBackoff, handleType, retry } from 'cockatiel'
import { z } from 'zod'
import { PurveyorError } from '../../errors.ts'
import type { DefaultNeed, Need } from '../../privacy/needs.ts'
import type { QuoteRequest, RateAdapter, RateAnswer, RateCaching, RateContext } from '../../rates/adapter.ts'
import type { AdapterNetwork, MaybePromise } from '../../world.ts'
import { adapterName, optionsOf } from '../options.ts'
import { type Fixtures, type RemoteAnswer, type RemoteCall, record, replay } from './fixtures.ts'

/** A secret, or a function that reads it at each call: `() => process.env.CARRIER_KEY`. */
type Secret = string | (() => string | undefined)

/** The credentials that `remoteRates` sends. Each secret is a text, or a function that reads it at each call. */
export type RemoteAuth =
  | { bearer: Secret }
  | { basic: { user: Secret; password: Secret } }
  | { header: { name: string; value: Secret } }

/** Options of `remoteRates`. Times are in milliseconds. */
export interface RemoteRatesOptions<N extends Need = DefaultNeed> {
  name: string
  /** The carrier's address for rates. */
  url: string | ((request: QuoteRequest<N>) => string)
  /** Default `POST`, or `GET` without `body`. */
  method?: string
  headers?: Record<string, string>
  auth?: RemoteAuth
  /** The body of the request to the carrier, sent as JSON. */
  body?: (request: QuoteRequest<N>, ctx: RateContext) => MaybePromise<unknown>
  /** Turns the carrier's parsed answer into methods or `none('why')`. */
  answer: (body: unknown, request: QuoteRequest<N>, ctx: RateContext) => MaybePromise<RateAnswer>
  /** The limit for one try, in milliseconds. Default 2,000. The deadline of the quote applies as well. */
  timeout?: number
  /** Retries after no answer, 429 or 5xx. Default 1. */
  retries?: number
  needs?: readonly N[]
  /** Whether estimates in the cart call the carrier too. Default no: each is one more call. */
  estimate?: boolean
  cache?: RateCaching<N>
  fixtures?: Fixtures
  /** For a carrier in a private network, or with answers above 8 MiB. */
  network?: AdapterNetwork
}

const callable = z.custom<(...args: never[]) => unknown>(
  (value) => typeof value === 'function',
  'must be a function',
)
const secret = z.union([z.string().min(1), callable])

const notAnAddress = 'must be an http or https address, or a function that returns one'

const options = z.strictObject({
  name: adapterName,
  url: z.union([z.url({ protocol: /^https?$/, error: notAnAddress }), callable], { error: notAnAddress }),
  method: z.enum(['GET', 'POST', 'PUT']).optional(),
  headers: z.record(z.string(), z.string()).default({}),
  auth: z
    .union(
      [
        z.strictObject({ bearer: secret }),
        z.strictObject({
          basic: z.strictObject({ user: secret, password: z.union([z.string(), callable]) }),
        }),
        z.strictObject({ header: z.strictObject({ name: z.string(), value: secret }) }),
      ],
      {
        error:
          'must be { bearer }, { basic: { user, password } } or { header: { name, value } }, each secret a text or a function',
      },
    )
    .optional(),
  body: callable.optional(),
  answer: callable,
  timeout: z.number().positive().default(2_000),
  retries: z.number().int().min(0).max(5).default(1),
  needs: z.array(z.string()).optional(),
  estimate: z.boolean().default(false),
  cache: z.custom<RateCaching>().optional(),
  network: z.custom<AdapterNetwork>().optional(),
  fixtures: z.strictObject({ folder: z.string().min(1), mode: z.enum(['record', 'replay']) }).optional(),
})

/** The carrier did not answer with rates. The message does not repeat its words: they may hold the customer's data. */
export class RemoteRatesError extends PurveyorError {
  override readonly name: string = 'RemoteRatesError'
  readonly status: number | undefined
  constructor(message: string, status: number | undefined, cause?: unknown) {
    super('CARRIER_FAILED', message, { cause })
    this.status = status
  }
}

/** Failures that another try may overcome. */
class Passing extends RemoteRatesError {}

/** Gets rates from a carrier's HTTP API, with retries within the deadline. Throws `CONFIGURATION_INVALID` for wrong options. */
export function remoteRates<N extends Need = DefaultNeed>(given: RemoteRatesOptions<N>): RateAdapter<N> {
  const checked = optionsOf('remoteRates', options, given)
  const { name, headers, timeout, retries, fixtures, method = given.body ? 'POST' : 'GET' } = checked
  const again = retry(handleType(Passing), {
    maxAttempts: retries,
    backoff: new ExponentialBackoff({ initialDelay: 100, maxDelay: 1_000 }),
  })

  async function send(call: RemoteCall, ctx: RateContext): Promise<RemoteAnswer> {
    if (fixtures?.mode === 'replay') return replay(fixtures, call)
    const answer = await again.execute(() => sendOnce(call, ctx), ctx.signal)
    if (fixtures) await record(fixtures, call, answer)
    return answer
  }

  async function sendOnce({ url, body }: RemoteCall, ctx: RateContext): Promise<RemoteAnswer> {
    const key = authorisation(name, given.auth)
    let response: Response
    let text: string
    try {
      response = await ctx.fetch(url, {
        method,
        body,
        headers: {
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
          ...key,
        },
        signal: AbortSignal.any([ctx.signal, AbortSignal.timeout(timeout)]),
      })
      text = await response.text()
    } catch (error) {
      if (ctx.signal.aborted || (error as { code?: string }).code === 'OUTGOING_REFUSED') throw error
      throw new Passing(`${name}: the carrier could not be reached`, undefined, error)
    }
    const { status, ok } = response
    if (ok) return { status, body: text }
    const message = `${name}: the carrier answered ${status}`
    if (status !== 429 && status < 500) throw new RemoteRatesError(message, status)
    // A carrier that sent Retry-After is not called before then. If that is too late for the deadline, there is no retry.
    if (response.headers.has('retry-after')) throw new RemoteRatesError(message, status)
    throw new Passing(message, status)
  }

  async function quote(request: QuoteRequest<N>, ctx: RateContext): Promise<RateAnswer> {
    const url = typeof given.url === 'function' ? given.url(request) : given.url
    const asked = await given.body?.(request, ctx)
    const body = asked === undefined ? undefined : JSON.stringify(asked)
    const answer = await send({ method, url, body }, ctx)
    return given.answer(parse(name, answer), request, ctx)
  }

  return {
    name,
    needs: given.needs,
    quote,
    estimate: checked.estimate ? 'quote' : undefined,
    cache: given.cache,
    network: given.network,
  }
}

function parse(name: string, { status, body }: RemoteAnswer): unknown {
  try {
    return JSON.parse(body)
  } catch {
    throw new RemoteRatesError(`${name}: the carrier's answer is no JSON`, status)
  }
}

function authorisation(name: string, auth: RemoteAuth | undefined): Record<string, string> {
  const read = (given: Secret, what: string): string => {
    const value = typeof given === 'function' ? given() : given
    if (!value)
      throw new PurveyorError('CONFIGURATION_INVALID', `${name}: ${what} is not set`, { place: what })
    return value
  }
  if (!auth) return {}
  if ('bearer' in auth) return { authorization: `Bearer ${read(auth.bearer, 'auth.bearer')}` }
  if ('header' in auth) return { [auth.header.name]: read(auth.header.value, 'auth.header.value') }
  const user = read(auth.basic.user, 'auth.basic.user')
  const password =
    typeof auth.basic.password === 'function' ? (auth.basic.password() ?? '') : auth.basic.password
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` }
}
