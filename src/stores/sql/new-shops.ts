import type { Kysely } from 'kysely'
import { byProvider } from '../../audit.ts'
import type { AddedShop, NewEndpoint } from '../../store.ts'
import type { AuditCommands } from './audit.ts'
import { ask, type Step } from './query.ts'
import { addNewRow, addRow } from './simple.ts'
import type { Tables } from './tables.ts'

/** The rows of a new shop, whether it is added alone or with many others. */
export function newShops(db: Kysely<Tables>, { entry }: AuditCommands) {
  const settings = ['hosts_confirmed', 'sealed_settings', 'settings_version'] as const
  const addShop = addNewRow(db, 'shops', 'id', 'platform_id', ...settings, 'created_at')
  const addHost = addNewRow(db, 'shop_hosts', 'shop_id', 'host', 'added_at')
  const addEndpoint = addRow(db, 'endpoints', 'token_hash', 'shop_id', 'sealed_token', 'created_at')
  const endpoint = (shopId: string, { now: createdAt, ...address }: NewEndpoint) =>
    ask(addEndpoint, { shopId, ...address, createdAt })

  return {
    addHost,
    endpoint,

    /** Adds the shop itself. Returns no row if it exists already. */
    shop({ id, endpoint: { now: createdAt }, start: { platformId, hosts, sealedSettings } }: AddedShop) {
      // Never the version of a removed shop with the same name.
      const settingsVersion = sealedSettings === undefined ? createdAt : createdAt + 1
      const hostsConfirmed = hosts ? 1 : 0
      return ask(addShop, { id, createdAt, platformId, sealedSettings, hostsConfirmed, settingsVersion })
    },

    /** Everything else that a new shop has. */
    others({ id: shopId, endpoint: given, start }: AddedShop): Step[] {
      const { platformId, hosts, settings, by = byProvider } = start
      const { now: at } = given
      return [
        ...(hosts ?? []).map((host) => ask(addHost, { shopId, host, addedAt: at })),
        endpoint(shopId, given),
        entry(shopId, { at, by }, { action: 'shop.added', platformId, hosts, settings }),
      ]
    },
  }
}

export type NewShops = ReturnType<typeof newShops>
