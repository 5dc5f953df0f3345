import type { Shop } from '../../shops/shop.ts'
import type { Workings } from '../workings.ts'
import { changedSettings } from './audit.ts'
import type { Credentials, ShopSettings } from './opened-settings.ts'
import { checkSettings, givenSettings, SettingsInvalid, sealedSettings } from './shop-settings.ts'

type Look = () => Promise<Shop>

/**
 * Replaces what is set for a shop and keeps its credentials: those come from `shop connect` alone, which has tried them. Rejects with
 * a `SettingsInvalid`.
 */
export async function replaceSettings(
  workings: Workings,
  look: Look,
  given: unknown,
  by: string,
): Promise<void> {
  const settings = checkSettings(workings, given)
  if (settings.credentials) {
    const message = 'are changed with purveyor shop connect only: take them out of the settings'
    throw new SettingsInvalid([{ path: 'credentials', message }])
  }
  const kept = ({ credentials }: ShopSettings) => (credentials ? { ...settings, credentials } : settings)
  await change(workings, look, kept, by)
}

/** Replaces the credentials of a shop for the platform's own API, and nothing else that is set for it. */
export async function connectShop(
  workings: Workings,
  look: Look,
  credentials: Credentials,
  by: string,
): Promise<void> {
  checkSettings(workings, { credentials })
  await change(workings, look, (settings) => ({ ...settings, credentials }), by)
}

/** Of two changes that meet neither is lost: the one that finds another in the store is made again, upon it. */
async function change(
  workings: Workings,
  look: Look,
  to: (settings: ShopSettings) => ShopSettings,
  by: string,
): Promise<void> {
  // Each try that fails is one of somebody else that did not.
  for (let saved: Shop | undefined; !saved; ) {
    const shop = await look()
    const before = givenSettings(workings, shop)
    const after = to(before)
    const settings = {
      sealed: sealedSettings(workings, shop.id, after),
      changed: changedSettings(workings, before, after),
      version: shop.settingsVersion,
    }
    saved = await workings.store.saveSettings(shop.id, settings, workings.world.now(), by)
  }
}
