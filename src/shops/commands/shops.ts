import { sql } from 'kysely'
import { type AuditAction, byProvider } from '../../audit.ts'
import { type Db, matching, members, type Row, value } from '../../store/columns.ts'
import {
  administration,
  all,
  alone,
  type Command,
  first,
  holding,
  lastly,
  read,
  together,
  write,
} from '../../store/query.ts'
import type { HostsChange } from '../../store.ts'
import { mostHosts, type Shop } from '../shop.ts'
import type { AuditCommands } from './audit.ts'
import type { NewShops, RemovedShops } from './new-shops.ts'

export type HostRow = Pick<Row<'shop_hosts'>, 'shop_id' | 'host'>

export const shopFrom = (row: Row<'shops'>, hosts: readonly HostRow[]): Shop => ({
  ...members(row, 'id', 'platform_id', 'sealed_settings', 'settings_version'),
  disabled: row.disabled_at !== null,
  hosts: { names: hosts.map(({ host }) => host), confirmed: row.hosts_confirmed === 1 },
})

export interface ShopParts {
  load: LoadShops
  rows: NewShops
  audit: AuditCommands
  removed: RemovedShops
}

export function loadShops(db: Db) {
  const byId = db.rowsBy('shops', ['id'])
  const firstOnes = db.text<Row<'shops'>>`select * from shops order by id limit ${value('limit')}`
  const hostsOf = db.rowsBy('shop_hosts', ['shop_id'], 'host')
  const firstHosts = db.text<HostRow>`select shop_id, host from shop_hosts
      where shop_id in (select id from shops order by id limit ${value('limit')}) order by host`

  return {
    /** Waits for what is being written for a shop, and whatever comes later waits for the commit. */
    lock: db.text<{ id: string }>`
      select id from shops where ${matching('id')} ${db.isServer ? sql`for update` : sql``}`,
    /** With its hosts in the same flight: every call of a platform begins with a look-up. */
    *one(id: string) {
      const [[row], found] = yield* together(byId({ id }), hostsOf({ shopId: id }))
      return row && shopFrom(row, found)
    },
    *all(limit = Number.MAX_SAFE_INTEGER) {
      const [rows, found] = yield* together(firstOnes({ limit }), firstHosts({ limit }))
      const ofShop = Map.groupBy(found, ({ shop_id }) => shop_id)
      return rows.map((row) => shopFrom(row, ofShop.get(row.id) ?? []))
    },
  }
}

export type LoadShops = ReturnType<typeof loadShops>

export function shopCommands(db: Db, { load, rows, audit: { logChange, entry } }: ShopParts) {
  const disable = db.setColumns('shops', ['disabled_at'], ['id'])
  const bind = db.setColumns('shops', ['platform_id'], ['id'])
  const saveSettings = db.text<{ id: string }>`update shops
      set sealed_settings = ${value('sealed')}, settings_version = settings_version + 1
      where ${matching('id', 'settings_version')} returning id`
  const seen = db.text<unknown>`update shops set platform_id = coalesce(platform_id, ${value('platformId')})
      where ${matching('id')}`
  const replaceHosts = hostReplacer(db, rows)

  /** Changes a shop, with the audit trail. Resolves with the shop as it is then; with `undefined` if there is none. */
  function* changing(
    id: string,
    change: { at: number; by: string },
    make: (before: Shop) => Command<AuditAction[]>,
  ): Command<Shop | undefined> {
    yield* alone(administration)
    const before = yield* load.one(id)
    const actions = before ? yield* make(before) : []
    for (const action of actions) yield* logChange(id, change, action)
    return actions.length === 0 ? before : yield* load.one(id)
  }

  const count = db.text<{ shops: number }>`select count(*) as shops from shops`

  return {
    shop: read(load.one),
    /** All shops by id, or the first ones. */
    shops: read(load.all),

    countShops: read(function* (): Command<number> {
      return (yield* all(count, {}))[0]!.shops
    }),

    /** A disabled shop is not found by its endpoints. Resolves with `undefined` if there is no such shop. */
    setDisabled: write((id: string, disabled: boolean, now: number, by = byProvider) =>
      changing(id, { at: now, by }, function* (before) {
        if (before.disabled === disabled) return []
        yield* all(load.lock, { id })
        yield* all(disable, { id, disabledAt: disabled ? now : undefined })
        return [{ action: disabled ? 'shop.disabled' : 'shop.enabled' }]
      }),
    ),

    /** Replaces the settings if they have this version, or resolves with `undefined`. `changed`: the paths, for the audit trail. */
    saveSettings: write(function* (
      id: string,
      given: { sealed: string | undefined; changed: readonly string[]; version: number },
      now: number,
      by = byProvider,
    ): Command<Shop | undefined> {
      const { sealed, changed, version } = given
      yield* alone(administration)
      if (!(yield* first(saveSettings, { id, sealed, settingsVersion: version }))) return undefined
      yield* logChange(id, { at: now, by }, { action: 'settings.saved', changed })
      return yield* load.one(id)
    }),

    /** Stores the platform's id of a shop. A stored one stays. Resolves with `undefined` if there is no such shop. */
    noteShop: write(function* (id: string, { platformId }: { platformId: string }, now: number) {
      yield* holding()
      const known = yield* load.one(id)
      if (!known || known.platformId !== undefined) return known
      // Only the first one who names it binds the shop.
      yield* holding(`shop ${id}`)
      const found = (yield* load.one(id)) ?? known
      if (found.platformId !== undefined) return found
      const bound = { action: 'platform.bound', platformId } as const
      yield* lastly(seen({ id, platformId }), entry(id, { at: now, by: byProvider }, bound))
      return { ...found, platformId }
    }),

    /** Replaces the platform id of a shop; without one the next call sets it. Resolves with `undefined` if there is no such shop. */
    bindShop: write((id: string, platformId: string | undefined, now: number, by = byProvider) =>
      changing(id, { at: now, by }, function* (before) {
        if (before.platformId === platformId) return []
        yield* all(bind, { id, platformId })
        if (platformId === undefined) return [{ action: 'platform.unbound' }]
        return [{ action: 'platform.bound', platformId }]
      }),
    ),

    /** Changes the list of hosts of a shop. Only a `confirmed` list holds more than a hundred. */
    changeHosts: write((id: string, change: HostsChange, now: number, by = byProvider) =>
      changing(id, { at: now, by }, (before) => replaceHosts(before, change, now)),
    ),
  }
}

/** Makes the function that changes the list of hosts of a shop. It returns what has changed. */
function hostReplacer(db: Db, rows: NewShops) {
  const removeHost = db.deleteBy('shop_hosts', 'shop_id', 'host')
  const confirmHosts = db.setColumns('shops', ['hosts_confirmed'], ['id'])

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
