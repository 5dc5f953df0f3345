import { disagreement, pricesDisagree } from '../../money/index.ts'
import type { Checked } from '../../rates/check.ts'
import type { LeftOut } from '../../rates/explanation.ts'
import type { Workings } from '../workings.ts'
import type { Context } from './rate-context.ts'
import { placesOf } from './still-true.ts'

/** Explains, logs and counts the methods of an answer whose prices disagree. They are offered as they are. */
export function noteDisagreements(
  { world: { observer } }: Workings,
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
