import { shopCodes } from '../../codes.ts'
import { type ErrorCode, hasCode, PurveyorError } from '../../errors.ts'
import { endpointUrl } from '../../shops/shop.ts'
import { ShopsExist } from '../../store.ts'
import type { Workings } from '../workings.ts'
import { authorOf, type By } from './audit.ts'
import { dropOtherImages, fetchBrandImages } from './change-settings.ts'
import { type CheckedShop, checkNewShop, type NewShop, newEndpoint, startOf } from './new-shop.ts'
import { servedAt } from './shop-view.ts'

/** One of many shops to add in one commit. */
export interface ListedShop extends Omit<NewShop, 'by'> {
  id: string
}

/** A fault of one of the shops. Says what was expected, and never the given value, which may be a secret. */
export interface ShopFault {
  /** The place in the list, from 0. */
  index: number
  field: 'id' | 'platformId' | 'hosts' | 'settings'
  code: ErrorCode
  /** The path in the settings. */
  path?: string
  message: string
}

/** Shops of the list have faults, and none was added. */
export class ShopsInvalid extends PurveyorError {
  declare readonly faults: readonly ShopFault[]
  constructor(faults: readonly ShopFault[]) {
    const listed = faults.map(
      ({ index, field, code, message }) => `\n  ${index}.${field} ${code}: ${message}`,
    )
    super('SHOPS_INVALID', `No shop was added, because of:${listed.join('')}`, { faults })
  }
}

/** Adds all shops in one commit, or none. With `dryRun` it adds none. Rejects with a `ShopsInvalid` that names every fault. */
export async function addShops(
  workings: Workings,
  opened: () => Promise<unknown>,
  shops: readonly ListedShop[],
  { by, dryRun = false }: By & { dryRun?: boolean },
): Promise<{ shop: string; endpoint: string }[]> {
  const author = authorOf(by)
  const faults: ShopFault[] = []
  const checked = shops.map((shop, index) => checkListed(workings, shop, index, faults))
  addTwice(shops, faults)
  await opened()
  const { store } = workings
  const ids = await store.shopIdsOf(shops.map(({ id }) => id))
  const there = (await store.shops()).map(({ id }) => id)
  addThere(ids, there, faults)
  const withImages =
    faults.length > 0 ? [] : [...checked.entries()].filter(([, { settings }]) => settings?.brand)
  const fetched: string[] = []
  for (const [index, { settings }] of withImages) {
    const id = ids[index]!
    fetched.push(id)
    await fetchBrandImages(workings, id, settings!).catch((error: unknown) => {
      faults.push(...faultsOf(error, index, 'settings'))
    })
  }
  // Images of shops that are not added are not kept.
  if (faults.length > 0 || dryRun) for (const id of fetched) await dropOtherImages(workings, id, {})
  if (faults.length > 0) throw new ShopsInvalid(inOrder(faults))
  if (dryRun) return []
  const added = ids.map((id, index) => {
    const { token, ...endpoint } = newEndpoint(workings, id)
    return { id, token, endpoint, start: startOf(workings, id, checked[index]!, author) }
  })
  try {
    await store.addShops(added.map(({ id, endpoint, start }) => ({ id, endpoint, start })))
  } catch (error) {
    if (!(error instanceof ShopsExist)) throw error
    // It was added meanwhile.
    addThere(ids, error.shopIds, faults)
    throw new ShopsInvalid(faults)
  }
  const served = await servedAt(workings)
  return added.map(({ id, token }) => ({ shop: id, endpoint: endpointUrl(served, token) }))
}

const checkListed = (workings: Workings, shop: ListedShop, index: number, faults: ShopFault[]): CheckedShop =>
  checkNewShop(workings, shop, (field, check) => {
    try {
      return check()
    } catch (error) {
      faults.push(...faultsOf(error, index, field))
      return undefined
    }
  })

/** With the text of its code: what was there may be a secret. */
const faultOf = (index: number, field: ShopFault['field'], code: keyof typeof shopCodes): ShopFault => ({
  index,
  field,
  code,
  message: shopCodes[code].why,
})

function faultsOf(error: unknown, index: number, field: ShopFault['field']): ShopFault[] {
  if (hasCode(error, 'SETTINGS_INVALID'))
    return error.faults.map((fault) => ({ ...fault, index, field, code: error.code }))
  if (!(error instanceof PurveyorError && error.code in shopCodes)) throw error
  return [faultOf(index, field, error.code as keyof typeof shopCodes)]
}

function addTwice(shops: readonly ListedShop[], faults: ShopFault[]): void {
  const seen = new Set<string>()
  for (const [index, { id }] of shops.entries()) {
    if (seen.has(id)) faults.push(faultOf(index, 'id', 'SHOP_TWICE'))
    seen.add(id)
  }
}

function addThere(ids: readonly string[], there: readonly string[], faults: ShopFault[]): void {
  const known = new Set(there)
  for (const [index, id] of ids.entries()) if (known.has(id)) faults.push(faultOf(index, 'id', 'SHOP_EXISTS'))
}

const inOrder = (faults: ShopFault[]): ShopFault[] => faults.sort((a, b) => a.index - b.index)
