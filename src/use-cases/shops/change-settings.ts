import type { Shop } from '../../shops/shop.ts'
import type { Workings } from '../workings.ts'
import { changedSettings } from './audit.ts'
import type { Credentials, ShopSettings } from './opened-settings.ts'
import { checkSettings, givenSettings, sealedSettings, settingsInvalid } from './shop-settings.ts'

type Look = () => Promise<Shop>

/** Replaces the settings of a shop. Its credentials stay: only `shop connect` sets those, after a test. Rejects with `SETTINGS_INVALID`. */
export async function replaceSettings(
  workings: Workings,
  look: Look,
  given: unknown,
  by: string,
): Promise<void> {
  const settings = checkSettings(workings, given)
  if (settings.credentials) {
    const message = 'are only changed with purveyor shop connect: remove them from the settings'
    throw settingsInvalid([{ path: 'credentials', message }])
  }
  const kept = ({ credentials }: ShopSettings) => (credentials ? { ...settings, credentials } : settings)
  await change(workings, look, kept, by)
}

/** Replaces the credentials of a shop for the platform's API, and no other settings. */
export async function connectShop(
  workings: Workings,
  look: Look,
  credentials: Credentials,
  by: string,
): Promise<void> {
  checkSettings(workings, { credentials })
  await change(workings, look, (settings) => ({ ...settings, credentials }), by)
}

/** Two simultaneous changes are both kept: the later one is repeated on top of the earlier one. */
async function change(
  workings: Workings,
  look: Look,
  to: (settings: ShopSettings) => ShopSettings,
  by: string,
): Promise<void> {
  // For each failed try another change has succeeded.
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
