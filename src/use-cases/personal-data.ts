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
