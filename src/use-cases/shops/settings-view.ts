import type { AuditEntry } from '../../audit.ts'
import type { Shop } from '../../shops/shop.ts'
import type { Workings } from '../workings.ts'
import { auditTrailOf } from './audit.ts'
import { givenSettings } from './shop-settings.ts'

/** The settings of a shop for display. */
export interface SettingsView {
  settings: Record<string, unknown>
  /** The latest 50 entries of the audit trail about them. */
  history: AuditEntry[]
}

export async function settingsView(workings: Workings, shop: Shop): Promise<SettingsView> {
  const { adapters, credentials, ...others } = givenSettings(workings, shop)
  const trail = (await auditTrailOf(workings, shop.id, { limit: 1_000 })) ?? []
  const isChange = ({ action }: AuditEntry) => action === 'settings.saved' || action === 'shop.added'
  const secret = { ...(adapters && { adapters }), ...(credentials && { credentials }) }
  return { settings: { ...others, ...masked(secret) }, history: trail.filter(isChange).slice(-50) }
}

/** The same value with its texts masked: which of them is a secret, only the adapter knows. */
const masked = (value: object): object =>
  JSON.parse(JSON.stringify(value, (_key, one) => (typeof one === 'string' ? '***' : one)))
