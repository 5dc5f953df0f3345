import type { AuditEntry } from '../audit.ts'
import { wrongCall } from '../errors/errors.ts'
import type { Parts } from '../parts.ts'
import type { Shop } from './shop.ts'
import { type Adapters, adaptersOf, type ShopSettings } from './shop-settings.ts'

/** Which entries of an audit trail to list. */
export interface LogFilter {
  /** Only entries from this moment on, in milliseconds since 1970. Default: from the first. */
  since?: number
  /** The most entries, newest ones. Default 50. */
  limit?: number
}

/** The audit trail of a shop, newest last; `undefined` for a shop that never existed. The trail outlives its shop. */
export async function auditTrailOf(
  { store }: Parts<'store'>,
  shopId: string,
  { since, limit = 50 }: LogFilter,
): Promise<AuditEntry[] | undefined> {
  if (!Number.isSafeInteger(limit) || limit < 1) throw wrongCall('`limit` must be a whole number from 1 on')
  if (since !== undefined && !Number.isSafeInteger(since))
    throw wrongCall('`since` must be a time in milliseconds since 1970')
  const found = await store.auditTrail({ shopId, since, limit })
  if (found.length > 0 || (await store.shop(shopId))) return found
  return (await store.auditTrail({ shopId, limit: 1 })).length > 0 ? found : undefined
}

/** The paths of changed settings, with names of Purveyor, the provider or a schema only: keys that a shop chose may be secrets. */
export function changedSettings(adapters: Adapters, before: ShopSettings, after: ShopSettings): string[] {
  const schemas = new Map(
    adaptersOf(adapters).flatMap(({ name, settingsName = name, settings }) =>
      settings ? [[settingsName, settings] as const] : [],
    ),
  )
  const names = new Set([before, after].flatMap((settings) => Object.keys(settings.adapters ?? {})))
  const ofAdapter = (name: string) => {
    const schema: object = schemas.get(name) ?? {}
    const fields = 'shape' in schema ? Object.keys(schema.shape as object) : []
    return differing(`adapters.${name}`, before.adapters?.[name], after.adapters?.[name], fields)
  }
  const [{ credentials: old }, { credentials }] = [before, after]
  return [
    ...differing('units', before.units, after.units, ['weight', 'volume', 'length', 'products']),
    ...differing('fallback', before.fallback, after.fallback, []),
    ...[...names].flatMap(ofAdapter),
    ...differing('credentials', old, credentials, ['baseUrl', 'language', 'key', 'secret']),
  ]
}

function differing(path: string, before: unknown, after: unknown, fields: readonly string[]): string[] {
  if (sorted(before) === sorted(after)) return []
  const changed = fields.filter((name) => sorted(Object(before)[name]) !== sorted(Object(after)[name]))
  return changed.length > 0 ? changed.map((name) => `${path}.${name}`) : [path]
}

/** The same text for the same data, in any order of keys. */
const sorted = (value: unknown): string | undefined =>
  JSON.stringify(value, (_key, one) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  )

/** The settings of a shop for display. */
export interface SettingsView {
  settings: Record<string, unknown>
  /** The latest 50 entries of the audit trail about them. */
  history: AuditEntry[]
}

export async function settingsView(workings: Parts<'store' | 'settings'>, shop: Shop): Promise<SettingsView> {
  const trail = (await auditTrailOf(workings, shop.id, { limit: 1_000 })) ?? []
  const isChange = ({ action }: AuditEntry) => action === 'settings.saved' || action === 'shop.added'
  return { settings: shownSettings(workings, shop), history: trail.filter(isChange).slice(-50) }
}

/** The settings of a shop, with each text of an adapter and of the credentials masked. */
export function shownSettings({ settings }: Parts<'settings'>, shop: Shop): Record<string, unknown> {
  const { adapters, credentials, ...others } = settings.given(shop)
  const secret = { ...(adapters && { adapters }), ...(credentials && { credentials }) }
  return { ...others, ...masked(secret) }
}

/** The same value with its texts masked: which of them is a secret, only the adapter knows. */
const masked = (value: object): object =>
  JSON.parse(JSON.stringify(value, (_key, one) => (typeof one === 'string' ? '***' : one)))
