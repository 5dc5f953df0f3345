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

/**
 * The brands of the pages: the shop's where it has one, then the adapter's, then the provider's, each member by itself. A name and a logo go
 * together.
 */
export class Brands {
  readonly #workings: Branding
  readonly #styles = new LRUCache<string, PageStyle>({ max: 1_000 })

  constructor(workings: Branding) {
    this.#workings = workings
  }

  ofProvider(): Promise<ShownBrand> {
    return this.#shown(this.#workings.brand, undefined)
  }

  /** `shop` is the shop's own name, where it has one. */
  async of(
    shopId: string,
    adapter: AnyPaymentAdapter | undefined,
  ): Promise<{ brand: ShownBrand; shop: string | undefined }> {
    const shop = await this.#workings.store.shop(shopId)
    const own = shop && this.#workings.settings.of(shop).brand
    const provider = brandOver(this.#workings.brand, adapter?.brand)
    const brand = brandOver(provider, own)
    const isOwn = own?.name !== undefined || own?.logo !== undefined
    const named = isOwn ? { ...brand, name: own.name } : brand
    const shown = await this.#shown(named, isOwn ? provider.name : undefined, { shopId, ...own })
    return { brand: shown, shop: own?.name }
  }

  /** `own` are the images of a shop. */
  async #shown(
    brand: Brand,
    provider: string | undefined,
    own: Pick<Brand, 'logo' | 'favicon'> & { shopId: string } = { shopId: '' },
  ): Promise<ShownBrand> {
    const { name, support, terms, privacy } = brand
    const base = `${this.#workings.addresses.publicUrl}/p/-/images`
    const [logo, favicon] = await Promise.all([
      this.#image(brand.logo, own.logo && own.shopId),
      this.#image(brand.favicon, own.favicon && own.shopId),
    ])
    return {
      ...{ name, provider, terms, privacy },
      logo: logo && { url: `${base}/${logo.name}`, width: logo.width, height: logo.height },
      favicon: favicon && `${base}/${favicon.name}`,
      support: support === undefined ? undefined : supportAddress(support),
      style: this.#styleOf(brand),
    }
  }

  async #image(given: Brand['logo'], shopId = '') {
    return given === undefined ? undefined : this.#workings.images.shown(String(given), shopId)
  }

  /** Made once: the hash of a style takes longer than a page. */
  #styleOf({ accent, surface, dark, radius, font }: Brand): PageStyle {
    const key = JSON.stringify([accent, surface, dark?.accent, dark?.surface, radius, font])
    const known = this.#styles.get(key)
    if (known) return known
    const made = styleOf({ accent, surface, dark, radius, font } as Brand)
    this.#styles.set(key, made)
    return made
  }
}
