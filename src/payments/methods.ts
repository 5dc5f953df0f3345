import {
  type ChosenPaymentMethod,
  type FieldFault,
  faultsOf,
  paymentMethodWriter,
  type WirePaymentMethod,
} from '../contract/index.ts'

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

// POST /payment names a method and no adapter. With one adapter its own ids go on the wire as they are; with several each id has its
// adapter's name as a prefix, so that finding it again needs no memory.

export const wireMethodId = (adapter: string, id: string, several: boolean): string =>
  several ? `${adapter}:${id}` : id

/** Finds the adapter and its own method id by either of the two names the platform sends (wire: `id` and `method`). */
export function routeMethod(
  adapters: readonly { name: string }[],
  chosen: ChosenPaymentMethod,
): { adapter: string; methodId: string } | undefined {
  const named = [chosen.id, chosen.method].filter((name) => name !== undefined)
  if (adapters.length === 1) return { adapter: adapters[0]!.name, methodId: named[0]! }
  for (const name of named) {
    const adapter = adapters.find((one) => name.startsWith(`${one.name}:`))
    if (adapter) return { adapter: adapter.name, methodId: name.slice(adapter.name.length + 1) }
  }
  return undefined
}
