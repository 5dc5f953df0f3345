import { Deadline, neededFields } from '../../adapters/call-adapter.ts'
import { type Audience, checkShipmentMethods, maxMethods } from '../../adapters/offered-methods.ts'
import {
  type FactsByCode,
  type QuoteWithFacts,
  withFacts,
  withoutFacts,
} from '../../adapters/product-facts.ts'
import { type AnyRateAdapter, type FallbackShop, type Rating, withFallbacks } from '../../any-adapter.ts'
import {
  cleanBody,
  isRateEstimate,
  Problem,
  type Quote,
  readMessage,
  shipmentEstimateReader,
  shipmentMethodsReader,
  type WireShipmentMethod,
} from '../../contract/index.ts'
import { roundTotal, shipmentMessage } from '../../contract/read.ts'
import { wrongAnswer } from '../../errors/errors.ts'
import type { Parts } from '../../parts.ts'
import { defaultShopId, newShop, type Shop } from '../../shops/shop.ts'
import { OpenedSettings } from '../../shops/shop-settings.ts'
import { unknownShop } from '../../shops/shop-view.ts'
import { isPromise, type Log, type World } from '../../world.ts'
import type { RateQuestion } from '../adapter.ts'
import { type AdapterExplanation, failedOf, isFailure, type RatesExplanation } from '../explanation.ts'
import { RateAdapters } from './ask-rate-adapter.ts'
import { hasPassed, placesOf, stillTrue } from './outcome.ts'
import type { Part } from './rate-context.ts'

type Quoting = Parts<'world' | 'rates' | 'settings'>

/** Creates the function that reads a body, or throws `BODY_INVALID`. Fields that no adapter declares are not read. */
export function rateQuestionReader({ rates }: Parts<'rates'>): (body: unknown) => RateQuestion {
  const reader = shipmentMethodsReader(neededFields(withFallbacks(rates.adapters)))
  return (body) =>
    isRateEstimate(body)
      ? { estimate: readMessage(shipmentEstimateReader, body) }
      : { request: readMessage(reader, body) }
}

/** Answers a body of the platform, and explains why each method is in or out. */
export async function explainRates(
  workings: Quoting & Parts<'store' | 'drift'>,
  body: unknown,
  { shopId }: { shopId: string | undefined },
): Promise<RatesExplanation> {
  const given = structuredClone(body)
  cleanBody(given)
  const question = rateQuestionReader(workings)(given)
  roundTotal(question)
  // Without a shop nothing is looked up, so that a tariff can be tried without a store.
  const shop = shopId === undefined ? newShop(defaultShopId) : await workings.store.shop(shopId)
  if (!shop) throw unknownShop(shopId!)
  const settings = shopId === undefined ? new OpenedSettings(undefined, {}) : undefined
  const explanation = await quoteRates(workings, shop, question, settings, true)
  return { ...explanation, lost: workings.drift.lostIn(shipmentMessage(given), given) }
}

/** The part of the deadline that an adapter has at least when it is asked once more. */
const shareOfSecond = 0.1

/**
 * Asks all rate adapters in parallel and answers with the methods received by the deadline (spec 4.3 shipment_methods). A failing adapter
 * is left out and never removes another's methods. If one failed and there are no methods, the answer is the shop's fallback. Rejects with
 * `RATES_UNAVAILABLE` only with `onNothing: 'error'`. With `ownWords` the explanation repeats what errors of adapters say.
 */
export async function quoteRates(
  workings: Quoting,
  shop: Shop,
  asked: RateQuestion,
  settings: OpenedSettings = workings.settings.of(shop),
  ownWords = workings.rates.development,
): Promise<RatesExplanation> {
  const { world, rates } = workings
  const { rating } = rates
  const rateAdapters = new RateAdapters(workings)
  const started = world.now()
  const deadline = new Deadline(world, rates.deadline)
  const { language, currency } = ('request' in asked ? asked.request : asked.estimate).shop
  const audience: Audience = { language, currency, convert: rating.convert }

  const own = settings.productFacts
  const question =
    rating.productFacts || own ? await questionWithFacts(workings, shop, own, asked, deadline) : asked
  const settingsOfOne = (one: AnyRateAdapter) => settings.of(one)
  const ofAll = { shop, opened: settings, settings: settingsOfOne, audience, question, ownWords }
  const partOf = (adapter: AnyRateAdapter, ms: number, until?: Deadline): Part => ({
    ...ofAll,
    ...{ adapter, name: adapter.name, ms, deadline: until, isInner: false },
  })
  /** Asks once more in the time that is left, or in a tenth of it all. */
  const askAgain = (place: number) => {
    const left = started + rates.deadline - world.now()
    return rateAdapters.ask(partOf(rates.adapters[place]!, Math.max(left, rates.deadline * shareOfSecond)))
  }
  const parts = rates.adapters.map((one) => rateAdapters.ask(partOf(one, rates.deadline, deadline)))
  const answers = parts.some(isPromise)
    ? await Promise.all(parts.map(async (part) => part))
    : (parts as AdapterExplanation[])
  // The clock is read only for answers with an end, which most have not.
  const hasOneThatPassed = answers.some((one) => one.goodUntil !== undefined && hasPassed(one, world.now()))
  const explanations = hasOneThatPassed ? await stillTrue(answers, world.now, askAgain) : [...answers]

  const explanation: RatesExplanation = {
    asked: 'request' in question ? 'checkout' : 'estimate',
    ms: 0,
    deadline: rates.deadline,
    adapters: explanations,
    fallback: false,
    methods: merge(explanations),
  }
  if (explanation.methods.length === 0 && explanations.some((one) => failedOf(one).length > 0)) {
    nothingLeft(workings, shop, settings, audience, explanation)
  }
  explanation.ms = world.now() - started
  logExplanation(world, shop.id, explanation, ownWords)
  return explanation
}

/** Keeps the first of two methods with one id, which the platform could not distinguish, and the first hundred of all. */
function merge(explanations: AdapterExplanation[]): WireShipmentMethod[] {
  const merged: WireShipmentMethod[] = []
  const offeredBy = new Map<WireShipmentMethod['id'], string>()
  for (let place = 0; place < explanations.length; place++) {
    const one = explanations[place]!
    const dropped = new Map<number, string>()
    for (let at = 0; at < one.methods.length; at++) {
      const method = one.methods[at]!
      const other = offeredBy.get(method.id)
      if (merged.length >= maxMethods) dropped.set(at, `an answer has at most ${maxMethods} methods`)
      else if (other !== undefined) {
        const of = other === one.adapter ? '' : `, one of adapter "${other}"`
        const id = JSON.stringify(method.id)
        dropped.set(at, `another method has its id ${id}${of}: give each method its own`)
      } else {
        offeredBy.set(method.id, one.adapter)
        merged.push(withoutEnd(method))
      }
    }
    if (dropped.size > 0) explanations[place] = withoutDropped(one, dropped)
  }
  return merged
}

/** `dropped`: why, by the place in its methods. A copy, because the cache may keep an adapter's answer. */
function withoutDropped(one: AdapterExplanation, dropped: ReadonlyMap<number, string>): AdapterExplanation {
  const places = placesOf(one)
  const out = Array.from(dropped, ([at, reason]) => ({ place: places[at]!, id: one.methods[at]!.id, reason }))
  return {
    ...one,
    methods: one.methods.filter((_method, at) => !dropped.has(at)),
    leftOut: [...one.leftOut, ...out],
  }
}

function withoutEnd(method: AdapterExplanation['methods'][number]): WireShipmentMethod {
  if (method.goodUntil === undefined) return method
  const { goodUntil: _end, ...rest } = method
  return rest
}

function nothingLeft(
  { rates: { rating }, world }: Quoting,
  shop: Shop,
  settings: OpenedSettings,
  audience: Audience,
  explanation: RatesExplanation,
): void {
  const { language, currency } = audience
  const offered = settings.fallback ?? fallbackOf(rating, { id: shop.id, language, currency }, world.log)
  const { methods, leftOut } = checkShipmentMethods('fallback', offered, audience)
  explanation.fallback = methods.length > 0
  explanation.methods = methods
  const failed = explanation.adapters.flatMap(failedOf)
  const about = { shop: shop.id, failed, fallback: methods.length, leftOut }
  const all = explanation.adapters.every(isFailure) ? 'all adapters failed' : 'adapters failed'
  const outcome = methods.length > 0 ? 'returned the fallback rates' : 'returned no rates'
  world.log.error(about, `${all} (${failed.join(', ')}); ${outcome}`)
  if (methods.length === 0 && rating.onNothing === 'error') throw new Problem('RATES_UNAVAILABLE')
}

/** The result of the provider's own function. If it fails, there is no fallback, and the answer is still sent. */
function fallbackOf({ fallback }: Rating, shop: FallbackShop, log: Log): readonly unknown[] {
  try {
    const offered: unknown = fallback(shop)
    if (Array.isArray(offered)) return offered
    throw wrongAnswer('rates.fallback() must answer with a list of methods')
  } catch (error) {
    log.error({ shop: shop.id, err: error }, 'the fallback rates failed')
    return []
  }
}

function logExplanation({ log, observer }: World, shop: string, all: RatesExplanation, withCalls: boolean) {
  for (const one of all.adapters) {
    const { adapter, ms, cache, result, reason, methods, leftOut, notes, fallback } = one
    for (const { place: method, reason: fault } of leftOut)
      observer.refused('METHOD_LEFT_OUT', { shop, adapter, method, fault })
    if (result === 'failed' || (!reason && leftOut.length === 0 && notes.length === 0)) continue
    const calls = withCalls && one.calls.length > 0 ? one.calls : undefined
    const about = {
      shop,
      adapter,
      ms,
      cache,
      reason,
      fallback,
      calls,
      methods: methods.length,
      leftOut,
      notes,
    }
    log.info(about, 'rates explained')
  }
}

/** The question with the facts of its products; the shop's own go first. A file that cannot be read fails only adapters that read facts. */
async function questionWithFacts(
  { rates, world }: Quoting,
  { id }: Shop,
  own: FactsByCode | undefined,
  question: RateQuestion,
  deadline: Deadline,
): Promise<RateQuestion> {
  const changed = (read: (quote: Quote) => QuoteWithFacts) =>
    'request' in question
      ? { request: { ...question.request, quote: read(question.request.quote) } }
      : { estimate: { ...question.estimate, quote: read(question.estimate.quote) } }
  try {
    const loaded = rates.rating.productFacts?.of({ id }, world.now)
    const facts = isPromise(loaded) ? await deadline.wait(loaded) : loaded
    const all = facts && own ? new Map([...facts, ...own]) : (facts ?? own)
    return all ? changed((quote) => withFacts(quote, all)) : question
  } catch (error) {
    return changed((quote) => withoutFacts(quote, error))
  }
}
