import type { ChosenPaymentMethod } from '../contract/index.ts'

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
