import type { z } from 'zod'
import { type FieldFault, faultsOf } from '../../contract/index.ts'
import type { OfferedShipmentMethod } from '../../rates/adapter.ts'
import type { Units } from '../../rates/units.ts'

export interface Adapter {
  name: string
  settings?: z.ZodType
}

/** What is set for one shop. Kept encrypted. */
export interface ShopSettings {
  /** What this shop's weights and volumes are in. */
  units?: Units
  /** Instead of the provider's own. */
  fallbackRates?: OfferedShipmentMethod[]
  /** By the name of the adapter, in the form of its `settings` schema. */
  adapters?: Record<string, unknown>
  credentials?: Credentials
}

/** For the platform's own API. */
export interface Credentials {
  baseUrl: string
  /** Two letters. */
  language: string
  key: string
  secret: string
}

/** What one shop has set, opened and read by the adapters' schemas. */
export class OpenedSettings {
  readonly units: Units | undefined
  readonly fallbackRates: readonly OfferedShipmentMethod[] | undefined
  readonly #given: Record<string, unknown>
  readonly #shopId: string
  readonly #read = new Map<Adapter, unknown>()

  constructor(shopId: string, settings: ShopSettings) {
    this.units = settings.units
    this.fallbackRates = settings.fallbackRates
    this.#given = settings.adapters ?? {}
    this.#shopId = shopId
  }

  /** Throws a `SettingsMissing` where the adapter's schema refuses what the shop has set, or that it has set nothing. */
  of(adapter: Adapter): unknown {
    if (!adapter.settings) return undefined
    if (this.#read.has(adapter)) return this.#read.get(adapter)
    const parsed = adapter.settings.safeParse(this.#given[adapter.name] ?? {})
    if (!parsed.success) throw new SettingsMissing(adapter.name, this.#shopId, faultsOf(parsed.error))
    this.#read.set(adapter, parsed.data)
    return parsed.data
  }
}

/** An adapter cannot answer for a shop before somebody has made its settings. */
export class SettingsMissing extends Error {
  override readonly name = 'SettingsMissing'
  readonly code = 'SETTINGS_MISSING'
  constructor(adapter: string, shopId: string, errors: FieldFault[]) {
    const listed = errors.map(({ path, message }) => `${path} ${message}`).join(', ')
    super(
      `the settings of shop ${shopId} do not fit (${listed}). Set adapters.${adapter} with: purveyor shop settings ${shopId} --file settings.json`,
    )
  }
}
