import type { Need } from '../privacy/needs.ts'
import { neededFields, onlyNeeded } from '../privacy/needs.ts'
import type { Workings } from './workings.ts'

interface Needing {
  needs?: readonly Need[]
}

// biome-ignore lint/suspicious/noExplicitAny: what is left is what the adapter's own type parameter says
type Cut = (message: object) => any

const cuts = new WeakMap<Workings, Map<Needing, Cut>>()

/** What one adapter of a provider gets of a message that was read for all its adapters of one kind. */
export function cutFor(workings: Workings, kind: 'rates' | 'payments', adapter: Needing): Cut {
  const known = cuts.get(workings) ?? new Map<Needing, Cut>()
  cuts.set(workings, known)
  let cut = known.get(adapter)
  if (!cut) {
    cut = onlyNeeded(adapter, neededFields(workings[kind] as readonly Needing[]))
    known.set(adapter, cut)
  }
  return cut
}
