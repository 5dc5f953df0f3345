import { type FieldFault, faultsOf, paymentMethodWriter, type WirePaymentMethod } from '../contract/index.ts'
import { meantFraction, unitFault } from '../money/index.ts'
import { printable } from '../printable.ts'
import { inLanguage } from '../rates/local-text.ts'

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
