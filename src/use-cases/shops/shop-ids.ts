import { defaultShopId } from '../../shops/shop.ts'
import type { StorePort } from '../../store-port.ts'

/** The id of the shop that has this name now, or that the next one with it gets. Default: that of the shop without a name. */
export const shopIdOf = async (store: StorePort, name = defaultShopId): Promise<string> =>
  (await store.shopIdsOf([name]))[0]!
