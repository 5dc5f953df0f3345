import { type Kysely, sql } from 'kysely'
import { type AuditAction, byProvider } from '../../audit.ts'
import { mostHosts } from '../../shops/hosts.ts'
import type { Shop } from '../../shops/shop.ts'
import type { NewEndpoint } from '../../store.ts'
import type { AuditCommands } from './audit.ts'
import { columns, matching } from './columns.ts'
import type { NewShops } from './new-shops.ts'
import type { Commands } from './port.ts'
import { all, ask, type Command, first, holding, prepare, together } from './query.ts'
import { addressFrom, endpointFrom, shopFrom } from './rows.ts'
import type { Tables } from './tables.ts'
import { twoLive } from './two-live.ts'

/** Stores shops and their addresses. */
export function shopCommands(db: Kysely<Tables>, rows: NewShops, { logChange }: AuditCommands) {
  const byId = prepare((value) => db.selectFrom('shops').selectAll().where('id', '=', value('shopId')))
  const everyOne = prepare(() => db.selectFrom('shops').selectAll().orderBy('id'))
  const hostsOf = prepare((value) =>
    db.selectFrom('shop_hosts').select('host').where('shop_id', '=', value('shopId')).orderBy('host'),
  )
  const allHosts = prepare(() => db.selectFrom('shop_hosts').select(['shop_id', 'host']).orderBy('host'))
  const removeHost = prepare((value) =>
    db
      .deleteFrom('shop_hosts')
      .where(matching(value, 'shop_id', 'host'))
      .returning('host'),
  )
  const confirmHosts = prepare((value) =>
    db.updateTable('shops').set({ hosts_confirmed: sql<number>`1` }).where('id', '=', value('shopId')),
  )
  const disable = prepare((value) =>
    db
      .updateTable('shops')
      .set({ disabled_at: value('disabledAt') })
      .where('id', '=', value('shopId')),
  )
  const saveSettings = prepare((value) =>
    db
      .updateTable('shops')
      .set({ sealed_settings: value('sealed'), settings_version: sql`settings_version + 1` })
      .where('id', '=', value('shopId'))
      .where('settings_version', '=', value('version'))
      .returning('id'),
  )
  const endpoints = twoLive(db, 'endpoints', 'token_hash')
  const byEndpoint = prepare((value) =>
    db
      .selectFrom('shops')
      .innerJoin('endpoints', 'endpoints.shop_id', 'shops.id')
      .selectAll('shops')
      .select('expires_at')
      .where('token_hash', '=', value('tokenHash'))
      .where('disabled_at', 'is', null)
      .where(sql<boolean>`(expires_at is null or expires_at > ${value('now')})`),
  )
  const seen = prepare((value) =>
    db
      .updateTable('shops')
      .set({
        platform_id: sql`coalesce(platform_id, ${value('platformId')})`,
        language: sql`coalesce(${value('language')}, language)`,
      })
      .where('id', '=', value('shopId'))
      .returningAll(),
  )
  const bind = prepare((value) =>
    db
      .updateTable('shops')
      .set({ platform_id: value('platformId') })
      .where('id', '=', value('shopId')),
  )
  const pushAddressOf = prepare((value) =>
    db
      .selectFrom('push_addresses')
      .select(['token_hash', 'sealed_token'])
      .where(matching(value, 'shop_id', 'adapter')),
  )
  const addPushAddress = prepare((value) =>
    db.insertInto('push_addresses').values({
      ...columns(value, 'token_hash', 'shop_id', 'adapter', 'sealed_token'),
      created_at: value('now'),
    }),
  )
  const byPushAddress = prepare((value) =>
    db
      .selectFrom('shops')
      .innerJoin('push_addresses', 'push_addresses.shop_id', 'shops.id')
      .selectAll('shops')
      .where(matching(value, 'adapter', 'token_hash')),
  )

  function* whole(row: Parameters<typeof shopFrom>[0] | undefined): Command<Shop | undefined> {
    if (!row) return undefined
    return shopFrom(row, yield* all(hostsOf, { shopId: row.id }))
  }

  function* shop(shopId: string): Command<Shop | undefined> {
    return yield* whole(yield* first(byId, { shopId }))
  }

  return {
    shop,

    *shops() {
      const [rows, hosts] = yield* together(ask(everyOne, {}), ask(allHosts, {}))
      const ofShop = Map.groupBy(hosts, ({ shop_id }) => shop_id)
      return rows.map((row) => shopFrom(row, ofShop.get(row.id) ?? []))
    },

    *ensureShop(shopId, endpoint, start = {}) {
      const wanted = { id: shopId, endpoint, start }
      const added = (yield* together(rows.shop(wanted)))[0].length > 0
      if (added) yield* together(...rows.others(wanted))
      const there = added ? undefined : yield* first(endpoints.live, { shopId, now: endpoint.now })
      if (!added && !there) yield* all(rows.addEndpoint, { shopId, ...endpoint })
      const address = there ? addressFrom(there) : addressOf(endpoint)
      return { shop: (yield* shop(shopId))!, ...address, added }
    },

    *setDisabled(shopId, disabled, now, by = byProvider) {
      const before = yield* shop(shopId)
      if (!before || before.disabled === disabled) return before
      yield* all(disable, { shopId, disabledAt: disabled ? now : undefined })
      const action = disabled ? 'shop.disabled' : 'shop.enabled'
      yield* logChange(shopId, { at: now, by }, { action })
      return yield* shop(shopId)
    },

    *saveSettings(shopId, { sealed, changed, version }, now, by = byProvider) {
      if (!(yield* first(saveSettings, { shopId, sealed, version }))) return undefined
      yield* logChange(shopId, { at: now, by }, { action: 'settings.saved', changed })
      return yield* shop(shopId)
    },

    *endpoints(shopId, now) {
      return (yield* all(endpoints.live, { shopId, now })).map(endpointFrom)
    },

    *rotateEndpoint(shopId, endpoint, oldEndsAt, by = byProvider) {
      const newest = yield* first(endpoints.live, { shopId, now: endpoint.now })
      yield* endpoints.replace(shopId, newest?.token_hash, oldEndsAt)
      yield* all(rows.addEndpoint, { shopId, ...endpoint })
      yield* logChange(shopId, { at: endpoint.now, by }, { action: 'endpoint.rotated', oldEndsAt })
    },

    *shopByEndpoint(tokenHash, now) {
      const row = yield* first(byEndpoint, { tokenHash, now })
      const found = yield* whole(row)
      const endsAt = row?.expires_at ?? undefined
      return found && { ...found, ...(endsAt !== undefined && { endpointEndsAt: endsAt }) }
    },

    *noteShop(shopId, said, now) {
      const { platformId } = said
      yield* platformId === undefined ? holding() : holding(`shop ${shopId}`)
      const before = platformId === undefined ? undefined : yield* first(byId, { shopId })
      const found = yield* whole(yield* first(seen, { shopId, ...said }))
      if (!found) throw new TypeError('There is no such shop')
      if (platformId !== undefined && before?.platform_id === null)
        yield* logChange(shopId, { at: now, by: byProvider }, { action: 'platform.bound', platformId })
      return found
    },

    *bindShop(shopId, platformId, now, by = byProvider) {
      const before = yield* shop(shopId)
      if (!before || before.platformId === platformId) return before
      yield* all(bind, { shopId, platformId })
      const action: AuditAction =
        platformId === undefined ? { action: 'platform.unbound' } : { action: 'platform.bound', platformId }
      yield* logChange(shopId, { at: now, by }, action)
      return yield* shop(shopId)
    },

    *changeHosts(shopId, change, now, by = byProvider) {
      const { add: added = [], remove = [], only, confirm } = change
      const before = yield* shop(shopId)
      if (!before) return undefined
      const room = before.hosts.confirmed || confirm ? added.length : mostHosts - before.hosts.names.length
      const gone: string[] = []
      const fresh: string[] = []
      const dropped = only ? before.hosts.names.filter((host) => !added.includes(host)) : remove
      for (const host of dropped) if ((yield* all(removeHost, { shopId, host })).length > 0) gone.push(host)
      for (const host of added.slice(0, Math.max(0, room)))
        if ((yield* all(rows.addHost, { shopId, host, now })).length > 0) fresh.push(host)
      if (gone.length > 0) yield* logChange(shopId, { at: now, by }, { action: 'hosts.removed', hosts: gone })
      if (fresh.length > 0) yield* logChange(shopId, { at: now, by }, { action: 'hosts.added', hosts: fresh })
      if (confirm && !before.hosts.confirmed) {
        yield* all(confirmHosts, { shopId })
        yield* logChange(shopId, { at: now, by }, { action: 'hosts.confirmed' })
      }
      return yield* shop(shopId)
    },

    *ensurePushAddress(shopId, adapter, address, by = byProvider) {
      const there = yield* first(pushAddressOf, { shopId, adapter })
      if (there) return addressFrom(there)
      yield* all(addPushAddress, { shopId, adapter, ...address })
      const at = { at: address.now, by }
      yield* logChange(shopId, at, { action: 'push_address.added', adapter })
      return addressOf(address)
    },

    *shopByPushToken(adapter, tokenHash) {
      return yield* whole(yield* first(byPushAddress, { adapter, tokenHash }))
    },
  } satisfies Partial<Commands>
}

const addressOf = ({ tokenHash, sealedToken }: NewEndpoint) => ({ tokenHash, sealedToken })
