import { hasCode } from '../../errors.ts'
import { inspect } from '../../provider/inspection.ts'
import type { Provider } from '../../provider/provider.ts'
import { type StorePort, StoreUnavailable } from '../../store.ts'
import { systemUser } from '../system-user.ts'
import type { Patient } from './check.ts'

/** So many shops are named to choose from. */
const most = 10

/** Everything that the checks read. The rest is checked where a store does not open, or a shop cannot be read. */
export async function patientOf(
  provider: Provider,
  { shop: named, production }: { shop: string | undefined; production: boolean },
): Promise<Patient> {
  const inspection = inspect(provider)
  const described = inspection.describe()
  const opened = described.volatile ? {} : await inspection.openStore().then(asStore, asFault)
  const { store, storeFault } = { store: undefined, storeFault: undefined, ...opened }
  const { shop, noShop } = { shop: undefined, noShop: '', ...(await shopOf(provider, store, named)) }
  const endpoint = shop?.endpoints.find(({ expiresAt }) => expiresAt === undefined)?.url
  return { provider, inspection, described, production, store, storeFault, shop, noShop, endpoint }
}

const asStore = (store: StorePort) => ({ store })

function asFault(storeFault: unknown): { storeFault: Error } {
  if (storeFault instanceof StoreUnavailable) return { storeFault }
  throw storeFault
}

/** The shop that is named, or the only one. */
async function shopOf(provider: Provider, store: StorePort | undefined, named: string | undefined) {
  if (!store) return { noShop: 'The shop cannot be looked at without its store' }
  try {
    const id = named ?? (await onlyShop(store))
    if (id === undefined) return { noShop: 'There is no shop yet' }
    if (typeof id === 'object') return id
    return { shop: await provider.shops.show(id, { reveal: true, by: systemUser() }) }
  } catch (error) {
    if (error instanceof StoreUnavailable || hasCode(error, 'STORE_MOVED'))
      return { noShop: 'The shop cannot be read' }
    throw error
  }
}

async function onlyShop(store: StorePort): Promise<string | { noShop: string } | undefined> {
  const ids = (await store.shops(most + 1)).map(({ id }) => id)
  if (ids.length < 2) return ids[0]
  const count = ids.length > most ? await store.countShops() : ids.length
  const names = ids.length > most ? [...ids.slice(0, most), '...'] : ids
  return { noShop: `There are ${count} shops. Choose one with --shop: ${names.join(', ')}` }
}
