import { disagreement, pricesDisagree } from '../../money/index.ts'
import type { Parts } from '../../parts.ts'
import type { MaybePromise } from '../../world.ts'
import { type Checked, earlier, passed } from '../check.ts'
import type { AdapterExplanation, LeftOut } from '../explanation.ts'
import { isFailure } from '../explanation.ts'
import type { Context } from './rate-context.ts'
import type { Outcome } from './rate-memory.ts'

/**
 * Makes sure that every promise is true when it is sent: an answer with a method whose `goodUntil` passed while other adapters were awaited is
 * asked for once more. A method that has passed even so is left out, and the others stay.
 */
export function stillTrue(
  answers: readonly AdapterExplanation[],
  now: () => number,
  askAgain: (place: number) => MaybePromise<AdapterExplanation>,
): MaybePromise<readonly AdapterExplanation[]> {
  // The clock is read only for answers with an end, which most have not.
  const passed = (answer: AdapterExplanation) => answer.goodUntil !== undefined && hasPassed(answer, now())
  if (!answers.some(passed)) return answers
  return (async () => {
    const again = await Promise.all(
      answers.map(async (answer, place) => (hasPassed(answer, now()) ? askAgain(place) : answer)),
    )
    return again.map((answer, place) => {
      if (!isFailure(answer)) return withoutPassed(answer, now())
      const first = withoutPassed(answers[place]!, now())
      return first.methods.length > 0 ? first : answer
    })
  })()
}

const hasPassed = ({ goodUntil, methods }: Outcome, now: number): boolean =>
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
export function noteDisagreements(
  { world: { observer } }: Parts<'world'>,
  ctx: Context,
  methods: Checked['methods'],
  leftOut: LeftOut[],
): void {
  const { name: adapter, audience } = ctx.part
  for (const [at, method] of methods.entries()) {
    if (!pricesDisagree(method, audience.currency)) continue
    const { id, price_incl, price_excl, tax_rate } = method
    ctx.note(`${id}: its price_incl ${price_incl} is not price_excl ${price_excl} with tax_rate ${tax_rate}`)
    const about = { shop: ctx.shop.id, adapter, method: placesOf({ methods, leftOut })[at]! }
    observer.refused('PRICES_DISAGREE', { ...about, fault: disagreement })
  }
}
