import { LRUCache } from 'lru-cache'
import type { z } from 'zod'
import type { OfferedShipmentMethod } from '../adapters/offered-methods.ts'
import type { FactsByCode, ProductFact } from '../adapters/product-facts.ts'
import type { Units } from '../adapters/units.ts'
import { type AnyPaymentAdapter, type AnyRateAdapter, withFallbacks } from '../any-adapter.ts'
import type { Brand } from '../brand/brand.ts'
import { type FieldFault, faultsOf } from '../contract/index.ts'
import { PurveyorError } from '../errors/errors.ts'
import type { Seal } from './seal.ts'
import type { Shop } from './shop.ts'

export interface Adapter {
  name: string
  settings?: z.ZodType
  /** The name of its settings, where it is not its own. */
  settingsName?: string
}

/** The settings of one shop. Stored encrypted. */
export interface ShopSettings {
  /** The units of this shop's weights and volumes. */
  units?: Units
  /** Instead of the provider's own. */
  fallback?: OfferedShipmentMethod[]
  /** By the name of the adapter, in the form of its `settings` schema. */
  adapters?: Record<string, unknown>
  credentials?: Credentials
  /** The facts of products by their article codes. They go before those of the provider's file. */
  productFacts?: Record<string, ProductFact[]>
  /** How the payment pages of this shop look. */
  brand?: Brand
}

/** Credentials for the platform's own API. */
export interface Credentials {
  baseUrl: string
  /** Two letters. */
  language: string
  key: string
  secret: string
}

/** The settings of one shop, opened and read with the adapters' schemas. */
export class OpenedSettings {
  readonly units: Units | undefined
  readonly fallback: readonly OfferedShipmentMethod[] | undefined
  readonly brand: Brand | undefined
  readonly productFacts: FactsByCode | undefined
  readonly #given: Record<string, unknown>
  readonly #shopId: string | undefined
  readonly #read = new Map<Adapter, unknown>()

  /** Without a shop there are no settings, and the refusal asks for a shop. */
  constructor(shopId: string | undefined, { units, fallback, brand, productFacts, adapters }: ShopSettings) {
    this.units = units
    this.fallback = fallback
    this.brand = brand
    this.productFacts = productFacts && new Map(Object.entries(productFacts))
    this.#given = adapters ?? {}
    this.#shopId = shopId
  }

  /** Throws `SETTINGS_MISSING` if the adapter's schema rejects the shop's settings, or their absence. */
  of(adapter: Adapter): unknown {
    if (!adapter.settings) return undefined
    if (this.#read.has(adapter)) return this.#read.get(adapter)
    const name = adapter.settingsName ?? adapter.name
    const parsed = adapter.settings.safeParse(this.#given[name] ?? {})
    if (!parsed.success) throw settingsMissing(name, this.#shopId, faultsOf(parsed.error))
    this.#read.set(adapter, parsed.data)
    return parsed.data
  }
}

/** An adapter cannot answer for a shop without its settings. */
function settingsMissing(adapter: string, shopId: string | undefined, faults: FieldFault[]): PurveyorError {
  const listed = faults.map(({ path, message }) => `${path} ${message}`).join(', ')
  const message =
    shopId === undefined
      ? `it needs the settings of a shop, and no shop is named (${listed}). Name one with --shop, or in code with { shop }`
      : `the settings of shop ${shopId} are missing or wrong (${listed}). Set adapters.${adapter} with: purveyor shop settings ${shopId} --file settings.json`
  return new PurveyorError('SETTINGS_MISSING', message, { place: adapter, faults })
}

/** The adapters of a provider, which have settings for each shop. */
export interface Adapters {
  rates: { adapters: readonly AnyRateAdapter[] }
  payments: { adapters: readonly AnyPaymentAdapter[] }
}

export const adaptersOf = ({ rates, payments }: Adapters): Adapter[] => [
  ...withFallbacks(rates.adapters),
  ...payments.adapters,
]

/** The size of a shop beside the text of its settings, in characters. */
const rowSize = 1_024
type SealedShop = Pick<Shop, 'id' | 'sealedSettings'>

/** The settings of payment adapters before a change, sealed with those of now. */
interface EarlierSettings {
  /** When they were changed, in milliseconds since 1970. */
  until: number
  adapters: Record<string, unknown>
}

/** The size limit of the opened settings of all shops together, in characters of their sealed text plus some for the rest. */
const mostOpened = 64 * 1024 * 1024
const rowOf = (shopId: string) => ({ kind: 'shop', key: shopId }) as const

export class SettingsOfShops {
  readonly #sealing: Seal
  /** By shop, with their version: those used last. */
  readonly #opened = new LRUCache<string, { version: number; settings: OpenedSettings; size: number }>({
    maxSize: mostOpened,
    sizeCalculation: ({ size }) => size,
  })

  constructor(sealing: Seal) {
    this.#sealing = sealing
  }

  /** The settings of a shop, opened once for each change of them. */
  of(shop: Shop): OpenedSettings {
    const { id, settingsVersion: version, sealedSettings } = shop
    const known = this.#opened.get(id)
    if (known?.version === version) return known.settings
    const settings = new OpenedSettings(id, this.given(shop))
    this.#opened.set(id, { version, settings, size: rowSize + (sealedSettings?.length ?? 0) })
    return settings
  }

  given(shop: SealedShop): ShopSettings {
    const { earlier: _, ...settings } = this.#stored(shop)
    return settings
  }

  earlier = (shop: SealedShop): EarlierSettings[] => this.#stored(shop).earlier ?? []

  seal(shopId: string, settings: ShopSettings, earlier: readonly EarlierSettings[] = []): string {
    const all = earlier.length > 0 ? { ...settings, earlier } : settings
    return this.#sealing.close(JSON.stringify(all), rowOf(shopId))
  }

  #stored({ id, sealedSettings }: SealedShop): ShopSettings & { earlier?: EarlierSettings[] } {
    return sealedSettings === undefined ? {} : JSON.parse(this.#sealing.open(sealedSettings, rowOf(id)))
  }
}
