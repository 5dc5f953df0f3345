import { bothServed, type Served } from '../contract/served.ts'
import { PurveyorError, wrongCall } from '../errors/errors.ts'
import { checkoutMessage } from '../messages/exact.ts'
import type { CheckedShop } from '../messages/options.ts'
import { isLoopbackHost } from '../network/private-network.ts'
import { withoutToken } from '../shops/seal.ts'
import { withoutSlash } from '../shops/shop.ts'
import type { ConformanceCase, Level } from './case.ts'
import { conformanceCases } from './cases/index.ts'
import { call, curlOf, NotMet, Skip, succeeded } from './exchange.ts'
import { Receiver } from './receiver.ts'
import { type Exchange, isList, Target } from './target.ts'
import { closeTestOrders, type TestOrders } from './tidy.ts'

/** Options of a check of an endpoint. All are optional. */
export interface CheckOptions extends CheckedShop {
  /** Only cases about shipping or about payments. Default: everything the endpoint serves. */
  only?: Served
  /** The names of cases; all by default. */
  cases?: readonly string[]
  /** Leaves no test orders at the provider. Default false. */
  readOnly?: boolean
  /** The address at which a provider on another machine reaches the checker as the shop. */
  receiverUrl?: string
  /** The port that the checker listens on behind `receiverUrl`. Default: a free one. */
  receiverPort?: number
  /** How long to wait for an answer, in milliseconds. Default 20,000, as long as the most patient platform. */
  timeout?: number
  /** Called once before the first case, with what will be checked. */
  onStart?: (plan: CheckPlan) => void
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

/** The plan of a check, made once it is known what the endpoint serves. */
export interface CheckPlan {
  /** The services that are checked. */
  about: CheckReport['about']
  /** How many cases will be tried or skipped. */
  cases: number
  /** Whether payments of test orders are started. */
  startsPayments: boolean
}

/** The results of a check, and how many cases passed, failed, were skipped or are advice. */
export interface CheckReport extends Record<CaseResult['result'], number> {
  endpoint: string
  /** The services that were checked. */
  about: Served[]
  cases: number
  /** The payments of test orders that the provider started, and those that it still holds open. */
  testOrders: TestOrders
  results: CaseResult[]
}

/**
 * Checks a provider in any language against the contract. Rejects with `ENDPOINT_UNUSABLE` when there is nothing to check, and with
 * `ARGUMENT_INVALID` for an unknown case, country or currency, a zipcode of another country, or an endpoint that is not text.
 */
export async function checkProvider(urlEndpoint: string, options: CheckOptions = {}): Promise<CheckReport> {
  const endpoint = endpointOf(urlEndpoint)
  const chosen = casesNamed(options.cases)
  const { shopId, serves, leftOut } = await lookAt(endpoint, options)
  const asked = { ...options, serves, leftOut, found: new Map() }
  const about = serves.filter((one) => chosen.some((aCase) => [one, 'either'].includes(aCase.about)))
  options.onStart?.({
    about,
    cases: chosen.length,
    startsPayments: !options.readOnly && chosen.some((one) => one.writes && isAbout(one, serves)),
  })
  const { receiverUrl, timeout = usualTimeout, signal } = options
  const receiver = await Receiver.listen(receiverUrl, options.receiverPort)
  const receives = receiverUrl !== undefined || isLoopbackHost(new URL(endpoint).hostname)
  const target = new Target({ endpoint, sender: { ...options, shopId }, receiver, receives, timeout })
  const results: CaseResult[] = []
  let testOrders: TestOrders = { started: 0, open: 0 }
  try {
    const interrupted = untilAborted(signal)
    for (const one of chosen) {
      // An interrupt does not wait for the running case.
      const result = await Promise.race([tried(one, target, asked), interrupted])
      if (!result || signal?.aborted) break
      results.push(result)
      options.onResult?.(result)
    }
    const limit = signal?.aborted ? AbortSignal.timeout(tidyAfterInterrupt) : signal
    testOrders = await closeTestOrders(target, limit)
  } finally {
    await receiver.close()
  }
  const count = (wanted: CaseResult['result']) => results.filter(({ result }) => result === wanted).length
  return {
    endpoint: withoutToken(endpoint),
    about,
    cases: results.length,
    passed: count('passed'),
    failed: count('failed'),
    advice: count('advice'),
    skipped: count('skipped'),
    testOrders,
    results,
  }
}

/** How long test orders are closed after an interrupt, in milliseconds. */
const tidyAfterInterrupt = 2_000

const isAbout = ({ about }: ConformanceCase, serves: readonly string[]): boolean =>
  about === 'either' || serves.includes(about)

/** Never resolves without a signal. */
const untilAborted = (signal: AbortSignal | undefined): Promise<undefined> =>
  new Promise((resolve) => {
    if (signal?.aborted) resolve(undefined)
    else signal?.addEventListener('abort', () => resolve(undefined), { once: true })
  })

function endpointOf(text: string): string {
  if (typeof text !== 'string')
    throw wrongCall(
      'checkProvider() takes the urlEndpoint of a provider as text, such as https://provider.example/e/token',
    )
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol))
    throw unusable(`${text} is not an http or https address. Name the urlEndpoint of a provider.`)
  return withoutSlash(text)
}

const unusable = (message: string) => new PurveyorError('ENDPOINT_UNUSABLE', message)

function casesNamed(names: readonly string[] | undefined): readonly ConformanceCase[] {
  const unknown = names?.find((name) => !conformanceCases.some((one) => one.name === name))
  if (unknown !== undefined) throw wrongCall(`There is no case "${unknown}".`)
  return names ? conformanceCases.filter(({ name }) => names.includes(name)) : conformanceCases
}

/** Finds out whether a provider answers, what it serves, and whether it requires a shop id. */
async function lookAt(endpoint: string, { only, shopId, timeout = usualTimeout, ...sender }: CheckOptions) {
  const ask = async (id: number | undefined) => {
    const json = checkoutMessage({ ...sender, shopId: id })
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
  const refused = seen.rates.status !== undefined && !hasMethods(seen)
  if (id === undefined && refused) {
    const named = await ask(probeShopId)
    if (hasMethods(named)) [id, seen] = [probeShopId, named]
  }
  const served = bothServed.filter((about) => isServed(seen[about]))
  if (served.length === 0 && only === undefined) throw unusable(whyUnusable(endpoint, seen.rates))
  if (only !== undefined) {
    const asked = seen[only]
    // A 404 is checked: somebody says that it is served.
    if (!isServed(asked) && asked.status !== 404) throw unusable(whyUnusable(endpoint, asked))
    return { shopId: id, serves: [only], leftOut: `--only ${only} was asked for` }
  }
  const [missing] = bothServed.filter((about) => !served.includes(about))
  if (missing !== undefined && seen[missing].failure !== undefined)
    throw unusable(
      `${withoutToken(endpoint)} answers ${paths[served[0]!]}, and cannot be asked for ${paths[missing]}: ${seen[missing].failure}. To check the rest: --only ${served[0]}`,
    )
  const leftOut = missing === undefined ? '' : whyNotServed(paths[missing], seen[missing])
  return { shopId: id, serves: served, leftOut }
}

const paths = { rates: 'shipment_methods', payments: 'payment_methods' } as const

/** The reason why a service is not checked. */
function whyNotServed(path: string, { status = 0, text }: Exchange): string {
  if (status >= 300 && status < 400)
    return `The endpoint answers ${path} with a redirect, which no platform follows`
  if (status !== 404 && isHtml(text)) return `The endpoint answers ${path} with an HTML page`
  return `The endpoint answers status ${status} to ${path}, so it does not serve them`
}

const usualTimeout = 20_000
const probeShopId = 4711
/** By content: a provider may refuse with 200 and an error in its body. */
const hasMethods = ({ rates, payments }: Record<Served, Exchange>): boolean =>
  (succeeded(rates) && isList(rates.json, paths.rates)) ||
  (succeeded(payments) && isList(payments.json, paths.payments))
/** Any answer but "not found" counts: the cases report a broken one. */
const isServed = ({ status = 0, text }: Exchange) =>
  status >= 200 && status !== 404 && !(status >= 300 && status < 400) && !(status !== 201 && isHtml(text))
const isHtml = (text: string) => /^\s*<(!doctype|html)/i.test(text)

function whyUnusable(endpoint: string, { status, failure, text, answerHeaders }: Exchange): string {
  const where = withoutToken(endpoint)
  if (failure !== undefined) return `${where} cannot be called: ${failure}.`
  if (status !== undefined && status >= 300 && status < 400)
    return `${where} redirects to ${shortened(answerHeaders.location ?? 'nowhere')}. A platform follows no redirect: name the address that answers.`
  if (isHtml(text))
    return `${where} answers with an HTML page, so it is not a provider. Name the urlEndpoint itself.`
  return `${where} answers status ${status} to shipment_methods and payment_methods. Name the urlEndpoint of a provider, without these words at its end.`
}

const shortened = (text: string) => (text.length > 100 ? `${text.slice(0, 97)}...` : text)

const weight: Record<Level, number> = { must: 2, should: 1, note: 0 }

interface Trying extends CheckOptions {
  serves: readonly string[]
  /** Why the other service is not checked. */
  leftOut: string
  /** The faults that were found, with the case that reported each. */
  found: Map<string, ConformanceCase>
}

async function tried(one: ConformanceCase, target: Target, trying: Trying): Promise<CaseResult> {
  const { readOnly = false, serves, leftOut, found } = trying
  const { name, title, topic, section, level, platform, remedy } = one
  const shown = { name, title, topic, section, level }
  const since = performance.now()
  const ended = (rest: Pick<CaseResult, 'result'> & Partial<CaseResult>): CaseResult => ({
    ...shown,
    ...rest,
    ms: Math.round(performance.now() - since),
  })
  if (!isAbout(one, serves)) return ended({ result: 'skipped', reason: leftOut })
  if (readOnly && one.writes)
    return ended({ result: 'skipped', reason: 'It creates a test order, and --read-only forbids that' })
  try {
    await one.run(target)
    return ended({ result: 'passed' })
  } catch (error) {
    if (error instanceof Skip) return ended({ result: 'skipped', reason: error.message })
    const { expected, received, exchange, fault } =
      error instanceof NotMet ? error : new NotMet('an answer', (error as Error).message)
    const before = found.get(fault ?? '')
    if (before && weight[before.level] >= weight[level]) {
      const reason = `The same fault as ${before.name}: expected ${expected}, received ${received}`
      return ended({ result: 'skipped', reason })
    }
    if (fault !== undefined) found.set(fault, one)
    const curl = exchange && { curl: curlOf(exchange) }
    const result = level === 'must' ? 'failed' : 'advice'
    return ended({ result, expected, received, platform, remedy, ...curl })
  }
}
