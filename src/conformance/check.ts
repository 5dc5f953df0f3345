import { PurveyorError, wrongCall } from '../errors.ts'
import { isLoopbackHost } from '../network/loopback.ts'
import { withoutSlash } from '../shops/hosts.ts'
import { withoutToken } from '../shops/tokens.ts'
import type { ConformanceCase } from './case.ts'
import { conformanceCases } from './cases/index.ts'
import { NotMet, Skip } from './expect.ts'
import { call, curlOf } from './http.ts'
import { checkoutMessage } from './messages.ts'
import { Receiver } from './receiver.ts'
import { type Exchange, Target } from './target.ts'

/** Options of a check of an endpoint. All are optional. */
export interface CheckOptions {
  /** Only cases about shipping or about payments. Default: everything the endpoint serves. */
  only?: 'rates' | 'payments'
  /** The names of cases; all by default. */
  cases?: readonly string[]
  /** Leaves no test orders at the provider. Default false. */
  readOnly?: boolean
  /** The platform's id of the shop. Sent if given, or if the provider requires one. */
  shopId?: number
  /** The address at which a provider on another machine reaches the checker as the shop. */
  receiverUrl?: string
  /** The port that the checker listens on behind `receiverUrl`. Default: a free one. */
  receiverPort?: number
  /** How long to wait for an answer, in milliseconds. Default 20,000, as long as the most patient platform. */
  timeout?: number
  /** Called with each result. */
  onResult?: (result: CaseResult) => void
  /** Ends the check early and returns the results so far. */
  signal?: AbortSignal
}

/** The result of one case of a check. */
export interface CaseResult extends Pick<ConformanceCase, 'name' | 'title' | 'topic' | 'section' | 'level'> {
  /** `failed` breaks the contract (`must`); `advice` is a `should` or `note` that does not hold. */
  result: 'passed' | 'failed' | 'advice' | 'skipped'
  /** The reason for a skip. */
  reason?: string
  expected?: string
  received?: string
  /** The impact on a platform, and the remedy; set if the rule does not hold. */
  platform?: string
  remedy?: string
  /** The call that shows it, for a shell. */
  curl?: string
  ms: number
}

/** The results of a check, and how many cases passed, failed, were skipped or are advice. */
export interface CheckReport extends Record<CaseResult['result'], number> {
  endpoint: string
  /** The services that were checked. */
  about: ('rates' | 'payments')[]
  cases: number
  results: CaseResult[]
}

/**
 * Checks a provider in any language against the contract. Rejects with `ENDPOINT_UNUSABLE` when there is nothing to check, and with
 * `ARGUMENT_INVALID` for an unknown case.
 */
export async function checkProvider(urlEndpoint: string, options: CheckOptions = {}): Promise<CheckReport> {
  const endpoint = endpointOf(urlEndpoint)
  const chosen = casesNamed(options.cases)
  const { shopId, serves } = await lookAt(endpoint, options)
  const receiver = await Receiver.listen(options.receiverUrl, options.receiverPort)
  const receives = options.receiverUrl !== undefined || isLoopbackHost(new URL(endpoint).hostname)
  const { timeout = usualTimeout } = options
  const target = new Target({ endpoint, shopId, receiver, receives, timeout })
  const results: CaseResult[] = []
  try {
    const interrupted = untilAborted(options.signal)
    for (const one of chosen) {
      // An interrupt does not wait for the running case.
      const result = await Promise.race([tried(one, target, serves, options), interrupted])
      if (!result || options.signal?.aborted) break
      results.push(result)
      options.onResult?.(result)
    }
  } finally {
    await receiver.close()
  }
  const count = (wanted: CaseResult['result']) => results.filter(({ result }) => result === wanted).length
  return {
    endpoint: withoutToken(endpoint),
    about: serves,
    cases: results.length,
    passed: count('passed'),
    failed: count('failed'),
    advice: count('advice'),
    skipped: count('skipped'),
    results,
  }
}

/** Never resolves without a signal. */
const untilAborted = (signal: AbortSignal | undefined): Promise<undefined> =>
  new Promise((resolve) => {
    if (signal?.aborted) resolve(undefined)
    else signal?.addEventListener('abort', () => resolve(undefined), { once: true })
  })

function endpointOf(text: string): string {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new PurveyorError(
      'ENDPOINT_UNUSABLE',
      `${text} is not an http or https address. Name the urlEndpoint of a provider.`,
    )
  }
  return withoutSlash(text)
}

function casesNamed(names: readonly string[] | undefined): readonly ConformanceCase[] {
  const unknown = names?.find((name) => !conformanceCases.some((one) => one.name === name))
  if (unknown !== undefined) throw wrongCall(`There is no case "${unknown}".`)
  return names ? conformanceCases.filter(({ name }) => names.includes(name)) : conformanceCases
}

/** Finds out whether a provider answers, what it serves, and whether it requires a shop id. */
async function lookAt(
  endpoint: string,
  { only, shopId, timeout = usualTimeout }: CheckOptions,
): Promise<{ shopId: number | undefined; serves: ('rates' | 'payments')[] }> {
  const ask = async (id: number | undefined) => {
    const json = checkoutMessage(id)
    const headers: Record<string, string> = id === undefined ? {} : { 'x-shop-id': String(id) }
    const [rates, payments] = await Promise.all(
      ['shipment_methods', 'payment_methods'].map((path) =>
        call(`${endpoint}/${path}`, { json, headers, timeout }),
      ),
    )
    return { rates: rates!, payments: payments! }
  }
  // The first call with a shop id may bind an endpoint, so the id is left out if possible.
  let id = shopId
  let seen = await ask(id)
  const refused = seen.rates.status !== undefined && !isAnswer(seen.rates) && !isAnswer(seen.payments)
  if (id === undefined && refused) {
    const named = await ask(probeShopId)
    if (isAnswer(named.rates) || isAnswer(named.payments)) {
      id = probeShopId
      seen = named
    }
  }
  const served = (['rates', 'payments'] as const).filter((about) => isServed(seen[about]))
  if (served.length === 0 && only === undefined)
    throw new PurveyorError('ENDPOINT_UNUSABLE', whyUnusable(endpoint, seen.rates))
  const dead = only === undefined ? undefined : seen[only]
  if (dead?.status === undefined && dead !== undefined)
    throw new PurveyorError('ENDPOINT_UNUSABLE', whyUnusable(endpoint, dead))
  return { shopId: id, serves: only === undefined ? served : [only] }
}

const usualTimeout = 20_000
const probeShopId = 4711
const isAnswer = ({ status = 0 }: Exchange) => status >= 200 && status < 300
/** Any answer but "not found" counts: the cases report a broken one. */
const isServed = ({ status = 0, text }: Exchange) =>
  status >= 200 && status !== 404 && !(status >= 300 && status < 400) && !(status !== 201 && isHtml(text))
const isHtml = (text: string) => /^\s*<(!doctype|html)/i.test(text)

function whyUnusable(endpoint: string, { status, failure, text, answerHeaders }: Exchange): string {
  const where = withoutToken(endpoint)
  if (failure !== undefined) return `${where} cannot be called: ${failure}.`
  if (status !== undefined && status >= 300 && status < 400) {
    return `${where} redirects to ${shortened(answerHeaders.location ?? 'nowhere')}. A platform follows no redirect: name the address that answers.`
  }
  if (isHtml(text))
    return `${where} answers with an HTML page, so it is not a provider. Name the urlEndpoint itself.`
  return `${where} answers status ${status} to shipment_methods and payment_methods. Name the urlEndpoint of a provider, without these words at its end.`
}

const shortened = (text: string) => (text.length > 100 ? `${text.slice(0, 97)}...` : text)
async function tried(
  one: ConformanceCase,
  target: Target,
  serves: readonly string[],
  { readOnly = false }: CheckOptions,
): Promise<CaseResult> {
  const { name, title, topic, section, level, about, platform, remedy } = one
  const since = performance.now()
  const ended = (rest: Pick<CaseResult, 'result'> & Partial<CaseResult>): CaseResult => ({
    name,
    title,
    topic,
    section,
    level,
    ...rest,
    ms: Math.round(performance.now() - since),
  })
  if (about !== 'either' && !serves.includes(about)) {
    return ended({ result: 'skipped', reason: `The endpoint does not serve ${about}` })
  }
  if (readOnly && one.writes) {
    return ended({ result: 'skipped', reason: 'It creates a test order, and --read-only forbids that' })
  }
  try {
    await one.run(target)
    return ended({ result: 'passed' })
  } catch (error) {
    if (error instanceof Skip) return ended({ result: 'skipped', reason: error.message })
    const { expected, received, exchange } =
      error instanceof NotMet
        ? error
        : { expected: 'an answer', received: (error as Error).message, exchange: undefined }
    const curl = exchange && { curl: curlOf(exchange) }
    const result = level === 'must' ? 'failed' : 'advice'
    return ended({ result, expected, received, platform, remedy, ...curl })
  }
}
