import { neededFields, onlyNeeded } from '../privacy/needs.ts'
import type { Cut, Needing } from './memory.ts'
import { type Workings, withFallbacks } from './workings.ts'

/** Reduces a message that was read for all adapters of one kind to the fields of one adapter. */
export function cutFor(workings: Workings, kind: 'rates' | 'payments', adapter: Needing): Cut {
  const { cuts } = workings.memory
  let cut = cuts.get(adapter)
  if (!cut) {
    const all: readonly Needing[] = kind === 'rates' ? withFallbacks(workings.rates) : workings.payments
    cut = onlyNeeded(adapter, neededFields(all))
    cuts.set(adapter, cut)
  }
  return cut
}
