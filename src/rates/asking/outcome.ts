import { readable, reasonOf, wordsOf } from '../../adapters/cause-of.ts'
import {
  type Checked,
  checkShipmentMethods,
  earlier,
  type LeftOut,
  passed,
} from '../../adapters/offered-methods.ts'
import { placeOf } from '../../code-place.ts'
import type { WireShipmentMethod } from '../../contract/index.ts'
import { wrongAnswer } from '../../errors/errors.ts'
import { currencyDigits, disagreement, pricesDisagree } from '../../money/index.ts'
import type { Parts } from '../../parts.ts'
import type { MaybePromise } from '../../world.ts'
import type { EstimateRequest, NoMethods, RateAnswer } from '../adapter.ts'
import { type AdapterExplanation, isFailure, type Outcome } from '../explanation.ts'
import { LeftAlone } from './rate-breakers.ts'
import { type Context, InnerFailed, type Part } from './rate-context.ts'

type Noting = Parts<'world' | 'rates'>

export function outcomeOf(workings: Noting, ctx: Context, answer: RateAnswer): Outcome {
  const { adapter, name, audience, isInner } = ctx.part
  if (!Array.isArray(answer)) {
    const { none: why, goodUntil: end } = Object(answer) as Partial<NoMethods>
    if (typeof why !== 'string')
      throw wrongAnswer(`Rate adapter "${name}" must answer with a list of methods or none('why')`)
    // An end that is no instant, or had passed before, counts as none: the answer then has that of its cache.
    const goodUntil = Number.isFinite(end) && end! > ctx.since ? end : undefined
    return { ...outcomeOfNone(ctx, why), goodUntil }
  }
  const to = { ...audience, allowNegative: adapter.allowNegative }
  const checked = checkShipmentMethods(adapter.name, answer, to, ctx.since, isInner)
  const { methods, goodUntil } = checked
  const leftOut = [...ctx.leftOut, ...checked.leftOut]
  if (!isInner) {
    if (workings.rates.development) noteDoubts(workings, ctx.part, answer, { methods, leftOut })
    noteDisagreements(workings, ctx, methods, leftOut)
  }
  const rest = { ...restOf(ctx), methods, leftOut, goodUntil }
  if (methods.length > 0) return { ...rest, result: 'methods' }
  const reason = leftOut.length > 0 ? 'every method was left out' : 'it offered nothing'
  return { ...rest, result: 'none', reason }
}

export const outcomeOfNone = (ctx: Context, reason: string): Outcome => ({
  ...restOf(ctx),
  result: 'none',
  reason,
  methods: [],
})

const restOf = ({ part, leftOut, notes, counted, calls, failed, replaced }: Context) => ({
  ...{ adapter: part.name, leftOut, notes, parcels: counted, calls },
  ...(failed.length > 0 && { failed }),
  ...(replaced.length > 0 && { replaced }),
})

/** The outcome of an adapter that threw, or that a breaker leaves alone. `ctx` is not set before its call. */
export function outcomeOfFailure(
  { world }: Noting,
  { name: adapter, shop, ownWords }: Part,
  thrown: unknown,
  ctx?: Context,
): Outcome {
  const error = readable(thrown)
  const { notes = [], leftOut = [], calls = [] } = ctx ?? {}
  const rest = { adapter, methods: [], leftOut, notes, parcels: [], calls }
  if (error instanceof LeftAlone) return { ...rest, result: 'skipped', reason: error.message }
  if (error instanceof InnerFailed)
    return { ...rest, result: 'failed', reason: 'all adapters inside it failed' }
  const place = placeOf(error) ?? placeOf((error as Partial<Error> | null)?.cause)
  const words = ownWords ? wordsOf(error) : undefined
  const about = { adapter, shop: shop.id, err: error, ...(ownWords && { place, calls }) }
  world.log.warn(about, 'rate adapter failed')
  const reason = reasonOf(error)
  return { ...rest, result: 'failed', reason, ...(place && { place }), ...(words && { words }) }
}

/** Logs the first method of an adapter without an id, and its first prices that look like cents. */
function noteDoubts(
  { world, rates }: Noting,
  { name: adapter, question, audience }: Part,
  answer: readonly unknown[],
  checked: Pick<Checked, 'methods' | 'leftOut'>,
): void {
  const { unnamed, inCents } = rates.memory
  const isNoId = (one: unknown, at: number) => {
    const { id = null } = (one ?? {}) as { id?: unknown }
    return (id === null || id === '') && checked.leftOut.every(({ place }) => place !== at + 1)
  }
  const index = unnamed.has(adapter) ? -1 : answer.findIndex(isNoId)
  if (index >= 0) {
    unnamed.add(adapter)
    const fault = 'it has no id, so its id was made from its title: give it an id that never changes'
    world.log.warn({ adapter, method: index + 1, fault }, 'a method was given an id')
  }
  if (inCents.has(adapter)) return
  const { quote } =
    'request' in question ? question.request : (question as { estimate: EstimateRequest }).estimate
  const found = looksLikeCents(checked.methods, quote, audience.currency)
  if (!found) return
  inCents.add(adapter)
  const fault = `its price of ${found.written} looks like cents: did you mean ${found.meant}?`
  world.log.warn({ adapter, method: placesOf(checked)[found.at]!, fault }, 'a price looks wrong')
}

/** A price below this may be meant as it is. */
const least = 100
/** So many times the value of the cart is more than anybody pays for its delivery. */
const times = 5

/**
 * The first method of an answer whose prices look like cents, by its index, with the price that was meant. `undefined` unless all prices but
 * free ones are whole numbers from 100 that are above five times the value of the cart, in a currency with cents.
 */
export function looksLikeCents(
  methods: readonly Pick<WireShipmentMethod, 'price_incl' | 'price_excl'>[],
  cart: { price_incl: unknown },
  currency: string,
) {
  const value = Number(cart.price_incl)
  if (!(value > 0) || currencyDigits(currency) !== 2) return undefined
  const isOdd = (price: number) => Number.isInteger(price) && price >= least && price > times * value
  const sides = methods.map(({ price_incl, price_excl }) => [Number(price_excl), Number(price_incl)])
  const prices = sides.map((both) => both.find(isOdd))
  const isOfAll = sides.every(([, incl], at) => incl === 0 || prices[at] !== undefined)
  const at = prices.findIndex((price) => price !== undefined)
  const written = prices[at]
  return isOfAll && written !== undefined ? { at, written, meant: (written / 100).toFixed(2) } : undefined
}

/**
 * Makes sure that every promise is true when it is sent: an answer with a method whose `goodUntil` passed while other adapters were awaited is
 * asked for once more. A method that has passed even so is left out, and the others stay.
 */
export async function stillTrue(
  answers: readonly AdapterExplanation[],
  now: () => number,
  askAgain: (place: number) => MaybePromise<AdapterExplanation>,
): Promise<AdapterExplanation[]> {
  const again = await Promise.all(
    answers.map(async (answer, index) => (hasPassed(answer, now()) ? askAgain(index) : answer)),
  )
  return again.map((answer, index) => {
    if (!isFailure(answer)) return withoutPassed(answer, now())
    const first = withoutPassed(answers[index]!, now())
    return first.methods.length > 0 ? first : answer
  })
}

export const hasPassed = ({ goodUntil, methods }: Outcome, now: number): boolean =>
  goodUntil !== undefined && goodUntil <= now && methods.length > 0

/** The place of each method in the adapter's own answer, from which others may have been left out. */
export function placesOf({ methods, leftOut }: Pick<Outcome, 'methods' | 'leftOut'>): number[] {
  const out = new Set(leftOut.flatMap(({ place, inside }) => (inside === undefined ? [place] : [])))
  let place = 0
  return methods.map(() => {
    do place++
    while (out.has(place))
    return place
  })
}

export function withoutPassed<T extends Outcome>(answer: T, now: number): T {
  if (!hasPassed(answer, now)) return answer
  const holds = ({ goodUntil }: { goodUntil?: number }) => goodUntil === undefined || goodUntil > now
  const methods = answer.methods.filter(holds)
  const places = placesOf(answer)
  const leftOut = answer.methods.flatMap((one, at) =>
    holds(one) ? [] : [{ place: places[at]!, id: one.id!, reason: passed(one.goodUntil!, now) }],
  )
  const rest = {
    ...answer,
    methods,
    leftOut: [...answer.leftOut, ...leftOut],
    goodUntil: methods.reduce<number | undefined>((end, one) => earlier(end, one.goodUntil), undefined),
  }
  return methods.length > 0 ? rest : { ...rest, result: 'none', reason: leftOut[0]!.reason }
}

/** Explains, logs and counts the methods of an answer whose prices disagree. They are offered as they are. */
function noteDisagreements(
  { world: { observer } }: Noting,
  ctx: Context,
  methods: Checked['methods'],
  leftOut: LeftOut[],
): void {
  const { name: adapter, audience } = ctx.part
  for (const [at, method] of methods.entries()) {
    if (!pricesDisagree(method, audience.currency)) continue
    const { id, price_incl, price_excl, tax_rate } = method
    const why = `its price_incl ${price_incl} is not price_excl ${price_excl} with tax_rate ${tax_rate}`
    ctx.explain(`${id}: ${why}`)
    const about = { shop: ctx.shop.id, adapter, method: placesOf({ methods, leftOut })[at]! }
    observer.refused('PRICES_DISAGREE', { ...about, fault: disagreement })
  }
}
