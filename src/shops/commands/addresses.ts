import { type RawBuilder, sql } from 'kysely'
import { byProvider } from '../../audit.ts'
import { type Db, matching, members, plain, type Row, value } from '../../store/columns.ts'
import {
  administration,
  all,
  alone,
  type Command,
  first,
  holding,
  read,
  together,
  write,
} from '../../store/query.ts'
import type { Tables } from '../../store/schema.ts'
import type { Endpoint, Shop, ShopAtEndpoint } from '../shop.ts'
import type { AuditCommands } from './audit.ts'
import { knownOrHeld, type NewEndpoint, type ShopStart } from './new-shops.ts'
import { type HostRow, type ShopParts, shopFrom } from './shops.ts'

export type NewWebhookKey = { id: string; sealed: string; now: number }
const isLive = sql<boolean>`(expires_at is null or expires_at > ${value('now')})`
type TokenRow = Pick<Row<'endpoints'>, 'token_hash'>
const addressFrom = (row: TokenRow & { sealed_token: string }) => members(row, 'token_hash', 'sealed_token')
const endpointFrom = ({ shop_id: _, ...row }: Row<'endpoints'>): Endpoint => plain(row)
/** A secret that signs a shop's webhooks. Without `expiresAt` it never ends. */
export type WebhookKey = ReturnType<typeof webhookKeyFrom>

const webhookKeyFrom = (row: Row<'webhook_keys'>) => ({
  ...members(row, 'id', 'created_at', 'expires_at'),
  sealed: row.sealed_secret,
})

function addressQueries(db: Db) {
  const hostsAt = (addresses: RawBuilder<unknown>) => sql`select shop_id, host from shop_hosts
    where shop_id in (select shop_id from ${addresses}) order by host`
  return {
    byEndpoint: db.text<Row<'shops'> & { expires_at: number | null }>`
      select shops.*, expires_at from shops join endpoints on endpoints.shop_id = shops.id
        where ${matching('token_hash')} and disabled_at is null and ${isLive}`,
    hostsOfEndpoint: db.text<HostRow>(hostsAt(sql`endpoints where ${matching('token_hash')}`)),
    pushAddressOf: db.rowsBy('push_addresses', ['shop_id', 'adapter']),
    addPushAddress: db.addRow('push_addresses'),
    byPushAddress: db.text<Row<'shops'>>`
      select shops.* from shops join push_addresses on push_addresses.shop_id = shops.id
        where ${matching('adapter', 'token_hash')}`,
    hostsOfPushAddress: db.text<HostRow>(
      hostsAt(sql`push_addresses where ${matching('adapter', 'token_hash')}`),
    ),
    liveTokens: db.text<TokenRow>`select token_hash from endpoints where ${isLive} limit ${value('limit')}`,
    pushTokens: db.text<TokenRow>`select token_hash from push_addresses limit ${value('limit')}`,
  }
}

/** Shops by their addresses: endpoints, of which two are live at most, and those for the pushes of payment services. */
export function addressCommands(db: Db, { load, rows, audit, removed }: ShopParts) {
  const queries = addressQueries(db)
  const endpoints = twoLive(db, 'endpoints', 'token_hash')
  const { pushAddressOf } = queries

  return {
    /** Adds a shop with its endpoint and initial data, or returns the existing one. Rejects with `Gone` for the id of a removed one. */
    ensureShop: write(function* (shopId: string, endpoint: NewEndpoint, start: ShopStart = {}) {
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
      return (yield* all(endpoints.allLive, { now })).map(plain)
    }),

    /** Adds an endpoint. The one that was newest before ends at `oldEndsAt`, older ones at once: two are live at most. */
    rotateEndpoint: write(function* (
      shopId: string,
      endpoint: NewEndpoint,
      oldEndsAt: number,
      by = byProvider,
    ) {
      yield* alone(administration)
      const newest = yield* first(endpoints.live, { shopId, now: endpoint.now })
      yield* endpoints.replace(shopId, newest?.token_hash, oldEndsAt)
      yield* together(rows.endpoint(shopId, endpoint))
      yield* audit.logChange(shopId, { at: endpoint.now, by }, { action: 'endpoint.rotated', oldEndsAt })
    }),

    /** The shop of a live endpoint, with the endpoint's end if it has one. Never a disabled shop. */
    shopByEndpoint: read(function* (tokenHash: string, now: number): Command<ShopAtEndpoint | undefined> {
      const [[row], hosts] = yield* together(
        queries.byEndpoint({ tokenHash, now }),
        queries.hostsOfEndpoint({ tokenHash }),
      )
      const endsAt = row?.expires_at ?? undefined
      return row && { ...shopFrom(row, hosts), ...(endsAt !== undefined && { endpointEndsAt: endsAt }) }
    }),

    /** The hashes of tokens that shops have: those of live endpoints, and those of addresses for pushes. At most `limit` of each. */
    knownTokens: read(function* (now: number, limit: number): Command<string[]> {
      const rows = yield* together(queries.liveTokens({ now, limit }), queries.pushTokens({ limit }))
      return rows.flat().map((row) => row.token_hash)
    }),

    /** Adds the push address of a payment service, or returns the existing one. */
    ensurePushAddress: write(function* (
      shopId: string,
      adapter: string,
      address: NewEndpoint,
      by = byProvider,
    ) {
      const there = yield* knownOrHeld(() => first(pushAddressOf, { shopId, adapter }))
      if (there) return addressFrom(there)
      const { now, ...added } = address
      yield* all(queries.addPushAddress, { shopId, adapter, ...added, createdAt: now })
      yield* audit.logChange(shopId, { at: now, by }, { action: 'push_address.added', adapter })
      return addressOf(address)
    }),

    shopByPushToken: read(function* (adapter: string, tokenHash: string): Command<Shop | undefined> {
      const [[row], hosts] = yield* together(
        queries.byPushAddress({ adapter, tokenHash }),
        queries.hostsOfPushAddress({ adapter, tokenHash }),
      )
      return row && shopFrom(row, hosts)
    }),
  }
}

const addressOf = ({ tokenHash, sealedToken }: NewEndpoint) => ({ tokenHash, sealedToken })

export function webhookKeyCommands(db: Db, { logChange }: AuditCommands) {
  const shopOf = db.rowsBy('shops', ['id'])
  const keys = twoLive(db, 'webhook_keys', 'id')
  const addKey = db.addRow('webhook_keys')
  const add = (shopId: string, { id, sealed: sealedSecret, now: createdAt }: NewWebhookKey) =>
    all(addKey, { id, shopId, sealedSecret, createdAt })

  function* webhookKeys(shopId: string, now: number): Command<WebhookKey[]> {
    return (yield* all(keys.live, { shopId, now })).map(webhookKeyFrom)
  }

  return {
    webhookKeys: read(webhookKeys),

    /** Adds a key if the shop has none. Resolves with the live ones; with none if there is no such shop. */
    ensureWebhookKey: write(function* (shopId: string, key: NewWebhookKey, by = byProvider) {
      const there = yield* knownOrHeld(() => first(keys.live, { shopId, now: key.now }))
      if (there || !(yield* first(shopOf, { id: shopId }))) return yield* webhookKeys(shopId, key.now)
      yield* add(shopId, key)
      yield* logChange(shopId, { at: key.now, by }, { action: 'webhook_secret.added' })
      return yield* webhookKeys(shopId, key.now)
    }),

    /** Adds a key. The one that was newest before ends at `oldEndsAt`, older ones at once: two are live at most. */
    rotateWebhookKey: write(function* (
      shopId: string,
      key: NewWebhookKey,
      oldEndsAt: number,
      by = byProvider,
    ) {
      yield* alone(administration)
      if (!(yield* first(shopOf, { id: shopId }))) return
      const [newest] = yield* webhookKeys(shopId, key.now)
      yield* keys.replace(shopId, newest?.id, oldEndsAt)
      yield* add(shopId, key)
      yield* logChange(shopId, { at: key.now, by }, { action: 'webhook_secret.rotated', oldEndsAt })
    }),
  }
}

/** Rows of a shop of which two are live at most, while one is changed for the next: its endpoints, and its webhook keys. */
function twoLive<Table extends 'endpoints' | 'webhook_keys'>(
  db: Db,
  table: Table,
  key: string & keyof Tables[Table],
) {
  const [of, name] = [sql.table(table), sql.ref(key)]
  const end = db.text<unknown>`update ${of} set expires_at = ${value('endsAt')} where ${name} = ${value('key')}`
  const dropOthers = db.text<unknown>`
    delete from ${of} where ${matching('shop_id')} and ${name} <> ${value('key')}`
  // Of two created at the same time, the one without an end is newer.
  const liveOf = (which: RawBuilder<boolean>) =>
    db.text<Row<Table>>`select * from ${of} where ${which} and ${isLive}
        order by expires_at is null desc, created_at desc`

  return {
    /** Of one shop, the newest first. */
    live: liveOf(matching('shop_id')),
    allLive: liveOf(sql`1 = 1`),

    /** Makes room for one more: the newest ends at a moment, older ones at once. */
    *replace(shopId: string, newest: string | undefined, endsAt: number): Command<void> {
      yield* all(dropOthers, { shopId, key: newest ?? '' })
      if (newest !== undefined) yield* all(end, { key: newest, endsAt })
    },
  }
}
