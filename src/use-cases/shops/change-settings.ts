import { withoutUserInfo } from '../../shops/platform-address.ts'
import type { Shop } from '../../shops/shop.ts'
import type { Workings } from '../workings.ts'
import { changedSettings } from './audit.ts'
import { dropOtherImages, fetchBrandImages } from './brand-images.ts'
import type { Credentials, ShopSettings } from './opened-settings.ts'
import { checkSettings, givenSettings, sealedSettings, settingsInvalid } from './shop-settings.ts'

/** A change of the settings of the shop that `look` finds. */
interface Change {
  workings: Workings
  look: () => Promise<Shop>
  by: string
}

/** Replaces the settings of a shop. Its credentials stay: only `shop connect` sets those, after a test. Rejects with `SETTINGS_INVALID`. */
export async function replaceSettings(change: Change, given: unknown): Promise<void> {
  const settings = checkSettings(change.workings, given)
  if (settings.credentials) {
    const message = 'are only changed with purveyor shop connect: remove them from the settings'
    throw settingsInvalid([{ path: 'credentials', message }])
  }
  const { id } = await change.look()
  await fetchBrandImages(change.workings, id, settings)
  await save(change, ({ credentials }) => (credentials ? { ...settings, credentials } : settings))
  await dropOtherImages(change.workings, id, settings)
}

/** Replaces the credentials of a shop for the platform's API, and no other settings. */
export async function connectShop(change: Change, given: Credentials): Promise<void> {
  const credentials = withoutUserInfo(given)
  checkSettings(change.workings, { credentials })
  await save(change, (settings) => ({ ...settings, credentials }))
}

/** Two simultaneous changes are both kept: the later one is repeated on top of the earlier one. */
async function save(
  { workings, look, by }: Change,
  to: (before: ShopSettings) => ShopSettings,
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
