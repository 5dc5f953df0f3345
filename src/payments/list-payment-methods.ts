import { Deadline } from '../adapters/call-adapter.ts'
import { causeOf, readable, reasonOf } from '../adapters/cause-of.ts'
import { inLanguage } from '../adapters/offered-methods.ts'
import type { AnyPaymentAdapter } from '../any-adapter.ts'
import { nearestIcon } from '../checked-options.ts'
import {
  type FieldFault,
  faultsOf,
  type PaymentMethodsRequest,
  paymentMethodWriter,
  type WirePaymentMethod,
} from '../contract/index.ts'
import { wrongAnswer } from '../errors/errors.ts'
import { disagreement, meantFraction, pricesDisagree, unitFault } from '../money/index.ts'
import type { Parts } from '../parts.ts'
import { printable } from '../printable.ts'
import { type NoMethods, none } from '../rates/adapter.ts'
import type { Shop } from '../shops/shop.ts'
import { CalledAdapter, type Calling, paymentContext } from './called-adapter.ts'
import { wireMethodId } from './check-start.ts'

/** The answer of one payment adapter, with the reasons. `reason` is set without methods, if one is known. */
export interface ExplainedMethods {
  adapter: string
  ms: number
  result: 'methods' | 'none' | 'failed' | 'skipped'
  reason?: string
  methods: WirePaymentMethod[]
  /** The methods that are left out: their number, from 1, and why. */
  leftOut: { method: number; fault: string }[]
}

/** Asks all payment adapters in parallel (spec 4.3 payment_methods). A failing one never removes another's methods. */
export async function listPaymentMethods(workings: Calling, shop: Shop, request: PaymentMethodsRequest) {
  return (await explainPaymentMethods(workings, shop, request)).flatMap(({ methods }) => methods)
}

/** As `listPaymentMethods`, with why each adapter offers what it does. */
export function explainPaymentMethods(workings: Calling, shop: Shop, request: PaymentMethodsRequest) {
  const { world, payments } = workings
  const deadline = new Deadline(world, payments.deadlines.methods)
  return Promise.all(
    payments.adapters.map(async (adapter) => {
      const began = world.now()
      const outcome = await askAdapter(workings, adapter, { shop, request, deadline })
      const explained = { adapter: adapter.name, ms: world.now() - began, ...outcome }
      const { result, reason } = explained
      if (reason !== undefined && result !== 'failed')
        world.log.info({ shop: shop.id, adapter: adapter.name, reason }, 'payment methods explained')
      return explained
    }),
  )
}

async function askAdapter(
  workings: Calling,
  adapter: AnyPaymentAdapter,
  { shop, request, deadline }: { shop: Shop; request: PaymentMethodsRequest; deadline: Deadline },
): Promise<Omit<ExplainedMethods, 'adapter' | 'ms'>> {
  const { name } = adapter
  const { world, payments } = workings
  const { breakers } = payments.memory
  const nothing = { methods: [], leftOut: [] }
  const leftAlone = breakers.leavesAlone(name, shop.id)
  if (leftAlone) return { result: 'skipped', reason: leftAlone.message, ...nothing }
  const called = new CalledAdapter(workings, adapter, shop.id, deadline)
  try {
    const needed = payments.cuts.of(adapter)(request)
    const ctx = Object.assign(await paymentContext(called), { none })
    const offered = await called.ask('methods', () => adapter.methods(needed, ctx))
    if (!Array.isArray(offered) && typeof (offered as NoMethods | undefined)?.none !== 'string')
      throw wrongAnswer(`Payment adapter "${name}" must answer methods() with a list or ctx.none('why')`)
    breakers.answered(name, shop.id, Array.isArray(offered))
    if (!Array.isArray(offered)) return { result: 'none', reason: offered.none, ...nothing }
    const checked = checkOffered(workings, adapter, offered, { ...request.shop, id: shop.id })
    return { result: checked.methods.length > 0 ? 'methods' : 'none', ...checked }
  } catch (thrown) {
    const error = readable(thrown)
    const { lastStatus } = called
    const tried = { lastStatus, called: lastStatus !== undefined, readsFiles: false }
    const cause = causeOf(error, tried)
    const reason = reasonOf(error)
    const retryAt = world.now() + called.pause
    if (cause === 'request' || cause === 'settings') breakers.answered(name, shop.id, false)
    else breakers.failed(name, shop.id, { reason, ofCarrier: cause === 'carrier', retryAt })
    world.log.warn({ adapter: name, err: error }, 'payment adapter failed to list its methods')
    return { result: 'failed', reason, ...nothing }
  }
}

function checkOffered(
  workings: Parts<'world' | 'payments'>,
  adapter: AnyPaymentAdapter,
  offered: unknown[],
  shop: { id: string; language: string; currency: string },
): Pick<ExplainedMethods, 'methods' | 'leftOut'> {
  const { world } = workings
  const ids = new Set<string>()
  const leftOut: ExplainedMethods['leftOut'] = []
  const methods = offered.flatMap((method, index) => {
    const about = { adapter: adapter.name, method: index + 1 }
    const checked = checkPaymentMethod(method, shop)
    const id = 'method' in checked ? String(checked.method.id) : ''
    if ('method' in checked && !ids.has(id)) {
      ids.add(id)
      warnOfIcon(workings, about, checked)
      if (pricesDisagree(checked.method, shop.currency))
        world.observer.refused('PRICES_DISAGREE', { shop: shop.id, fault: disagreement, ...about })
      return { ...checked.method, id: wireMethodId(adapter.name, id) }
    }
    const faults = 'faults' in checked ? checked.faults : [doubled(id)]
    world.log.warn({ ...about, faults }, 'payment method left out')
    const fault = faults.map(({ path, message }) => `${path === '$' ? 'it' : path} ${message}`).join(', ')
    world.observer.refused('METHOD_LEFT_OUT', { shop: shop.id, ...about, fault })
    leftOut.push({ method: index + 1, fault })
    return []
  })
  return { methods, leftOut }
}

/** The platform could not distinguish the two. */
const doubled = (id: string): FieldFault => ({
  path: 'id',
  message: `is "${printable(id)}", as that of an earlier method: give each method its own`,
})

/** An icon that cannot be used, and in development a name that nearly is one of the contract. */
function warnOfIcon(
  { world, payments }: Parts<'world' | 'payments'>,
  about: object,
  { method, iconFault }: Extract<CheckedMethod, { method: unknown }>,
): void {
  if (iconFault) world.log.warn({ ...about, faults: [iconFault] }, 'icon of a payment method left out')
  const { icon = '' } = method
  const near = payments.development && icon ? nearestIcon(icon) : undefined
  if (near) world.log.warn(about, `icon "${icon}" is not a name of the contract, did you mean "${near}"?`)
}

type CheckedMethod =
  | {
      method: WirePaymentMethod
      /** Set where its icon cannot be used, and so is left out. */
      iconFault?: FieldFault
    }
  | { faults: FieldFault[] }

const iconFault: FieldFault = { path: 'icon', message: 'must be an icon name or an https address' }

/** Checks one offered method and turns it into its wire form. Never throws. `language` and `currency` are those of the shop. */
export function checkPaymentMethod(
  given: unknown,
  { language, currency }: { language: string; currency: string },
): CheckedMethod {
  try {
    const { title } = (given ?? {}) as { title?: unknown }
    const isLocal = typeof title === 'object' && title !== null
    const offered = isLocal ? { ...(given as object), title: inLanguage(title, language) } : given
    const result = paymentMethodWriter.safeParse(offered)
    if (!result.success) return { faults: faultsOf(result.error) }
    const { tax_rate: rate } = result.data
    if (Number(rate) > 1)
      return { faults: [{ path: 'tax_rate', message: `must be a fraction: ${meantFraction(rate)}` }] }
    const below = unitFault(Number(result.data.price_incl), currency)
    if (below) return { faults: [{ path: 'price_incl', message: below }] }
    const { icon, currency: from } = offered as { icon?: unknown; currency?: unknown }
    if (Number(result.data.price_incl) !== 0 && String(from ?? currency).toLowerCase() !== currency) {
      const message = `is ${printable(String(from))}, and the shop's is ${currency}`
      return { faults: [{ path: 'currency', message }] }
    }
    return { method: result.data, ...(icon && result.data.icon === '' ? { iconFault } : {}) }
  } catch {
    // A getter of the adapter may throw.
    return { faults: [{ path: '$', message: 'threw while it was read' }] }
  }
}
