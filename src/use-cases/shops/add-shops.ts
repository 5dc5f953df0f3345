import { endpointUrl } from '../../shops/shop.ts'
import { ShopsExist } from '../../store.ts'
import type { Workings } from '../workings.ts'
import { authorOf, type By } from './audit.ts'
import {
  type CheckedShop,
  checkPlatformId,
  checkShopId,
  closedHosts,
  type NewShop,
  newEndpoint,
  startOf,
} from './new-shop.ts'
import { ShopProblem } from './shop-problem.ts'
import { checkSettings, SettingsInvalid } from './shop-settings.ts'

/** One of many shops to add in one commit. */
export interface ListedShop extends Omit<NewShop, 'by'> {
  id: string
}

/** A fault of one of the shops. Says what was expected, and never the given value, which may be a secret. */
export interface ShopFault {
  /** The place in the list, from 0. */
  index: number
  field: 'id' | 'platformId' | 'hosts' | 'settings'
  code: ShopProblem['code'] | SettingsInvalid['code']
  /** The path in the settings. */
  path?: string
  message: string
}

/** Shops of the list have faults, and none was added. */
export class ShopsInvalid extends Error {
  override readonly name = 'ShopsInvalid'
  readonly code = 'SHOPS_INVALID'
  readonly faults: readonly ShopFault[]
  constructor(faults: readonly ShopFault[]) {
    const listed = faults.map(
      ({ index, field, code, message }) => `\n  ${index}.${field} ${code}: ${message}`,
    )
    super(`No shop was added, because of:${listed.join('')}`)
    this.faults = faults
  }
}

const messages = {
  SHOP_NAME_INVALID: 'is not a name of a shop: lower-case letters, digits, - and _, at most 63',
  PLATFORM_ID_INVALID:
    'is not the id of a shop at its platform: a whole number without leading zeros, such as 4711',
  HOST_NAME_INVALID: 'holds an entry that is not a public host such as shop.example.com',
  HOSTS_MISSING: 'is a closed list without a host',
  SHOP_EXISTS: 'names a shop that exists already',
} as const

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
  addThere(shops, await workings.store.shopsAmong(shops.map(({ id }) => id)), faults)
  if (faults.length > 0) throw new ShopsInvalid(inOrder(faults))
  if (dryRun) return []
  const added = shops.map(({ id }, index) => {
    const { token, ...endpoint } = newEndpoint(workings, id)
    return { id, token, endpoint, start: startOf(workings, id, checked[index]!, author) }
  })
  try {
    await workings.store.addShops(added.map(({ id, endpoint, start }) => ({ id, endpoint, start })))
  } catch (error) {
    if (!(error instanceof ShopsExist)) throw error
    // It was added meanwhile.
    addThere(shops, error.shopIds, faults)
    throw new ShopsInvalid(faults)
  }
  return added.map(({ id, token }) => ({ shop: id, endpoint: endpointUrl(workings.publicUrl, token) }))
}

function checkListed(
  workings: Workings,
  { id, platformId, hosts, settings }: ListedShop,
  index: number,
  faults: ShopFault[],
): CheckedShop {
  const trying = <T>(field: ShopFault['field'], check: () => T): T | undefined => {
    try {
      return check()
    } catch (error) {
      faults.push(...faultsOf(error, index, field))
      return undefined
    }
  }
  trying('id', () => checkShopId(id))
  if (platformId !== undefined) trying('platformId', () => checkPlatformId(platformId))
  return {
    platformId,
    hosts: hosts && trying('hosts', () => closedHosts(workings, hosts)),
    settings:
      settings === undefined ? undefined : trying('settings', () => checkSettings(workings, settings)),
  }
}

function faultsOf(error: unknown, index: number, field: ShopFault['field']): ShopFault[] {
  if (error instanceof SettingsInvalid)
    return error.errors.map(({ path, message }) => ({ index, field, code: error.code, path, message }))
  if (!(error instanceof ShopProblem) || !(error.code in messages)) throw error
  return [{ index, field, code: error.code, message: messages[error.code as keyof typeof messages] }]
}

function addTwice(shops: readonly ListedShop[], faults: ShopFault[]): void {
  const seen = new Set<string>()
  for (const [index, { id }] of shops.entries()) {
    if (seen.has(id))
      faults.push({ index, field: 'id', code: 'SHOP_TWICE', message: 'names a shop of an earlier row' })
    seen.add(id)
  }
}

function addThere(shops: readonly ListedShop[], there: readonly string[], faults: ShopFault[]): void {
  const known = new Set(there)
  for (const [index, { id }] of shops.entries())
    if (known.has(id)) faults.push({ index, field: 'id', code: 'SHOP_EXISTS', message: messages.SHOP_EXISTS })
}

const inOrder = (faults: ShopFault[]): ShopFault[] => faults.sort((a, b) => a.index - b.index)
