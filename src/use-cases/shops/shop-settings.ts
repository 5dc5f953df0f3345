import { z } from 'zod'
import { type FieldFault, faultsOf } from '../../contract/index.ts'
import { fallbackFaults } from '../../rates/check.ts'
import { volumeUnits, weightUnits } from '../../rates/units.ts'
import type { Shop } from '../../shops/shop.ts'
import type { Workings } from '../workings.ts'
import { type Adapter, type Credentials, OpenedSettings, type ShopSettings } from './opened-settings.ts'

const settingsSchema = z.strictObject({
  units: z
    .strictObject({ weight: z.enum(weightUnits).optional(), volume: z.enum(volumeUnits).optional() })
    .optional(),
  fallbackRates: z.array(z.looseObject({})).optional(),
  adapters: z.record(z.string(), z.unknown()).optional(),
  credentials: z
    .strictObject({
      baseUrl: z.url({ protocol: /^https?$/ }),
      language: z.string().regex(/^[a-z]{2}$/, 'must be two lower-case letters'),
      key: z.string().min(1),
      secret: z.string().min(1),
    })
    .optional(),
})

/** The settings do not match the provider and its adapters. Names the place of each fault, never the value. */
export class SettingsInvalid extends Error {
  override readonly name = 'SettingsInvalid'
  readonly code = 'SETTINGS_INVALID'
  readonly errors: FieldFault[]
  constructor(errors: FieldFault[]) {
    const listed = errors.map(({ path, message }) => `\n  ${path} ${message}`)
    super(`The settings have faults, and nothing was changed:${listed.join('')}`)
    this.errors = errors
  }
}

/** Throws a `SettingsInvalid` that names every fault. */
export function checkSettings(workings: Workings, given: unknown): ShopSettings {
  const read = settingsSchema.safeParse(given)
  if (!read.success) throw new SettingsInvalid(faultsOf(read.error))
  const settings = read.data as ShopSettings
  const adapters = new Map(adaptersOf(workings).map((adapter) => [adapter.name, adapter]))
  const errors = fallbackFaults(settings.fallbackRates ?? [])
  for (const [name, value] of Object.entries(settings.adapters ?? {})) {
    const adapter = adapters.get(name)
    const path = `adapters.${name}`
    if (!adapter?.settings) {
      errors.push({ path, message: adapter ? 'has no settings' : 'is not an adapter of this provider' })
      continue
    }
    const parsed = adapter.settings.safeParse(value)
    if (parsed.success) continue
    for (const fault of faultsOf(parsed.error)) {
      errors.push({ ...fault, path: fault.path === '$' ? path : `${path}.${fault.path}` })
    }
  }
  if (errors.length > 0) throw new SettingsInvalid(errors)
  return settings
}

const adaptersOf = ({ rates, payments }: Workings): Adapter[] => [...rates, ...payments]

const rememberAtMost = 10_000

/** The settings of a shop, opened once for each change of them. */
export function settingsOf(workings: Workings, shop: Shop): OpenedSettings {
  const { settings: known } = workings.memory
  const { id, settingsVersion: version } = shop
  const one = known.get(id)
  if (one?.version === version) return one.settings
  if (known.size >= rememberAtMost) known.clear()
  const settings = new OpenedSettings(id, givenSettings(workings, shop))
  known.set(id, { version, settings })
  return settings
}

/** The key and the secret of a shop for the platform's own API; `undefined` if they are not set. */
export function credentialsOf(workings: Workings, shop: Shop): Credentials | undefined {
  return givenSettings(workings, shop).credentials
}

export function givenSettings(
  { seal }: Workings,
  { id, sealedSettings }: Pick<Shop, 'id' | 'sealedSettings'>,
): ShopSettings {
  if (sealedSettings === undefined) return {}
  return JSON.parse(seal.open(sealedSettings, { kind: 'shop', key: id })) as ShopSettings
}

export const sealedSettings = ({ seal }: Workings, shopId: string, settings: ShopSettings): string =>
  seal.close(JSON.stringify(settings), { kind: 'shop', key: shopId })

/** The settings of one adapter for a shop, by the shop's id. Adapters without settings need no read of the store. */
export async function settingsFor(
  workings: Workings,
  shopId: string,
  { settings }: Adapter,
): Promise<OpenedSettings | undefined> {
  if (!settings) return undefined
  const shop = await workings.store.shop(shopId)
  return shop && settingsOf(workings, shop)
}
