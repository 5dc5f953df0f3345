import type { ProviderDescription } from '../../provider/describe.ts'
import type { Inspection } from '../../provider/inspection.ts'
import type { Provider } from '../../provider/provider.ts'
import type { ShopView } from '../../use-cases/shops/shops.ts'

export type Verdict = 'ok' | 'warn' | 'fail' | 'skipped'

export interface Found {
  verdict: Verdict
  /** The finding, in a sentence. */
  says: string
  /** What to do; set for `warn` and `fail`. */
  remedy?: string
}

/** What the checks look at. */
export interface Patient {
  provider: Provider
  inspection: Inspection
  described: ProviderDescription
  /** Whether it is looked at as if for production. */
  production: boolean
  shop: ShopView | undefined
  /** The address that the shop calls; `undefined` without a live one. */
  endpoint: string | undefined
}

export interface DoctorCheck {
  name: string
  look(patient: Patient): Found | Promise<Found>
}

export const ok = (says: string): Found => ({ verdict: 'ok', says })
export const warn = (says: string, remedy: string): Found => ({ verdict: 'warn', says, remedy })
export const fail = (says: string, remedy: string): Found => ({ verdict: 'fail', says, remedy })
export const skipped = (says: string): Found => ({ verdict: 'skipped', says })

/** A fault in production, and good to know before. */
export const failIn = (production: boolean, says: string, remedy: string): Found =>
  production ? fail(says, remedy) : warn(says, remedy)
