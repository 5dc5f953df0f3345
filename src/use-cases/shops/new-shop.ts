import { z } from 'zod'
import { PurveyorError } from '../../errors.ts'
import { endpointRow, hashToken, pushAddressRow, type SealedRow, tokenBytes } from '../../shops/seal.ts'
import { hostNamed, isPlatformId, isShopId } from '../../shops/shop.ts'
import type { NewEndpoint, ShopStart } from '../../store-port.ts'
import { optionGroup } from '../checked-options.ts'
import type { Workings } from '../workings.ts'
import { type By, changedSettings } from './audit.ts'
import type { ShopSettings } from './opened-settings.ts'
import { checkSettings, sealedSettings } from './shop-settings.ts'

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

export interface CheckedShop {
  platformId: string | undefined
  hosts: string[] | undefined
  settings: ShopSettings | undefined
}

type Check = <T>(field: 'id' | 'platformId' | 'hosts' | 'settings', check: () => T) => T | undefined

/** Throws a `PurveyorError` for the first fault, unless `checked` keeps the faults of each field. */
export function checkNewShop(
  workings: Workings,
  { id, platformId, hosts, settings }: NewShop & { id: string },
  checked: Check = (_field, check) => check(),
): CheckedShop {
  checked('id', () => checkShopId(id))
  if (platformId !== undefined) checked('platformId', () => checkPlatformId(platformId))
  return {
    platformId,
    hosts: hosts && checked('hosts', () => closedHosts(workings, hosts)),
    settings:
      settings === undefined ? undefined : checked('settings', () => checkSettings(workings, settings)),
  }
}

/** The store's form: settings are sealed, and the audit trail gets their paths. */
export const startOf = (
  workings: Workings,
  id: string,
  { platformId, hosts, settings }: CheckedShop,
  by: string,
): ShopStart => ({
  platformId,
  hosts,
  sealedSettings: settings && sealedSettings(workings, id, settings),
  settings: settings && changedSettings(workings, {}, settings),
  by,
})

/** A new endpoint of a shop with its token, which is stored as its hash and encrypted. */
export const newEndpoint = (workings: Workings, shopId: string): NewEndpoint & { token: string } =>
  newAddress(workings, (tokenHash) => endpointRow(shopId, tokenHash))

/** A new push address of a payment service, stored in the same way. */
export function newPushAddress(workings: Workings, shopId: string, adapter: string): NewEndpoint {
  const { token: _, ...address } = newAddress(workings, (tokenHash) =>
    pushAddressRow(shopId, adapter, tokenHash),
  )
  return address
}

function newAddress(
  { world, seal }: Workings,
  rowOf: (tokenHash: string) => SealedRow,
): NewEndpoint & { token: string } {
  const token = world.token(tokenBytes)
  const tokenHash = hashToken(token)
  return { tokenHash, sealedToken: seal.close(token, rowOf(tokenHash)), now: world.now(), token }
}

function checkShopId(id: string): void {
  if (typeof id === 'string' && isShopId(id)) return
  throw new PurveyorError('SHOP_ID_INVALID')
}

/** The hosts of an initially closed list. */
function closedHosts(workings: Workings, hosts: readonly string[]): string[] {
  const names = hostNames(workings, hosts)
  if (names.length === 0) throw noHosts()
  return names
}

export function checkPlatformId(platformId: string): void {
  if (typeof platformId === 'string' && isPlatformId(platformId)) return
  throw new PurveyorError('PLATFORM_ID_INVALID')
}

export const noHosts = (): PurveyorError => new PurveyorError('HOSTS_MISSING')

export function hostNames({ world }: Workings, hosts: readonly string[]): string[] {
  return hosts.map((host) => {
    const name = hostNamed(host)
    if (name === undefined) {
      throw new PurveyorError(
        'HOST_NAME_INVALID',
        `${host} is not a host. Name each one by itself, without https:// and *: shop.example.com, or shop.example.com:8443`,
      )
    }
    try {
      world.outgoing.check(`https://${name}/`)
    } catch (cause) {
      throw new PurveyorError(
        'HOST_NAME_INVALID',
        `${host} is not public: its webhook_url would never be called. Name a public host: shop.example.com`,
        { cause },
      )
    }
    return name
  })
}
