import { type Kysely, sql } from 'kysely'
import { type AuditAction, byProvider } from '../../audit.ts'
import { mostHosts } from '../../shops/hosts.ts'
import type { Shop } from '../../shops/shop.ts'
import type { HostsChange } from '../../store/shops.ts'
import type { AuditCommands } from './audit.ts'
import { lockRows, matching, setColumns } from './columns.ts'
import type { NewShops, RemovedShops } from './new-shops.ts'
import { read, write } from './port.ts'
import {
  administration,
  all,
  alone,
  ask,
  type Command,
  first,
  holding,
  lastly,
  prepare,
  together,
} from './query.ts'
import { shopFrom } from './rows.ts'
import type { Tables } from './schema.ts'

/** Parts that the commands of shops share. */
export interface ShopParts {
  load: LoadShops
  rows: NewShops
  audit: AuditCommands
  removed: RemovedShops
}

/** Reads shops with their hosts. */
export function loadShops(db: Kysely<Tables>) {
  const byId = prepare((value) => db.selectFrom('shops').selectAll().where(matching(value, 'id')))
  const everyOne = prepare(() => db.selectFrom('shops').selectAll().orderBy('id'))
  const firstOnes = prepare((value) => db.selectFrom('shops').selectAll().orderBy('id').limit(value('limit')))
  const hosts = () => db.selectFrom('shop_hosts').select(['shop_id', 'host']).orderBy('host')
  const hostsOf = prepare((value) => hosts().where(matching(value, 'shop_id')))
  const allHosts = prepare(hosts)
  const firstHosts = prepare((value) =>
    hosts().where('shop_id', 'in', db.selectFrom('shops').select('id').orderBy('id').limit(value('limit'))),
  )

  return {
    /** Waits for what is being written for a shop, and whatever comes later waits for the commit. */
    lock: prepare((value) =>
      db.selectFrom('shops').select('id').where(matching(value, 'id')).$call(lockRows(db)),
    ),
    /** With its hosts in the same flight: every call of a platform begins with a look-up. */
    *one(id: string) {
      const [[row], found] = yield* together(ask(byId, { id }), ask(hostsOf, { shopId: id }))
      return row && shopFrom(row, found)
    },
    *all(limit?: number) {
      const asks =
        limit === undefined
          ? ([ask(everyOne, {}), ask(allHosts, {})] as const)
          : ([ask(firstOnes, { limit }), ask(firstHosts, { limit })] as const)
      const [rows, found] = yield* together(...asks)
      const ofShop = Map.groupBy(found, ({ shop_id }) => shop_id)
      return rows.map((row) => shopFrom(row, ofShop.get(row.id) ?? []))
    },
  }
}

export type LoadShops = ReturnType<typeof loadShops>

export function shopCommands(db: Kysely<Tables>, { load, rows, audit: { logChange, entry } }: ShopParts) {
  const disable = setColumns(db, 'shops', ['disabled_at'], ['id'])
  const bind = setColumns(db, 'shops', ['platform_id'], ['id'])
  const saveSettings = prepare((value) =>
    db
      .updateTable('shops')
      .set({ sealed_settings: value('sealed'), settings_version: sql`settings_version + 1` })
      .where('id', '=', value('shopId'))
      .where('settings_version', '=', value('version'))
      .returning('id'),
  )
  const seen = prepare((value) =>
    db
      .updateTable('shops')
      .set({ platform_id: sql`coalesce(platform_id, ${value('platformId')})` })
      .where('id', '=', value('shopId')),
  )
  const replaceHosts = hostReplacer(db, rows)
  const count = prepare(() => db.selectFrom('shops').select(sql<number>`count(*)`.as('shops')))

  return {
    shop: read(load.one),
    /** All shops by id, or the first ones. */
    shops: read(load.all),

    /** The number of shops. */
    countShops: read(function* (): Command<number> {
      return (yield* all(count, {}))[0]!.shops
    }),

    /** A disabled shop is not found by its endpoints. Resolves with `undefined` if there is no such shop. */
    setDisabled: write(function* (
      id: string,
      disabled: boolean,
      now: number,
      by: string = byProvider,
    ): Command<Shop | undefined> {
      yield* alone(administration)
      yield* all(load.lock, { id })
      const before = yield* load.one(id)
      if (!before || before.disabled === disabled) return before
      yield* all(disable, { id, disabledAt: disabled ? now : undefined })
      yield* logChange(id, { at: now, by }, { action: disabled ? 'shop.disabled' : 'shop.enabled' })
      return yield* load.one(id)
    }),

    /**
     * Replaces the sealed settings of a shop if they have this version. `changed` are the changed paths, for the audit trail. Resolves with
     * `undefined` if the settings have changed since, or there is no such shop.
     */
    saveSettings: write(function* (
      shopId: string,
      {
        sealed,
        changed,
        version,
      }: { sealed: string | undefined; changed: readonly string[]; version: number },
      now: number,
      by: string = byProvider,
    ): Command<Shop | undefined> {
      yield* alone(administration)
      if (!(yield* first(saveSettings, { shopId, sealed, version }))) return undefined
      yield* logChange(shopId, { at: now, by }, { action: 'settings.saved', changed })
      return yield* load.one(shopId)
    }),

    /** Stores the platform's id of a shop. A stored one stays. Resolves with `undefined` if there is no such shop. */
    noteShop: write(function* (
      shopId: string,
      said: { platformId: string },
      now: number,
    ): Command<Shop | undefined> {
      const { platformId } = said
      yield* holding()
      const known = yield* load.one(shopId)
      if (!known || known.platformId !== undefined) return known
      // Only the first one who names it binds the shop.
      yield* holding(`shop ${shopId}`)
      const found = (yield* load.one(shopId)) ?? known
      if (found.platformId !== undefined) return found
      const bound = { action: 'platform.bound', platformId } as const
      yield* lastly(ask(seen, { shopId, ...said }), entry(shopId, { at: now, by: byProvider }, bound))
      return { ...found, platformId }
    }),

    /** Replaces the platform id of a shop; without one the next call sets it. Resolves with `undefined` if there is no such shop. */
    bindShop: write(function* (
      id: string,
      platformId: string | undefined,
      now: number,
      by: string = byProvider,
    ): Command<Shop | undefined> {
      yield* alone(administration)
      const before = yield* load.one(id)
      if (!before || before.platformId === platformId) return before
      yield* all(bind, { id, platformId })
      const action: AuditAction =
        platformId === undefined ? { action: 'platform.unbound' } : { action: 'platform.bound', platformId }
      yield* logChange(id, { at: now, by }, action)
      return yield* load.one(id)
    }),

    /** Changes the list of hosts of a shop. Only a `confirmed` list holds more than a hundred. */
    changeHosts: write(function* (
      shopId: string,
      change: HostsChange,
      now: number,
      by: string = byProvider,
    ): Command<Shop | undefined> {
      yield* alone(administration)
      const before = yield* load.one(shopId)
      if (!before) return undefined
      for (const action of yield* replaceHosts(before, change, now))
        yield* logChange(shopId, { at: now, by }, action)
      return yield* load.one(shopId)
    }),
  }
}

/** Makes the function that changes the list of hosts of a shop. It returns what has changed. */
function hostReplacer(db: Kysely<Tables>, rows: NewShops) {
  const removeHost = prepare((value) =>
    db
      .deleteFrom('shop_hosts')
      .where(matching(value, 'shop_id', 'host'))
      .returning('host'),
  )
  const confirmHosts = setColumns(db, 'shops', ['hosts_confirmed'], ['id'])

  return function* (shop: Shop, change: HostsChange, now: number): Command<AuditAction[]> {
    const { id: shopId, hosts } = shop
    const { add: added = [], remove = [], only, confirm } = change
    const room = hosts.confirmed || confirm ? added.length : mostHosts - hosts.names.length
    const changed: AuditAction[] = []
    const gone: string[] = []
    const fresh: string[] = []
    const dropped = only ? hosts.names.filter((host) => !added.includes(host)) : remove
    for (const host of dropped) if ((yield* all(removeHost, { shopId, host })).length > 0) gone.push(host)
    for (const host of added.slice(0, Math.max(0, room)))
      if ((yield* all(rows.addHost, { shopId, host, addedAt: now })).length > 0) fresh.push(host)
    if (gone.length > 0) changed.push({ action: 'hosts.removed', hosts: gone })
    if (fresh.length > 0) changed.push({ action: 'hosts.added', hosts: fresh })
    if (!confirm || hosts.confirmed) return changed
    yield* all(confirmHosts, { id: shopId, hostsConfirmed: 1 })
    return [...changed, { action: 'hosts.confirmed' }]
  }
}
