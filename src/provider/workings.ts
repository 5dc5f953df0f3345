import { Cuts } from '../adapters/call-adapter.ts'
import { type Deadlines, withFallbacks } from '../any-adapter.ts'
import type { Workings } from '../parts.ts'
import { Addresses } from '../payments/addresses.ts'
import { PaymentMemory } from '../payments/payment-memory.ts'
import { RateMemory } from '../rates/asking/rate-memory.ts'
import { DriftNotes } from '../shops/drift.ts'
import { ContentSeal } from '../shops/seal.ts'
import { SettingsOfShops } from '../shops/shop-settings.ts'

interface Given
  extends Omit<Workings, 'rates' | 'payments' | 'addresses' | 'settings' | 'contents' | 'drift'> {
  rates: Workings['rates']['adapters']
  rating: Workings['rates']['rating']
  payments: Workings['payments']['adapters']
  deadlines: Partial<Deadlines>
  publicUrl: string
  issued: Addresses['issued']
}

/** Puts the inside of a provider together, with a memory of its own. */
export function newWorkings(given: Given): Workings {
  const { rates, rating, payments, deadlines: own, publicUrl, issued, ...parts } = given
  const { world, development } = parts
  const deadlines = { ...defaultDeadlines, ...own }
  return {
    ...parts,
    rates: {
      ...{ adapters: rates, rating, deadline: deadlines.rates, development },
      cuts: new Cuts(withFallbacks(rates)),
      memory: new RateMemory(world),
    },
    payments: {
      ...{ adapters: payments, deadlines, development },
      cuts: new Cuts(payments),
      memory: new PaymentMemory(world),
    },
    addresses: new Addresses(parts, publicUrl, issued),
    settings: new SettingsOfShops(parts.seal),
    contents: new ContentSeal(),
    drift: new DriftNotes(),
  }
}

export const defaultDeadlines = { rates: 2500, methods: 2500, start: 4000, status: 2000, page: 2500 }
