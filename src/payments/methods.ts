import { type FieldFault, faultsOf, paymentMethodWriter, type WirePaymentMethod } from '../contract/index.ts'

export type CheckedMethod = { method: WirePaymentMethod } | { id: string | undefined; faults: FieldFault[] }

/** Checks one offered method and turns it into its wire form. Never throws. */
export function checkPaymentMethod(offered: unknown): CheckedMethod {
  try {
    const result = paymentMethodWriter.safeParse(offered)
    return result.success ? { method: result.data } : { id: undefined, faults: faultsOf(result.error) }
  } catch {
    // A getter of the adapter may throw.
    return { id: undefined, faults: [{ path: '$', message: 'threw while it was read' }] }
  }
}
