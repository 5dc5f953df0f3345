import type { FieldFault, PaymentMethodsRequest, WirePaymentMethod } from '../../contract/index.ts'
import { wrongAnswer } from '../../errors.ts'
import { disagreement, pricesDisagree } from '../../money/index.ts'
import { wireMethodId } from '../../payments/choice.ts'
import { type CheckedMethod, checkPaymentMethod } from '../../payments/methods.ts'
import { printable } from '../../printable.ts'
import type { Shop } from '../../shops/shop.ts'
import { Deadline } from '../deadline.ts'
import { nearestIcon } from '../nearest-icon.ts'
import { cutFor } from '../personal-data.ts'
import type { AnyPaymentAdapter, Workings } from '../workings.ts'
import { CalledAdapter } from './called-adapter.ts'
import { paymentContext } from './payment-context.ts'

/** Asks all payment adapters in parallel (spec 4.3 payment_methods). A failing one never removes another's methods. */
export async function listPaymentMethods(
  workings: Workings,
  shop: Shop,
  request: PaymentMethodsRequest,
): Promise<WirePaymentMethod[]> {
  const deadline = new Deadline(workings.world, workings.deadlines.methods)
  const lists = await Promise.all(
    workings.payments.map(async (adapter) => {
      try {
        const needed = cutFor(workings, 'payments', adapter)(request)
        const called = new CalledAdapter(workings, adapter, shop.id, deadline)
        const ctx = await paymentContext(called)
        const list = () => adapter.methods(needed, ctx)
        const offered = await called.ask('methods', adapter.methods, list, (answer: unknown) => {
          if (Array.isArray(answer)) return answer
          throw wrongAnswer(`Payment adapter "${adapter.name}" must answer methods() with a list`)
        })
        return checkOffered(workings, adapter, offered, { id: shop.id, currency: request.shop.currency })
      } catch (error) {
        workings.world.log.warn(
          { adapter: adapter.name, err: error },
          'payment adapter failed to list its methods',
        )
        return []
      }
    }),
  )
  return lists.flat()
}

function checkOffered(
  workings: Workings,
  adapter: AnyPaymentAdapter,
  offered: unknown[],
  shop: { id: string; currency: string },
): WirePaymentMethod[] {
  const { world } = workings
  const ids = new Set<string>()
  return offered.flatMap((method, place) => {
    const checked = checkPaymentMethod(method, shop.currency)
    const id = 'method' in checked ? String(checked.method.id) : undefined
    if ('method' in checked && !ids.has(id!)) {
      ids.add(id!)
      warnOfIcon(workings, () => placeOf(workings, adapter, place), checked)
      if (pricesDisagree(checked.method, shop.currency))
        world.observer.refused('PRICES_DISAGREE', {
          ...{ shop: shop.id, fault: disagreement },
          ...placeOf(workings, adapter, place),
        })
      return { ...checked.method, id: wireMethodId(adapter.name, id!) }
    }
    const faults = 'faults' in checked ? checked.faults : [doubled(id!)]
    const about = placeOf(workings, adapter, place)
    world.log.warn({ ...about, faults }, 'payment method left out')
    const fault = faults.map(({ path, message }) => `${path === '$' ? 'it' : path} ${message}`).join(', ')
    world.observer.refused('METHOD_LEFT_OUT', { shop: shop.id, ...about, fault })
    return []
  })
}

/** The platform could not distinguish the two. */
const doubled = (id: string): FieldFault => ({
  path: 'id',
  message: `is "${printable(id)}", as that of an earlier method: give each method its own`,
})

/** The adapter and the number of a method, from 1, for the log; in development also the place of the adapter. */
function placeOf({ world }: Workings, { name, methods }: AnyPaymentAdapter, index: number) {
  const place = world.observer.placeOf(name, methods)
  return { adapter: name, method: index + 1, ...(place !== undefined && { place }) }
}

/** An icon that cannot be used, and in development a name that nearly is one of the contract. */
function warnOfIcon(
  { world, development }: Workings,
  about: () => object,
  { method, iconFault }: Extract<CheckedMethod, { method: unknown }>,
): void {
  if (iconFault) world.log.warn({ ...about(), faults: [iconFault] }, 'icon of a payment method left out')
  const { icon = '' } = method
  const near = development && icon ? nearestIcon(icon) : undefined
  if (near) world.log.warn(about(), `icon "${icon}" is not a name of the contract, did you mean "${near}"?`)
}
