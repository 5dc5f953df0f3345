import { type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import { byProvider } from '../../audit.ts'
import type { Endpoint, Shop, ShopAtEndpoint } from '../../shops/shop.ts'
import type {
  EnsuredShop,
  NewEndpoint,
  NewWebhookKey,
  ShopStart,
  StoredAddress,
  WebhookKey,
} from '../../store/shops.ts'
import type { AuditCommands } from './audit.ts'
import { addRow, matching, type Place } from './columns.ts'
import { read, write } from './port.ts'
import { administration, all, alone, ask, type Command, first, holding, prepare, together } from './query.ts'
import { addressFrom, endpointFrom, shopFrom, webhookKeyFrom } from './rows.ts'
import type { Tables } from './schema.ts'
import type { ShopParts } from './shops.ts'

/** The hosts of the shop that a query of its id names. */
const hostsOfShopAt = (
  db: Kysely<Tables>,
  shop: SelectQueryBuilder<Tables, 'endpoints' | 'push_addresses', { shop_id: string }>,
) => db.selectFrom('shop_hosts').select(['shop_id', 'host']).where('shop_id', 'in', shop).orderBy('host')

const hashesOf = (db: Kysely<Tables>, table: 'endpoints' | 'push_addresses') =>
  db.selectFrom(table).select('token_hash')

const addressQueries = (db: Kysely<Tables>) => ({
  byEndpoint: prepare((value) =>
    db
      .selectFrom('shops')
      .innerJoin('endpoints', 'endpoints.shop_id', 'shops.id')
      .selectAll('shops')
      .select('expires_at')
      .where('token_hash', '=', value('tokenHash'))
      .where('disabled_at', 'is', null)
      .where(sql<boolean>`(expires_at is null or expires_at > ${value('now')})`),
  ),
  hostsOfEndpoint: prepare((value) =>
    hostsOfShopAt(db, db.selectFrom('endpoints').select('shop_id').where(matching(value, 'token_hash'))),
  ),
  pushAddressOf: prepare((value) =>
    db
      .selectFrom('push_addresses')
      .selectAll()
      .where(matching(value, 'shop_id', 'adapter')),
  ),
  addPushAddress: addRow(
    db,
    'push_addresses',
    ...(['token_hash', 'shop_id', 'adapter', 'sealed_token', 'created_at'] as const),
  ),
  byPushAddress: prepare((value) =>
    db
      .selectFrom('shops')
      .innerJoin('push_addresses', 'push_addresses.shop_id', 'shops.id')
      .selectAll('shops')
      .where(matching(value, 'adapter', 'token_hash')),
  ),
  hostsOfPushAddress: prepare((value) =>
    hostsOfShopAt(
      db,
      db
        .selectFrom('push_addresses')
        .select('shop_id')
        .where(matching(value, 'adapter', 'token_hash')),
    ),
  ),
  liveTokens: prepare((value) =>
    hashesOf(db, 'endpoints')
      .where(sql<boolean>`(expires_at is null or expires_at > ${value('now')})`)
      .limit(value('limit')),
  ),
  pushTokens: prepare((value) => hashesOf(db, 'push_addresses').limit(value('limit'))),
})

/** Shops by their addresses: endpoints, of which two are live at most, and those for the pushes of payment services. */
export function addressCommands(db: Kysely<Tables>, { load, rows, audit, removed }: ShopParts) {
  const queries = addressQueries(db)
  const endpoints = twoLive(db, 'endpoints', 'token_hash')
  const { byEndpoint, hostsOfEndpoint, pushAddressOf, addPushAddress, byPushAddress, hostsOfPushAddress } =
    queries
  const { liveTokens, pushTokens } = queries

  return {
    /** Adds a shop with its endpoint and initial data, or returns the existing one. Rejects with `Gone` for the id of a removed one. */
    ensureShop: write(function* (
      shopId: string,
      endpoint: NewEndpoint,
      start: ShopStart = {},
    ): Command<EnsuredShop> {
      yield* alone()
      const known = yield* load.one(shopId)
      const knownAt = known && (yield* first(endpoints.live, { shopId, now: endpoint.now }))
      if (known && knownAt) return { shop: known, ...addressFrom(knownAt), added: false }
      yield* holding(administration)
      yield* removed.expect(shopId)
      const wanted = { id: shopId, endpoint, start }
      const added = (yield* together(rows.shop(wanted)))[0].length > 0
      if (added) yield* together(...rows.others(wanted))
      const there = added ? undefined : yield* first(endpoints.live, { shopId, now: endpoint.now })
      if (!added && !there) yield* together(rows.endpoint(shopId, endpoint))
      const address = there ? addressFrom(there) : addressOf(endpoint)
      return { shop: (yield* load.one(shopId))!, ...address, added }
    }),

    /** The live endpoints of a shop, newest first. */
    endpoints: read(function* (shopId: string, now: number): Command<Endpoint[]> {
      return (yield* all(endpoints.live, { shopId, now })).map(endpointFrom)
    }),

    /** The live endpoints of all shops, the newest of a shop first. */
    liveEndpoints: read(function* (now: number): Command<(Endpoint & { shopId: string })[]> {
      return (yield* all(endpoints.allLive, { now })).map((row) => ({
        shopId: row.shop_id,
        ...endpointFrom(row),
      }))
    }),

    /** Adds an endpoint. The one that was newest before ends at `oldEndsAt`, older ones at once: two are live at most. */
    rotateEndpoint: write(function* (
      shopId: string,
      endpoint: NewEndpoint,
      oldEndsAt: number,
      by: string = byProvider,
    ): Command<void> {
      yield* alone(administration)
      const newest = yield* first(endpoints.live, { shopId, now: endpoint.now })
      yield* endpoints.replace(shopId, newest?.token_hash, oldEndsAt)
      yield* together(rows.endpoint(shopId, endpoint))
      yield* audit.logChange(shopId, { at: endpoint.now, by }, { action: 'endpoint.rotated', oldEndsAt })
    }),

    /** The shop of a live endpoint, with the endpoint's end if it has one. Never a disabled shop. */
    shopByEndpoint: read(function* (tokenHash: string, now: number): Command<ShopAtEndpoint | undefined> {
      const [[row], hosts] = yield* together(
        ask(byEndpoint, { tokenHash, now }),
        ask(hostsOfEndpoint, { tokenHash }),
      )
      const endsAt = row?.expires_at ?? undefined
      return row && { ...shopFrom(row, hosts), ...(endsAt !== undefined && { endpointEndsAt: endsAt }) }
    }),

    /** The hashes of tokens that shops have: those of live endpoints, and those of addresses for pushes. At most `limit` of each. */
    knownTokens: read(function* (now: number, limit: number): Command<string[]> {
      const rows = yield* together(ask(liveTokens, { now, limit }), ask(pushTokens, { limit }))
      return rows.flat().map((row) => row.token_hash)
    }),

    /** Adds the push address of a payment service, or returns the existing one. */
    ensurePushAddress: write(function* (
      shopId: string,
      adapter: string,
      address: NewEndpoint,
      by: string = byProvider,
    ): Command<StoredAddress> {
      yield* alone()
      const known = yield* first(pushAddressOf, { shopId, adapter })
      if (known) return addressFrom(known)
      yield* holding(administration)
      const there = yield* first(pushAddressOf, { shopId, adapter })
      if (there) return addressFrom(there)
      const { now, ...added } = address
      yield* all(addPushAddress, { shopId, adapter, ...added, createdAt: now })
      yield* audit.logChange(shopId, { at: now, by }, { action: 'push_address.added', adapter })
      return addressOf(address)
    }),

    shopByPushToken: read(function* (adapter: string, tokenHash: string): Command<Shop | undefined> {
      const [[row], hosts] = yield* together(
        ask(byPushAddress, { adapter, tokenHash }),
        ask(hostsOfPushAddress, { adapter, tokenHash }),
      )
      return row && shopFrom(row, hosts)
    }),
  }
}

const addressOf = ({ tokenHash, sealedToken }: NewEndpoint) => ({ tokenHash, sealedToken })

/** Stores the keys that sign a shop's webhooks. At most two are live, during a change. */
export function webhookKeyCommands(db: Kysely<Tables>, { logChange }: AuditCommands) {
  const shopOf = prepare((value) => db.selectFrom('shops').select('id').where('id', '=', value('shopId')))
  const keys = twoLive(db, 'webhook_keys', 'id')
  const addKey = addRow(db, 'webhook_keys', 'id', 'shop_id', 'sealed_secret', 'created_at')
  const add = (shopId: string, { id, sealed: sealedSecret, now: createdAt }: NewWebhookKey) =>
    all(addKey, { id, shopId, sealedSecret, createdAt })

  function* webhookKeys(shopId: string, now: number): Command<WebhookKey[]> {
    return (yield* all(keys.live, { shopId, now })).map(webhookKeyFrom)
  }

  return {
    /** The live keys that sign a shop's webhooks, newest first. */
    webhookKeys: read(webhookKeys),

    /** Adds a key if the shop has none. Resolves with the live ones; with none if there is no such shop. */
    ensureWebhookKey: write(function* (
      shopId: string,
      key: NewWebhookKey,
      by: string = byProvider,
    ): Command<WebhookKey[]> {
      yield* alone()
      const known = yield* webhookKeys(shopId, key.now)
      if (known.length > 0) return known
      yield* holding(administration)
      const there = yield* webhookKeys(shopId, key.now)
      if (there.length > 0 || !(yield* first(shopOf, { shopId }))) return there
      yield* add(shopId, key)
      yield* logChange(shopId, { at: key.now, by }, { action: 'webhook_secret.added' })
      return yield* webhookKeys(shopId, key.now)
    }),

    /** Adds a key. The one that was newest before ends at `oldEndsAt`, older ones at once: two are live at most. */
    rotateWebhookKey: write(function* (
      shopId: string,
      key: NewWebhookKey,
      oldEndsAt: number,
      by: string = byProvider,
    ): Command<void> {
      yield* alone(administration)
      if (!(yield* first(shopOf, { shopId }))) return
      const [newest] = yield* webhookKeys(shopId, key.now)
      yield* keys.replace(shopId, newest?.id, oldEndsAt)
      yield* add(shopId, key)
      yield* logChange(shopId, { at: key.now, by }, { action: 'webhook_secret.rotated', oldEndsAt })
    }),
  }
}

/** Rows of a shop of which two are live at most, while one is changed for the next: its endpoints, and its webhook keys. */
export function twoLive<Table extends 'endpoints' | 'webhook_keys'>(
  tables: Kysely<Tables>,
  table: Table,
  key: string & keyof Tables[Table],
) {
  const db = tables as unknown as Kysely<Record<string, Tables[Table]>>
  const end = prepare((value) =>
    tables
      .updateTable(table as 'endpoints')
      .set({ expires_at: value('endsAt') })
      .where(sql.ref(key), '=', value('key')),
  )
  const dropOthers = prepare((value) =>
    tables
      .deleteFrom(table as 'endpoints')
      .where(matching(value, 'shop_id'))
      .where(sql.ref(key), '<>', value('key')),
  )
  const allLive = (value: Place) =>
    db
      .selectFrom(table as string)
      .selectAll()
      .where(sql<boolean>`(expires_at is null or expires_at > ${value('now')})`)
      // Of two created at the same time, the one without an end is newer.
      .orderBy(sql`expires_at is null`, 'desc')
      .orderBy(sql`created_at`, 'desc')

  return {
    /** Of one shop, the newest first. */
    live: prepare((value) => allLive(value).where(matching(value, 'shop_id'))),
    /** Of all shops, in the same order. */
    allLive: prepare(allLive),

    /** Makes room for one more: the newest ends at a moment, older ones at once. */
    *replace(shopId: string, newest: string | undefined, endsAt: number): Command<void> {
      yield* all(dropOthers, { shopId, key: newest ?? '' })
      if (newest !== undefined) yield* all(end, { key: newest, endsAt })
    },
  }
}
