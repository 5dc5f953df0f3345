import { z } from 'zod'
import { authorOf, type By } from '../audit.ts'
import { optionGroup } from '../checked-options.ts'
import { shopCodes } from '../errors/codes.ts'
import { type ErrorCode, hasCode, PurveyorError } from '../errors/errors.ts'
import type { Parts } from '../parts.ts'
import { ShopsExist } from '../store.ts'
import type { ShopStart } from '../store-port.ts'
import { changedSettings } from './audit.ts'
import { checkSettings, dropOtherImages, fetchBrandImages } from './change-settings.ts'
import { newEndpoint } from './seal.ts'
import { endpointUrl, hostNamed, isPlatformId, isShopId } from './shop.ts'
import type { Adapters } from './shop-settings.ts'
import { type Locating, servedAt } from './shop-view.ts'

/** A shop to add, with what is known of it. */
export interface NewShop extends By {
  /** The platform's id of the shop. Without it the first valid POST that names one binds the endpoint. */
  platformId?: string
  /** The only hosts that its `webhook_url` and `redirect_url` may name. Without them every host is accepted and noted. */
  hosts?: readonly string[]
  /** Units, fallback rates, credentials and adapter settings. Kept encrypted. */
  settings?: unknown
}

/** Each value has a check of its own. */
export const newShopOptions = optionGroup({
  platformId: z.unknown().optional(),
  hosts: z.unknown().optional(),
  settings: z.unknown().optional(),
  by: z.unknown().optional(),
})

type Check = <T>(field: ShopFault['field'], check: () => T) => T | undefined

/** Throws a `PurveyorError` for the first fault, unless `checked` keeps the faults of each field. */
export function checkNewShop(
  workings: Adapters & Parts<'world'>,
  { id, platformId, hosts, settings }: NewShop & { id: string },
  checked: Check = (_field, check) => check(),
) {
  checked('id', () => {
    if (typeof id !== 'string' || !isShopId(id)) throw new PurveyorError('SHOP_ID_INVALID')
  })
  if (platformId !== undefined) checked('platformId', () => checkPlatformId(platformId))
  const closed = hosts && checked('hosts', () => closedHosts(workings, hosts))
  const isSet = settings !== undefined
  const read = isSet ? checked('settings', () => checkSettings(workings, settings)) : undefined
  return { platformId, hosts: closed, settings: read }
}

/** The store's form: settings are sealed, and the audit trail gets their paths. */
export function startOf(
  workings: Adapters & Parts<'settings'>,
  id: string,
  { platformId, hosts, settings }: ReturnType<typeof checkNewShop>,
  by: string,
): ShopStart {
  const sealedSettings = settings && workings.settings.seal(id, settings)
  const paths = settings && changedSettings(workings, {}, settings)
  return { platformId, hosts, sealedSettings, settings: paths, by }
}

function closedHosts(workings: Parts<'world'>, hosts: readonly string[]): string[] {
  if (hosts.length === 0) throw new PurveyorError('HOSTS_MISSING')
  return hostNames(workings, hosts)
}

export function checkPlatformId(platformId: string): void {
  if (typeof platformId !== 'string' || !isPlatformId(platformId))
    throw new PurveyorError('PLATFORM_ID_INVALID')
}

export function hostNames({ world }: Parts<'world'>, hosts: readonly string[]): string[] {
  const invalid = (message: string, cause?: unknown) =>
    new PurveyorError('HOST_NAME_INVALID', message, { cause })
  return hosts.map((host) => {
    const name = hostNamed(host)
    const remedy =
      'Write it without https:// and *, and one at a time: shop.example.com, or shop.example.com:8443'
    if (name === undefined) throw invalid(`${host} is not a host. ${remedy}`)
    try {
      world.outgoing.check(`https://${name}/`)
      return name
    } catch (cause) {
      const fault =
        'is not public: its webhook_url would never be called. Name a public host: shop.example.com'
      throw invalid(`${host} ${fault}`, cause)
    }
  })
}

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
    const listed = faults.map((one) => `\n  ${one.index}.${one.field} ${one.code}: ${one.message}`)
    super('SHOPS_INVALID', `No shop was added, because of:${listed.join('')}`, { faults })
  }
}

type Adding = Adapters & Locating & Parts<'settings' | 'seal' | 'images'>

/** Adds all shops in one commit, or none. With `dryRun` it adds none. Rejects with a `ShopsInvalid` that names every fault. */
export async function addShops(
  workings: Adding,
  opened: () => Promise<unknown>,
  shops: readonly ListedShop[],
  { by, dryRun = false }: By & { dryRun?: boolean },
): Promise<{ shop: string; endpoint: string }[]> {
  const author = authorOf(by)
  const faults: ShopFault[] = []
  const checked = shops.map((shop, index) =>
    checkNewShop(workings, shop, (field, check) => {
      try {
        return check()
      } catch (error) {
        faults.push(...faultsOf(error, index, field))
        return undefined
      }
    }),
  )
  const seen = new Set<string>()
  for (const [index, { id }] of shops.entries()) {
    if (seen.has(id)) faults.push(faultOf(index, 'id', 'SHOP_TWICE'))
    seen.add(id)
  }
  await opened()
  const { store } = workings
  const ids = await store.shopIdsOf(shops.map(({ id }) => id))
  const there = (await store.shops()).map(({ id }) => id)
  faults.push(...faultsThere(ids, there))
  const fetched: string[] = []
  for (const [index, { settings }] of faults.length > 0 ? [] : checked.entries()) {
    if (!settings?.brand) continue
    const id = ids[index]!
    fetched.push(id)
    await fetchBrandImages(workings, id, settings).catch((error: unknown) => {
      faults.push(...faultsOf(error, index, 'settings'))
    })
  }
  // Images of shops that are not added are not kept.
  if (faults.length > 0 || dryRun) for (const id of fetched) await dropOtherImages(workings, id, {})
  if (faults.length > 0) throw new ShopsInvalid(faults.sort((one, other) => one.index - other.index))
  if (dryRun) return []
  const added = ids.map((id, index) => {
    const { token, ...endpoint } = newEndpoint(workings, id)
    return { id, token, endpoint, start: startOf(workings, id, checked[index]!, author) }
  })
  try {
    await store.addShops(added.map(({ id, endpoint, start }) => ({ id, endpoint, start })))
  } catch (error) {
    // It was added meanwhile.
    throw error instanceof ShopsExist ? new ShopsInvalid(faultsThere(ids, error.shopIds)) : error
  }
  const served = await servedAt(workings)
  return added.map(({ id, token }) => ({ shop: id, endpoint: endpointUrl(served, token) }))
}

/** With the text of its code: what was there may be a secret. */
const faultOf = (index: number, field: ShopFault['field'], code: keyof typeof shopCodes): ShopFault => {
  return { index, field, code, message: shopCodes[code].why }
}

function faultsOf(error: unknown, index: number, field: ShopFault['field']): ShopFault[] {
  if (hasCode(error, 'SETTINGS_INVALID'))
    return error.faults.map((fault) => ({ ...fault, index, field, code: error.code }))
  if (!(error instanceof PurveyorError && error.code in shopCodes)) throw error
  return [faultOf(index, field, error.code as keyof typeof shopCodes)]
}

function faultsThere(ids: readonly string[], there: readonly string[]): ShopFault[] {
  const known = new Set(there)
  return ids.flatMap((id, index) => (known.has(id) ? faultOf(index, 'id', 'SHOP_EXISTS') : []))
}
