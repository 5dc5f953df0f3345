import type { Exchange } from '../../conformance/exchange.ts'
import type { Served } from '../../contract/served.ts'
import type { Inspection, ProviderDescription } from '../../provider/inspection.ts'
import type { Provider } from '../../provider/provider.ts'
import type { ShopView } from '../../shops/shop-view.ts'
import { StoreUnavailable } from '../../store.ts'
import type { StorePort } from '../../store-port.ts'
import { storeTime } from '../provider/store.ts'
import { systemUser } from '../serve/system-user.ts'

export interface Found {
  verdict: 'ok' | 'warn' | 'fail' | 'skipped'
  says: string
  /** The fix; set for `warn` and `fail`. */
  remedy?: string
}

/** Everything that the checks read. The rest is checked where a store does not open, or a shop cannot be read. */
export interface Patient {
  provider: Provider
  inspection: Inspection
  described: ProviderDescription
  /** Whether the rules of production apply. */
  production: boolean
  /** Open; not set where there is none, or where it does not open. */
  store?: StorePort
  storeFault?: Error
  /** Why no provider may serve it, such as because it was moved; not set where one may. */
  notServed?: string | undefined
  shop?: ShopView
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
export const skip = (says: string): Found => ({ verdict: 'skipped', says })

const noneServes = 'No provider may serve this store: see the check `store`'

/** Looks into the store, where it opens and a provider may serve it. `now` is the time of the store. */
export const inStore =
  (look: (store: StorePort, now: number, patient: Patient) => ReturnType<Look>): Look =>
  (patient) => {
    if (patient.notServed !== undefined) return skip(noneServes)
    if (patient.store) return look(patient.store, storeTime(patient.store), patient)
    return skip(patient.storeFault ? 'The store does not open' : 'There is no store to inspect')
  }

/** Looks at what the provider may not serve. */
export const serving =
  (service: Served, look: Look): Look =>
  (patient) =>
    patient.provider.services.includes(service) ? look(patient) : skip(`It serves no ${service}`)

export const ofShop =
  (look: (shop: ShopView, patient: Patient) => ReturnType<Look>): Look =>
  (patient) =>
    patient.shop ? look(patient.shop, patient) : skip(patient.noShop)

export async function patientOf(
  provider: Provider,
  inspection: Inspection,
  { shop: named, production }: { shop: string | undefined; production: boolean },
): Promise<Patient> {
  const described = inspection.describe()
  const found = described.volatile ? {} : await storeOf(inspection)
  const { shop, noShop = '' } =
    found.notServed === undefined ? await shopOf(provider, found.store, named) : { noShop: noneServes }
  const endpoint = shop?.endpoints.find(({ expiresAt }) => expiresAt === undefined)?.url
  return { provider, inspection, described, production, ...found, ...(shop && { shop }), noShop, endpoint }
}

async function storeOf(inspection: Inspection): Promise<Pick<Patient, 'store' | 'storeFault' | 'notServed'>> {
  const { whyNot } = await import('../../shops/unlock-store.ts')
  try {
    const store = await inspection.openStore()
    const [notServed] = (await store.copyMarks()).flatMap((mark) => whyNot(mark) ?? [])
    return { store, notServed }
  } catch (error) {
    if (error instanceof StoreUnavailable) return { storeFault: error }
    throw error
  }
}

async function shopOf(provider: Provider, store?: StorePort, named?: string): Promise<Partial<Patient>> {
  if (!store) return { noShop: 'The shop cannot be checked without its store' }
  try {
    const ids = named === undefined ? (await store.shops(11)).map(({ id }) => id) : [named]
    const [id, ...others] = ids
    if (id === undefined) return { noShop: 'There is no shop yet' }
    if (others.length === 0)
      return { shop: await provider.shops.show(id, { reveal: true, by: systemUser() }) }
    const names = ids.length > 10 ? [...ids.slice(0, 10), '...'] : ids
    const count = await store.countShops()
    return { noShop: `There are ${count} shops. Choose one with --shop: ${names.join(', ')}` }
  } catch (error) {
    if (error instanceof StoreUnavailable) return { noShop: 'The shop cannot be read' }
    throw error
  }
}
