import { type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import { byProvider } from '../../audit.ts'
import type { Endpoint, Shop, ShopAtEndpoint } from '../../shops/shop.ts'
import type { EnsuredShop, NewEndpoint, ShopStart, StoredAddress } from '../../store/shops.ts'
import { matching } from './columns.ts'
import { read, write } from './port.ts'
import { administration, all, alone, ask, type Command, first, holding, prepare, together } from './query.ts'
import { addressFrom, endpointFrom, shopFrom } from './rows.ts'
import type { Tables } from './schema.ts'
import type { ShopParts } from './shops.ts'
import { addRow } from './simple.ts'
import { twoLive } from './two-live.ts'

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
