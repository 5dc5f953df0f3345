import type { ShipmentEstimateRequest } from '../contract/index.ts'
import type { Need } from '../privacy/needs.ts'
import { neededFields, onlyNeeded } from '../privacy/needs.ts'
import type { Provider } from './provider.ts'

interface Needing {
  needs?: readonly Need[]
}

// biome-ignore lint/suspicious/noExplicitAny: what is left is what the adapter's own type parameter says
type Cut = (message: object) => any

const cuts = new WeakMap<Provider, Map<Needing, Cut>>()

/** What one adapter of a provider gets of a message that was read for all its adapters of one kind. */
export function cutFor(provider: Provider, kind: 'rates' | 'payments', adapter: Needing): Cut {
  const known = cuts.get(provider) ?? new Map<Needing, Cut>()
  cuts.set(provider, known)
  let cut = known.get(adapter)
  if (!cut) {
    cut = onlyNeeded(adapter, neededFields(provider[kind] as readonly Needing[]))
    known.set(adapter, cut)
  }
  return cut
}

/** A cart's question in the shape of a checkout's, for an adapter that answers both with `quote()`. */
export function asQuoteRequest(adapter: Needing, estimate: ShipmentEstimateRequest) {
  const { shipping_address: fields } = neededFields([adapter])
  const known = Object.entries(estimate.shipping_address).filter(([field]) => fields.includes(field))
  const { shop, quote } = estimate
  return { shop, quote, customer: {}, billing_address: {}, shipping_address: Object.fromEntries(known) }
}
