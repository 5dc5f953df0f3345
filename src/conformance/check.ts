import type { Served } from '../contract/served.ts'
import { PurveyorError, wrongCall } from '../errors/errors.ts'
import { checkoutMessage } from '../messages/exact.ts'
import type { CheckedShop } from '../messages/options.ts'
import { isLoopbackHost } from '../network/private-network.ts'
import { withoutToken } from '../shops/seal.ts'
import { withoutSlash } from '../shops/shop.ts'
import { orAborted } from '../world.ts'
import { lists } from './answers.ts'
import type { ConformanceCase, RunnableCase } from './case.ts'
import { allCases } from './cases/index.ts'
import { call, type Exchange, NotMet, Skip, shown } from './exchange.ts'
import { Receiver } from './receiver.ts'
import { Target } from './target.ts'
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
  /** `failed` breaks the contract (`must`); `advice` is a `should` that does not hold. */
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
  const trying = { ...options, serves, leftOut }
  const about = serves.filter((one) => chosen.some((aCase) => isAbout(aCase, [one])))
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
    for (const one of chosen) {
      // An interrupt does not wait for the running case.
      const result = await orAborted(tried(one, target, trying), signal).catch(() => undefined)
      if (!result || signal?.aborted) break
      results.push(result)
      options.onResult?.(result)
    }
    // After an interrupt, test orders are closed for two seconds.
    testOrders = await closeTestOrders(target, signal?.aborted ? AbortSignal.timeout(2_000) : signal)
  } finally {
    await receiver.close()
  }
  const counts = { passed: 0, failed: 0, advice: 0, skipped: 0 }
  for (const { result } of results) counts[result]++
  return { endpoint: withoutToken(endpoint), about, cases: results.length, ...counts, testOrders, results }
}

const isAbout = ({ about }: ConformanceCase, serves: readonly Served[]): boolean =>
  about === 'either' || serves.includes(about)

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

function casesNamed(names: readonly string[] | undefined): readonly RunnableCase[] {
  const unknown = names?.find((name) => !allCases.some((one) => one.name === name))
  if (unknown !== undefined) throw wrongCall(`There is no case "${unknown}".`)
  return names ? allCases.filter(({ name }) => names.includes(name)) : allCases
}

/** Finds out whether a provider answers, what it serves, and whether it requires a shop id. */
async function lookAt(endpoint: string, { only, shopId, timeout = usualTimeout, ...sender }: CheckOptions) {
  const ask = async (id: number | undefined) => {
    const json = checkoutMessage({ ...sender, shopId: id })
    const headers = { 'x-shop-id': id === undefined ? null : String(id) }
    const [rates, payments] = await Promise.all(
      lists.map(({ path }) => call(`${endpoint}/${path}`, { json, headers, timeout })),
    )
    return { rates: rates!, payments: payments! }
  }
  // The first call with a shop id may bind an endpoint, so the id is left out if possible.
  let id = shopId
  let seen = await ask(id)
  if (id === undefined && seen.rates.status !== undefined && !hasMethods(seen)) {
    const named = await ask(probeShopId)
    if (hasMethods(named)) [id, seen] = [probeShopId, named]
  }
  if (only !== undefined) {
    // A 404 is checked: somebody says that it is served.
    if (!isServed(seen[only]) && seen[only].status !== 404) throw unusable(whyUnusable(endpoint, seen[only]))
    return { shopId: id, serves: [only], leftOut: `--only ${only} was asked for` }
  }
  const served = lists.filter(({ about }) => isServed(seen[about]))
  const left = lists.find((one) => !served.includes(one))
  const [first] = served
  if (!first) throw unusable(whyUnusable(endpoint, seen.rates))
  if (left && seen[left.about].failure !== undefined)
    throw unusable(
      `${withoutToken(endpoint)} answers ${first.path}, and cannot be asked for ${left.path}: ${seen[left.about].failure}. To check the rest: --only ${first.about}`,
    )
  const leftOut = left ? whyNotServed(left.path, seen[left.about]) : ''
  return { shopId: id, serves: served.map(({ about }) => about), leftOut }
}

function whyNotServed(path: string, exchange: Exchange): string {
  const { status = 0, text } = exchange
  if (redirects(exchange)) return `The endpoint answers ${path} with a redirect, which no platform follows`
  if (status !== 404 && isHtml(text)) return `The endpoint answers ${path} with an HTML page`
  return `The endpoint answers status ${status} to ${path}, so it does not serve them`
}

const usualTimeout = 20_000
const probeShopId = 4711
/** By content: a provider may refuse with 200 and an error in its body. */
const hasMethods = (seen: Record<Served, Exchange>): boolean =>
  lists.some(({ about, path }) => seen[about].succeeded && seen[about].hasList(path))
const redirects = ({ status = 0 }: Exchange) => status >= 300 && status < 400
const isHtml = (text: string) => /^\s*<(!doctype|html)/i.test(text)
/** Any answer but "not found" counts: the cases report a broken one. */
const isServed = (exchange: Exchange) => {
  const { status = 0, text } = exchange
  return status >= 200 && status !== 404 && !redirects(exchange) && (status === 201 || !isHtml(text))
}

function whyUnusable(endpoint: string, exchange: Exchange): string {
  const where = withoutToken(endpoint)
  const { status, failure, text, answerHeaders } = exchange
  if (failure !== undefined) return `${where} cannot be called: ${failure}.`
  if (redirects(exchange))
    return `${where} redirects to ${shown(answerHeaders.location ?? 'nowhere')}. A platform follows no redirect: name the address that answers.`
  if (isHtml(text))
    return `${where} answers with an HTML page, so it is not a provider. Name the urlEndpoint itself.`
  return `${where} answers status ${status} to shipment_methods and payment_methods. Name the urlEndpoint of a provider, without these words at its end.`
}

/** `leftOut` says why the other service is not checked. */
type Trying = CheckOptions & { serves: readonly Served[]; leftOut: string }

async function tried(one: RunnableCase, target: Target, trying: Trying): Promise<CaseResult> {
  const { name, title, topic, section, level } = one
  const since = performance.now()
  const outcome = await outcomeOf(one, target, trying)
  return { name, title, topic, section, level, ...outcome, ms: Math.round(performance.now() - since) }
}

type Outcome = Pick<CaseResult, 'result'> & Partial<CaseResult>
const skipped = (reason: string): Outcome => ({ result: 'skipped', reason })

async function outcomeOf(one: RunnableCase, target: Target, trying: Trying): Promise<Outcome> {
  const { readOnly = false, serves, leftOut } = trying
  const { name, level, platform, remedy, waitsFor = [] } = one
  const { found } = target
  if (!isAbout(one, serves)) return skipped(leftOut)
  if (readOnly && one.writes) return skipped('It creates a test order, and --read-only forbids that')
  try {
    const known = waitsFor.find((fault) => found.has(fault))
    if (known !== undefined) throw found.get(known)!.notMet
    await one.run(target)
    return { result: 'passed' }
  } catch (error) {
    if (error instanceof Skip) return skipped(error.message)
    const notMet = error instanceof NotMet ? error : new NotMet('an answer', (error as Error).message)
    const { expected, received, exchange, fault } = notMet
    const before = found.get(fault ?? '')
    if (before && (before.level === 'must' || level === 'should'))
      return skipped(`The same fault as ${before.name}: ${notMet.message}`)
    if (fault !== undefined) found.set(fault, { name, level, notMet })
    const result = level === 'must' ? 'failed' : 'advice'
    return { result, expected, received, platform, remedy, ...(exchange && { curl: exchange.curl }) }
  }
}
