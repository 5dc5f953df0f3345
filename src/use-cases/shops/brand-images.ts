import type { Workings } from '../workings.ts'
import type { ShopSettings } from './opened-settings.ts'
import { settingsInvalid } from './shop-settings.ts'

/**
 * Fetches the images of a shop's brand once, through the guard of all outgoing calls. Rejects with `SETTINGS_INVALID` for one that is not
 * there or that pages cannot show: nothing is saved then.
 */
export async function fetchBrandImages(
  { images }: Workings,
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
  { store }: Workings,
  shopId: string,
  { brand }: ShopSettings,
): Promise<void> {
  const [logo, favicon] = [brand?.logo, brand?.favicon].map((given) => given && String(given))
  await store.dropImagesBut(shopId, logo, favicon)
}
