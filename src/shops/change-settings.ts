import { z } from 'zod'
import { fallbackFaults } from '../adapters/offered-methods.ts'
import { productFacts } from '../adapters/product-facts.ts'
import { lengthUnits, volumeUnits, weightUnits } from '../adapters/units.ts'
import { brandSchema } from '../brand/brand-schema.ts'
import { didYouMean, keysAt } from '../checked-options.ts'
import { type FieldFault, faultsOf } from '../contract/index.ts'
import { cutTo } from '../contract/values.ts'
import { PurveyorError } from '../errors/errors.ts'
import type { Parts } from '../parts.ts'
import { changedSettings } from './audit.ts'
import { type Shop, withoutUserInfo } from './shop.ts'
import {
  type Adapter,
  type Adapters,
  adaptersOf,
  type Credentials,
  type ShopSettings,
} from './shop-settings.ts'

const mostProducts = 5_000

const units = z.strictObject({
  weight: z.enum(weightUnits).optional(),
  volume: z.enum(volumeUnits).optional(),
  length: z.enum(lengthUnits).optional(),
  products: z.enum(['piece', 'line']).optional(),
})
const tooMany = `names more than ${mostProducts} products: use the file of the option rates.productFacts`
const facts = z
  .record(z.string().trim().min(1).max(256), z.array(z.enum(productFacts)).max(productFacts.length))
  .refine((given) => Object.keys(given).length <= mostProducts, tooMany)
const credentials = z.strictObject({
  baseUrl: z.url({ protocol: /^https?$/ }),
  language: z.string().regex(/^[a-z]{2}$/, 'must be two lower-case letters'),
  key: z.string().min(1),
  secret: z.string().min(1),
})
const settingsSchema = z.strictObject({
  units: units.optional(),
  fallback: z.array(z.looseObject({})).optional(),
  adapters: z.record(z.string(), z.unknown()).optional(),
  brand: brandSchema('https').optional(),
  productFacts: facts.optional(),
  credentials: credentials.optional(),
})

/** The settings do not match the provider and its adapters. Names the place of each fault, never the value. */
function settingsInvalid(faults: FieldFault[]): PurveyorError {
  const listed = faults.map(({ path, message }) => `\n  ${path === '$' ? 'they' : path} ${message}`)
  const message = `The settings have faults, and nothing was changed:${listed.join('')}`
  return new PurveyorError('SETTINGS_INVALID', message, { faults })
}

/** Throws `SETTINGS_INVALID`, which names every fault. */
export function checkSettings(parts: Adapters, given: unknown): ShopSettings {
  const read = settingsSchema.safeParse(given)
  if (!read.success) throw settingsInvalid(settingFaults(settingsSchema, read.error))
  const settings = read.data as ShopSettings
  const all = adaptersOf(parts)
  // Of several with one name, one that has a schema.
  const byName = (one: Adapter) => [one.settingsName ?? one.name, one] as const
  const adapters = new Map([...all, ...all.filter((one) => one.settings)].map(byName))
  const errors = fallbackFaults(settings.fallback ?? [], 'fallback')
  for (const [name, value] of Object.entries(settings.adapters ?? {})) {
    const adapter = adapters.get(name)
    const path = `adapters.${name}`
    if (!adapter?.settings) {
      const unknown = `is not an adapter of this provider: ${didYouMean(name, [...adapters.keys()])}`
      errors.push({ path, message: adapter ? 'has no settings' : unknown })
      continue
    }
    const schema = strictly(adapter.settings)
    const { error } = schema.safeParse(value)
    for (const fault of error ? settingFaults(schema, error) : [])
      errors.push({ ...fault, path: fault.path === '$' ? path : `${path}.${fault.path}` })
  }
  if (errors.length > 0) throw settingsInvalid(errors)
  return settings
}

/** A mistyped setting is refused where the schema would drop it without a word. One that says what unknown keys are keeps its say. */
const strictly = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodObject && schema.def.catchall === undefined ? schema.strict() : schema

/** The faults, an unknown setting by its name with the nearest right one. */
const settingFaults = (schema: z.ZodType, { issues }: z.ZodError): FieldFault[] =>
  issues.flatMap((issue) => {
    const faults = faultsOf(new z.ZodError([issue]))
    if (issue.code !== 'unrecognized_keys' || !(schema instanceof z.ZodObject)) return faults
    return issue.keys.map((key) => ({
      path: [...issue.path, cutTo(key, 64)].join('.'),
      message: `is not a setting: ${didYouMean(key, keysAt(schema, issue.path))}`,
    }))
  })

/** Fetches the images of a shop's brand once. Rejects with `SETTINGS_INVALID` for one that pages cannot show: nothing is saved then. */
export async function fetchBrandImages(
  { images }: Parts<'images'>,
  shopId: string,
  { brand }: ShopSettings,
): Promise<void> {
  const faultsAt = async (member: 'logo' | 'favicon') => {
    const given = brand?.[member]
    const message = given === undefined ? undefined : await images.fetch(String(given), shopId)
    // The host may be down, and the image is known.
    if (message === undefined || (await images.shown(String(given), shopId))) return []
    return [{ path: `brand.${member}`, message }]
  }
  const faults = (await Promise.all([faultsAt('logo'), faultsAt('favicon')])).flat()
  if (faults.length > 0) throw settingsInvalid(faults)
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

function refuseCredentials(settings: { credentials?: unknown }): void {
  const message = 'are only changed with purveyor shop connect: remove them from the settings'
  if (settings.credentials !== undefined) throw settingsInvalid([{ path: 'credentials', message }])
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
async function save({ workings, look, by }: Change, to: (before: ShopSettings) => ShopSettings) {
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
