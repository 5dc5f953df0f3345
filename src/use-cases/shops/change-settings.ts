import { type Shop, withoutUserInfo } from '../../shops/shop.ts'
import type { Parts } from '../parts.ts'
import { changedSettings } from './audit.ts'
import {
  type Adapters,
  type Credentials,
  checkSettings,
  type ShopSettings,
  settingsInvalid,
} from './shop-settings.ts'

/**
 * Fetches the images of a shop's brand once, through the guard of all outgoing calls. Rejects with `SETTINGS_INVALID` for one that is not
 * there or that pages cannot show: nothing is saved then.
 */
export async function fetchBrandImages(
  { images }: Parts<'images'>,
  shopId: string,
  { brand }: ShopSettings,
): Promise<void> {
  const faults = await Promise.all(
    (['logo', 'favicon'] as const).map(async (member) => {
      const given = brand?.[member]
      if (given === undefined) return []
      const source = String(given)
      const fault = await images.fetch(source, shopId)
      // The host may be down, and the image is known.
      return fault === undefined || (await images.shown(source, shopId))
        ? []
        : [{ path: `brand.${member}`, message: fault }]
    }),
  )
  if (faults.flat().length > 0) throw settingsInvalid(faults.flat())
}

/** Erases the images that a shop's brand no longer has. */
export async function dropOtherImages(
  { store }: Parts<'store'>,
  shopId: string,
  { brand }: ShopSettings,
): Promise<void> {
  const [logo, favicon] = [brand?.logo, brand?.favicon].map((given) => given && String(given))
  await store.dropImagesBut(shopId, logo, favicon)
}

type Changing = Adapters & Parts<'world' | 'store' | 'settings' | 'images' | 'retention'>

/** A change of the settings of the shop that `look` finds. */
interface Change {
  workings: Changing
  look: () => Promise<Shop>
  by: string
}

/** Replaces the settings of a shop. Its credentials stay: only `shop connect` sets those, after a test. Rejects with `SETTINGS_INVALID`. */
export async function replaceSettings(change: Change, given: unknown): Promise<void> {
  const settings = checkSettings(change.workings, given)
  refuseCredentials(settings)
  await saveWithImages(change, ({ credentials }) => (credentials ? { ...settings, credentials } : settings))
}

/** Changes the settings of a shop in part (RFC 7396): `null` removes a setting. Rejects with `SETTINGS_INVALID`. */
export async function patchSettings(change: Change, patch: unknown): Promise<void> {
  if (!isRecord(patch)) throw settingsInvalid([{ path: '$', message: 'must be an object' }])
  refuseCredentials(patch)
  await saveWithImages(change, (before) => checkSettings(change.workings, merged(before, patch)))
}

function refuseCredentials({ credentials }: { credentials?: unknown }): void {
  const message = 'are only changed with purveyor shop connect: remove them from the settings'
  if (credentials !== undefined) throw settingsInvalid([{ path: 'credentials', message }])
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function merged(before: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch
  const all = new Map(Object.entries(isRecord(before) ? before : {}))
  for (const [name, value] of Object.entries(patch))
    if (value === null) all.delete(name)
    else all.set(name, merged(all.get(name), value))
  return Object.fromEntries(all)
}

async function saveWithImages(change: Change, to: (before: ShopSettings) => ShopSettings): Promise<void> {
  const shop = await change.look()
  const settings = to(change.workings.settings.given(shop))
  await fetchBrandImages(change.workings, shop.id, settings)
  await save(change, to)
  await dropOtherImages(change.workings, shop.id, settings)
}

/** Replaces the credentials of a shop for the platform's API, and no other settings. */
export async function connectShop(change: Change, given: Credentials): Promise<void> {
  const credentials = withoutUserInfo(given)
  checkSettings(change.workings, { credentials })
  await save(change, (settings) => ({ ...settings, credentials }))
}

const mostEarlier = 50

/** The settings of payment adapters before a change, for payments that were started with them: kept twice as long as a payment at rest. */
function earlierThan(workings: Changing, shop: Shop, before: ShopSettings, after: ShopSettings) {
  const { payments, world, retention, settings } = workings
  const now = world.now()
  const changed = payments.adapters.flatMap(({ name }) => {
    const [was, is] = [before, after].map(({ adapters }) => adapters?.[name])
    return was === undefined || JSON.stringify(was) === JSON.stringify(is) ? [] : [[name, was] as const]
  })
  const kept = settings.earlier(shop).filter(({ until }) => until > now - 2 * retention)
  if (changed.length > 0) kept.push({ until: now, adapters: Object.fromEntries(changed) })
  return kept.slice(-mostEarlier)
}

/** Two simultaneous changes are both kept: the later one is repeated on top of the earlier one. */
async function save(
  { workings, look, by }: Change,
  to: (before: ShopSettings) => ShopSettings,
): Promise<void> {
  // For each failed try another change has succeeded.
  for (let saved: Shop | undefined; !saved; ) {
    const shop = await look()
    const before = workings.settings.given(shop)
    const after = to(before)
    const settings = {
      sealed: workings.settings.seal(shop.id, after, earlierThan(workings, shop, before, after)),
      changed: changedSettings(workings, before, after),
      version: shop.settingsVersion,
    }
    saved = await workings.store.saveSettings(shop.id, settings, workings.world.now(), by)
  }
}
