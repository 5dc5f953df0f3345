import { inLanguage } from '../adapters/local-text.ts'
import {
  type ChosenPaymentMethod,
  type FieldFault,
  faultsOf,
  paymentMethodWriter,
  type WirePaymentMethod,
} from '../contract/index.ts'
import { meantFraction, unitFault } from '../money/index.ts'
import { printable } from '../printable.ts'

// POST /payment names a method and no adapter, in two fields that live platforms fill differently: `id` names the service and `method`
// the choice, or both name the choice. So every id on the wire carries its adapter in front, and the way back needs no memory.

export const wireMethodId = (adapter: string, id: string): string => `${adapter}:${id}`

/**
 * The adapter of the customer's choice, and the adapter's own id of the method: of `method` and `id` the first that carries an adapter.
 * Where neither does, a provider with one adapter takes `method`, else `id`, as it is. `undefined`: no adapter offers it.
 */
export function chosenMethod(
  adapters: readonly { name: string }[],
  { method, id }: Partial<Pick<ChosenPaymentMethod, 'method' | 'id'>>,
): { adapter: string; methodId: string } | undefined {
  const names = [method, id].filter((name) => name !== undefined && name !== '') as string[]
  for (const name of names) {
    const adapter = adapters.find((one) => name.startsWith(wireMethodId(one.name, '')))
    const methodId = adapter && name.slice(wireMethodId(adapter.name, '').length)
    if (methodId) return { adapter: adapter.name, methodId }
  }
  const [only, ...others] = adapters
  const [name] = names
  return only && others.length === 0 && name !== undefined
    ? { adapter: only.name, methodId: name }
    : undefined
}

export type CheckedMethod =
  | {
      method: WirePaymentMethod
      /** Set where its icon cannot be used, and so is left out. */
      iconFault?: FieldFault
    }
  | { id: string | undefined; faults: FieldFault[] }

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
    if (!result.success) return { id: undefined, faults: faultsOf(result.error) }
    const { tax_rate: rate } = result.data
    if (Number(rate) > 1)
      return {
        id: undefined,
        faults: [{ path: 'tax_rate', message: `must be a fraction: ${meantFraction(rate)}` }],
      }
    const below = unitFault(Number(result.data.price_incl), currency)
    if (below) return { id: undefined, faults: [{ path: 'price_incl', message: below }] }
    const { icon, currency: from } = offered as { icon?: unknown; currency?: unknown }
    if (Number(result.data.price_incl) !== 0 && String(from ?? currency).toLowerCase() !== currency) {
      const message = `is ${printable(String(from))}, and the shop's is ${currency}`
      return { id: undefined, faults: [{ path: 'currency', message }] }
    }
    const isLeftOut = Boolean(icon) && result.data.icon === ''
    return isLeftOut ? { method: result.data, iconFault } : { method: result.data }
  } catch {
    // A getter of the adapter may throw.
    return { id: undefined, faults: [{ path: '$', message: 'threw while it was read' }] }
  }
}
