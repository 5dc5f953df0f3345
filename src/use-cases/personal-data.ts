import type { Need } from '../privacy/needs.ts'
import { neededFields, onlyNeeded } from '../privacy/needs.ts'
import type { Workings } from './workings.ts'

export interface Needing {
  needs?: readonly Need[]
}

// biome-ignore lint/suspicious/noExplicitAny: what is left is what the adapter's own type parameter says
export type Cut = (message: object) => any

/** What one adapter of a provider gets of a message that was read for all its adapters of one kind. */
export function cutFor(workings: Workings, kind: 'rates' | 'payments', adapter: Needing): Cut {
  const { cuts } = workings.memory
  let cut = cuts.get(adapter)
  if (!cut) {
    cut = onlyNeeded(adapter, neededFields(workings[kind] as readonly Needing[]))
    cuts.set(adapter, cut)
  }
  return cut
}
