import type { Inspection } from '../../provider/inspection.ts'
import type { Provider } from '../../provider/provider.ts'
import { StoreUnavailable } from '../../store.ts'
import type { StorePort } from '../../store-port.ts'
import { whyNot } from '../../use-cases/shops/unlock-store.ts'
import { systemUser } from '../serve/system-user.ts'
import { type Checks, noneServes, type Patient } from './check.ts'
import { machineChecks } from './machine.ts'
import { networkChecks } from './network.ts'
import { onCallChecks } from './on-call.ts'
import { shopChecks } from './shop.ts'

/** All checks of `doctor`, in the order in which they run. */
export const doctorChecks: Checks = { ...machineChecks, ...networkChecks, ...shopChecks, ...onCallChecks }

const most = 10

/** Everything that the checks read. The rest is checked where a store does not open, or a shop cannot be read. */
export async function patientOf(
  provider: Provider,
  inspection: Inspection,
  { shop: named, production }: { shop: string | undefined; production: boolean },
): Promise<Patient> {
  const described = inspection.describe()
  const { store, storeFault, notServed } = described.volatile ? noStore : await storeOf(inspection)
  const found = notServed === undefined ? await shopOf(provider, store, named) : { noShop: noneServes }
  const { shop, noShop } = { shop: undefined, noShop: '', ...found }
  const endpoint = shop?.endpoints.find(({ expiresAt }) => expiresAt === undefined)?.url
  const ofStore = { store, storeFault, notServed }
  return { provider, inspection, described, production, ...ofStore, shop, noShop, endpoint }
}

const noStore = { store: undefined, storeFault: undefined, notServed: undefined }

async function storeOf(inspection: Inspection): Promise<Pick<Patient, 'store' | 'storeFault' | 'notServed'>> {
  try {
    const store = await inspection.openStore()
    const [notServed] = (await store.copyMarks()).flatMap((mark) => whyNot(mark) ?? [])
    return { ...noStore, store, notServed }
  } catch (error) {
    if (error instanceof StoreUnavailable) return { ...noStore, storeFault: error }
    throw error
  }
}

async function shopOf(provider: Provider, store: StorePort | undefined, named: string | undefined) {
  if (!store) return { noShop: 'The shop cannot be looked at without its store' }
  try {
    const ids = named === undefined ? (await store.shops(most + 1)).map(({ id }) => id) : [named]
    const [id, ...others] = ids
    if (id === undefined) return { noShop: 'There is no shop yet' }
    if (others.length === 0)
      return { shop: await provider.shops.show(id, { reveal: true, by: systemUser() }) }
    const count = ids.length > most ? await store.countShops() : ids.length
    const names = ids.length > most ? [...ids.slice(0, most), '...'] : ids
    return { noShop: `There are ${count} shops. Choose one with --shop: ${names.join(', ')}` }
  } catch (error) {
    if (error instanceof StoreUnavailable) return { noShop: 'The shop cannot be read' }
    throw error
  }
}
