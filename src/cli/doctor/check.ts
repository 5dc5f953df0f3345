import type { Exchange } from '../../conformance/exchange.ts'
import type { Served } from '../../contract/served.ts'
import type { Inspection, ProviderDescription } from '../../provider/inspection.ts'
import type { Provider } from '../../provider/provider.ts'
import type { StorePort } from '../../store-port.ts'
import type { ShopView } from '../../use-cases/shops/shop-view.ts'
import { storeTime } from '../provider/store.ts'

type Verdict = 'ok' | 'warn' | 'fail' | 'skipped'

export interface Found {
  verdict: Verdict
  says: string
  /** The fix; set for `warn` and `fail`. */
  remedy?: string
}

export interface Patient {
  provider: Provider
  inspection: Inspection
  described: ProviderDescription
  /** Whether the rules of production apply. */
  production: boolean
  /** Open; not set where there is none, or where it does not open. */
  store: StorePort | undefined
  storeFault: Error | undefined
  /** Why no provider may serve it, such as because it was moved; not set where one may. */
  notServed: string | undefined
  shop: ShopView | undefined
  noShop: string
  /** The address that the shop calls; `undefined` without a live one. */
  endpoint: string | undefined
  /** The provider's answer at its public address, once a check has asked for it. */
  answer?: Promise<Exchange>
}

export type Look = (patient: Patient) => Found | Promise<Found>

export type Checks = Readonly<Record<string, Look>>

export const ok = (says: string): Found => ({ verdict: 'ok', says })
export const warn = (says: string, remedy: string): Found => ({ verdict: 'warn', says, remedy })
export const fail = (says: string, remedy: string): Found => ({ verdict: 'fail', says, remedy })
export const skipped = (says: string): Found => ({ verdict: 'skipped', says })

/** The reason to skip a check that is about a store which no provider may serve. */
export const noneServes = 'No provider may serve this store: see the check `store`'

type LookInStore = (store: StorePort, now: number, patient: Patient) => Found | Promise<Found>

/** Looks into the store, where it opens and a provider may serve it. `now` is the time of the store. */
export const inStore =
  (look: LookInStore): Look =>
  (patient) => {
    if (patient.notServed !== undefined) return skipped(noneServes)
    if (patient.store) return look(patient.store, storeTime(patient.store), patient)
    return skipped(patient.storeFault ? 'The store does not open' : 'There is no store to inspect')
  }

/** Looks at what the provider may not serve. */
export const serving =
  (service: Served, look: Look): Look =>
  (patient) =>
    patient.provider.services.includes(service) ? look(patient) : skipped(`It serves no ${service}`)

export const servingInStore = (service: Served, look: LookInStore): Look => serving(service, inStore(look))
