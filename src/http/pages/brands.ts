import { LRUCache } from 'lru-cache'
import type { AnyPaymentAdapter } from '../../any-adapter.ts'
import { type Brand, brandOver, supportAddress } from '../../brand/brand.ts'
import type { Parts } from '../../parts.ts'
import { type PageStyle, styleOf } from './style/style.ts'

/** A brand as a page shows it: checked, and with addresses of our own. */
export interface ShownBrand {
  /** In the header: the shop's, otherwise the adapter's or the provider's. */
  name: string | undefined
  /** In the footer, where the header has the name of the shop: the adapter's or the provider's. */
  provider: string | undefined
  logo: { url: string; width: number; height: number } | undefined
  favicon: string | undefined
  /** `https:`, `mailto:` or `tel:`. */
  support: string | undefined
  terms: string | undefined
  privacy: string | undefined
  style: PageStyle
}

type Branding = Parts<'store' | 'settings' | 'brand' | 'images' | 'addresses'>

export type Brands = ReturnType<typeof brandsOf>

/**
 * The brands of the pages: the shop's where it has one, then the adapter's, then the provider's, each member by itself. A name and a logo go
 * together.
 */
export function brandsOf({ store, settings, brand: ofProvider, images, addresses }: Branding) {
  /** Made once: the hash of a style takes longer than a page. */
  const styles = new LRUCache<string, PageStyle>({
    max: 1_000,
    memoMethod: (look) => styleOf(JSON.parse(look)),
  })

  /** `own` are the images of a shop. */
  async function shown(
    { name, support, terms, privacy, logo: logoOf, favicon: faviconOf, ...look }: Brand,
    provider: string | undefined,
    own: Pick<Brand, 'logo' | 'favicon'> & { shopId: string } = { shopId: '' },
  ): Promise<ShownBrand> {
    const image = async (given: Brand['logo'], isOwn: unknown) =>
      given === undefined ? undefined : images.shown(String(given), isOwn ? own.shopId : '')
    const [logo, favicon] = await Promise.all([image(logoOf, own.logo), image(faviconOf, own.favicon)])
    const base = `${addresses.publicUrl}/p/-/images`
    return {
      ...{ name, provider, terms, privacy },
      logo: logo && { url: `${base}/${logo.name}`, width: logo.width, height: logo.height },
      favicon: favicon && `${base}/${favicon.name}`,
      support: support === undefined ? undefined : supportAddress(support),
      style: styles.memo(JSON.stringify(look)),
    }
  }

  return {
    ofProvider: (): Promise<ShownBrand> => shown(ofProvider, undefined),

    /** `shop` is the shop's own name, where it has one. */
    async of(
      shopId: string,
      adapter: AnyPaymentAdapter | undefined,
    ): Promise<{ brand: ShownBrand; shop: string | undefined }> {
      const shop = await store.shop(shopId)
      const own = shop && settings.of(shop).brand
      const provider = brandOver(ofProvider, adapter?.brand)
      const brand = brandOver(provider, own)
      const isOwn = own?.name !== undefined || own?.logo !== undefined
      const named = isOwn ? { ...brand, name: own.name } : brand
      const brandShown = await shown(named, isOwn ? provider.name : undefined, { shopId, ...own })
      return { brand: brandShown, shop: own?.name }
    },
  }
}
