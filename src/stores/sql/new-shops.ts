import type { Kysely } from 'kysely'
import { byProvider } from '../../audit.ts'
import type { AddedShop } from '../../store.ts'
import type { AuditCommands } from './audit.ts'
import { columns } from './columns.ts'
import { ask, prepare, type Step } from './query.ts'
import type { Tables } from './tables.ts'

/** The rows of a new shop, whether it is added alone or with many others. */
export function newShops(db: Kysely<Tables>, { entry }: AuditCommands) {
  const addShop = prepare((value) =>
    db
      .insertInto('shops')
      .values({
        ...columns(value, 'id', 'platform_id', 'hosts_confirmed', 'sealed_settings', 'settings_version'),
        created_at: value('now'),
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id'),
  )
  const addHost = prepare((value) =>
    db
      .insertInto('shop_hosts')
      .values({ ...columns(value, 'shop_id', 'host'), added_at: value('now') })
      .onConflict((conflict) => conflict.doNothing())
      .returning('host'),
  )
  const addEndpoint = prepare((value) =>
    db.insertInto('endpoints').values({
      ...columns(value, 'token_hash', 'shop_id', 'sealed_token'),
      created_at: value('now'),
    }),
  )

  return {
    addHost,
    addEndpoint,

    /** Adds the shop itself. Returns no row if it exists already. */
    shop({ id, endpoint: { now }, start: { platformId, hosts, sealedSettings } }: AddedShop) {
      // Never the version of a removed shop with the same name.
      const settingsVersion = sealedSettings === undefined ? now : now + 1
      const hostsConfirmed = hosts ? 1 : 0
      return ask(addShop, { id, now, platformId, sealedSettings, hostsConfirmed, settingsVersion })
    },

    /** Everything else that a new shop has. */
    others({ id: shopId, endpoint, start }: AddedShop): Step[] {
      const { platformId, hosts, settings, by = byProvider } = start
      const { now: at } = endpoint
      return [
        ...(hosts ?? []).map((host) => ask(addHost, { shopId, host, now: at })),
        ask(addEndpoint, { shopId, ...endpoint }),
        entry(shopId, { at, by }, { action: 'shop.added', platformId, hosts, settings }),
      ]
    },
  }
}

export type NewShops = ReturnType<typeof newShops>
