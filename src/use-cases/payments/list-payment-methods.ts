import type { PaymentMethodsRequest, WirePaymentMethod } from '../../contract/index.ts'
import { wrongAnswer } from '../../errors.ts'
import { wireMethodId } from '../../payments/choice.ts'
import { type CheckedMethod, checkPaymentMethod } from '../../payments/methods.ts'
import type { Shop } from '../../shops/shop.ts'
import { callAdapter } from '../call-adapter.ts'
import { Deadline } from '../deadline.ts'
import { nearestIcon } from '../nearest-icon.ts'
import { cutFor } from '../personal-data.ts'
import type { AnyPaymentAdapter, Workings } from '../workings.ts'
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
        const ctx = await paymentContext(workings, adapter, shop.id, deadline)
        const how = { adapter, call: 'methods', shop: shop.id, deadline }
        const offered = await callAdapter(workings, how, () => adapter.methods(needed, ctx))
        if (!Array.isArray(offered)) {
          throw wrongAnswer(`Payment adapter "${adapter.name}" must answer methods() with a list`)
        }
        return checkOffered(workings, adapter, offered, shop.id)
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
  shop: string,
): WirePaymentMethod[] {
  const { world } = workings
  return offered.flatMap((method, place) => {
    const checked = checkPaymentMethod(method)
    if ('method' in checked) {
      warnOfIcon(workings, { adapter: adapter.name, method: place + 1 }, checked)
      return { ...checked.method, id: wireMethodId(adapter.name, String(checked.method.id)) }
    }
    const about = { adapter: adapter.name, method: place + 1, faults: checked.faults }
    world.log.warn(about, 'payment method left out')
    const fault = checked.faults.map(({ path, message }) => `${path} ${message}`).join(', ')
    world.observer.refused('METHOD_LEFT_OUT', { shop, adapter: adapter.name, method: place + 1, fault })
    return []
  })
}

/** An icon that cannot be used, and in development a name that nearly is one of the contract. */
function warnOfIcon(
  { world, development }: Workings,
  about: { adapter: string; method: number },
  { method, iconFault }: Extract<CheckedMethod, { method: unknown }>,
): void {
  if (iconFault) world.log.warn({ ...about, faults: [iconFault] }, 'icon of a payment method left out')
  const { icon = '' } = method
  const near = development && icon ? nearestIcon(icon) : undefined
  if (near) world.log.warn(about, `icon "${icon}" is no name of the contract, did you mean "${near}"?`)
}
