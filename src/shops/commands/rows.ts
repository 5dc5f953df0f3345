import type { AuditEntry } from '../../audit.ts'
import { members, plain, type Row } from '../../store/rows.ts'
import type { Endpoint, Shop } from '../shop.ts'

export interface HostRow {
  shop_id: string
  host: string
}

export const shopFrom = (row: Row<'shops'>, hosts: readonly { host: string }[]): Shop => ({
  ...members(row, 'id', 'platform_id', 'sealed_settings', 'settings_version'),
  disabled: row.disabled_at !== null,
  hosts: { names: hosts.map(({ host }) => host), confirmed: row.hosts_confirmed === 1 },
})

export const addressFrom = (row: { token_hash: string; sealed_token: string }) =>
  members(row, 'token_hash', 'sealed_token')

export const endpointFrom = ({ shop_id: _, ...row }: Row<'endpoints'>): Endpoint => plain(row)

/** A secret that signs a shop's webhooks. Without `expiresAt` it never ends. */
export type WebhookKey = ReturnType<typeof webhookKeyFrom>

export const webhookKeyFrom = (row: Row<'webhook_keys'>) => ({
  ...members(row, 'id', 'created_at', 'expires_at'),
  sealed: row.sealed_secret,
})

export const auditEntryFrom = (row: Row<'audit'>): AuditEntry => ({
  shop: row.shop_id,
  at: row.at,
  by: row.author,
  action: row.action,
  ...JSON.parse(row.detail),
})
