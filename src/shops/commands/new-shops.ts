import { sql } from 'kysely'
import { byProvider } from '../../audit.ts'
import { type Db, value } from '../../store/columns.ts'
import {
  administration,
  alone,
  type Command,
  first,
  holding,
  read,
  type Step,
  together,
  write,
} from '../../store/query.ts'
import { Gone, ShopsExist } from '../../store.ts'
import type { AuditCommands } from './audit.ts'

/** The initial data of a new shop. `hosts` are its confirmed list. */
export interface ShopStart {
  platformId?: string | undefined
  hosts?: readonly string[] | undefined
  sealedSettings?: string | undefined
  /** The paths of its settings, for the audit trail. */
  settings?: readonly string[] | undefined
  by?: string | undefined
}

export type AddedShop = { id: string; endpoint: NewEndpoint; start: ShopStart }

interface StoredAddress {
  tokenHash: string
  /** The token, encrypted, so that a command can print the address again. */
  sealedToken: string
}

export type NewEndpoint = StoredAddress & { now: number }

/** Finds what is there already. Without it the command holds the administration of shops, so that it may add it. */
export function* knownOrHeld<Found>(find: () => Command<Found | undefined>): Command<Found | undefined> {
  yield* alone()
  const found = yield* find()
  if (found !== undefined) return found
  yield* holding(administration)
  return yield* find()
}

/** The rows of a new shop, whether it is added alone or with many others. */
export function newShops(db: Db, { entry }: AuditCommands) {
  const settings = ['hosts_confirmed', 'sealed_settings'] as const
  const addShop = db.addNewRow('shops', 'id', 'platform_id', ...settings, 'created_at')
  const addHost = db.addNewRow('shop_hosts')
  const addEndpoint = db.addRow('endpoints')
  const endpoint = (shopId: string, { now: createdAt, ...address }: NewEndpoint) =>
    addEndpoint({ shopId, ...address, createdAt })

  return {
    addHost,
    endpoint,

    /** Adds the shop itself. Returns no row if it exists already. */
    shop({ id, endpoint: { now: createdAt }, start: { platformId, hosts, sealedSettings } }: AddedShop) {
      const hostsConfirmed = hosts ? 1 : 0
      return addShop({ id, createdAt, platformId, sealedSettings, hostsConfirmed })
    },

    others({ id: shopId, endpoint: given, start }: AddedShop): Step[] {
      const { platformId, hosts, settings, by = byProvider } = start
      const { now: at } = given
      return [
        ...(hosts ?? []).map((host) => addHost({ shopId, host, addedAt: at })),
        endpoint(shopId, given),
        entry(shopId, { at, by }, { action: 'shop.added', platformId, hosts, settings }),
      ]
    },
  }
}

const perFlight = 1_000

export function bulkShopCommands(rows: NewShops, removed: RemovedShops) {
  function* flights(steps: Step[]): Command<unknown[][]> {
    const found: unknown[][] = []
    for (let from = 0; from < steps.length; from += perFlight)
      found.push(...(yield* together(...steps.slice(from, from + perFlight))))
    return found
  }

  return {
    /** The ids of the shops of these names, or the id each would get if it were added now: a shop that takes the name of a removed one gets an id of its own. */
    shopIdsOf: read(function* (names: readonly string[]): Command<string[]> {
      const found = yield* flights(names.map((name) => removed.idOf({ name })))
      return (found as { id: string }[][]).map(([row]) => row!.id)
    }),

    /** Adds many shops, all or none. Rejects with a `ShopsExist` if one exists already. */
    addShops: write(function* (given: readonly AddedShop[]): Command<void> {
      yield* alone(administration)
      // Always in the same order, so that two calls never wait for each other.
      const shops = given.toSorted((a, b) => (a.id < b.id ? -1 : 1))
      const gone = yield* flights(shops.map(({ id }) => removed.record({ id })))
      const added = yield* flights(shops.map(rows.shop))
      const there = shops.filter((_, index) => added[index]!.length === 0 || gone[index]!.length > 0)
      // This ends the transaction: nothing is added.
      if (there.length > 0) throw new ShopsExist(there.map(({ id }) => id))
      yield* flights(shops.flatMap(rows.others))
    }),
  }
}

export type NewShops = ReturnType<typeof newShops>

// The id of a shop is of one life. The record of a removed shop keeps its id, and a shop that is added under the same name gets another one.

/** The records of removed shops, and the ids that names have by them. */
export function removedShops(db: Db) {
  // Truths are numbers on SQLite. `disabled` is null where there is no such shop.
  const state = db.text<{ disabled: unknown; removed: unknown }>`
    select (select disabled_at is not null from shops where id = ${value('id')}) as disabled,
      exists (select 1 from removed_shops where id = ${value('id')}) as removed`
  const record = db.rowsBy('removed_shops', ['id'])
  // No name has a dot, so `bikes.2` is never a name.
  const name = sql`cast(${value('name')} as text)`
  const idOf = db.text<{ id: string }>`select case count(*) when 0 then ${name}
      else ${name} || '.' || (count(*) + 1) end as id
    from removed_shops where name = ${value('name')}`

  return {
    record,
    /** The id of the shop of a name, or the id it would get if it were added now. */
    idOf,

    /** Throws `Gone` for a removed shop and, where it `serves`, for a disabled one. The locks of the command hold this until its commit. */
    *expect(id: string, serves = false): Command<void> {
      const { disabled, removed } = (yield* first(state, { id }))!
      if (disabled === null ? removed : serves && disabled) throw new Gone()
    },
  }
}

export type RemovedShops = ReturnType<typeof removedShops>
