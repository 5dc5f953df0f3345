import { type Kysely, sql } from 'kysely'
import type { Shop } from '../../shops/shop.ts'
import type { NewEndpoint } from '../../store.ts'
import { all, type Command, first, prepare } from './query.ts'
import { shopFrom } from './rows.ts'
import type { Tables } from './tables.ts'

/** Shops, and the addresses that lead to them. */
export function shopCommands(db: Kysely<Tables>) {
  const byId = prepare((value) => db.selectFrom('shops').selectAll().where('id', '=', value('shopId')))
  const add = prepare((value) =>
    db
      .insertInto('shops')
      .values({ id: value('shopId'), created_at: value('now') })
      .onConflict((conflict) => conflict.doNothing()),
  )
  const endpointOf = prepare((value) =>
    db.selectFrom('endpoints').selectAll().where('shop_id', '=', value('shopId')).orderBy('created_at'),
  )
  const addEndpoint = prepare((value) =>
    db.insertInto('endpoints').values({
      token_hash: value('tokenHash'),
      shop_id: value('shopId'),
      sealed_token: value('sealedToken'),
      created_at: value('now'),
    }),
  )
  const byEndpoint = prepare((value) =>
    db
      .selectFrom('shops')
      .innerJoin('endpoints', 'endpoints.shop_id', 'shops.id')
      .selectAll('shops')
      .where('token_hash', '=', value('tokenHash')),
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
  const pushAddressOf = prepare((value) =>
    db
      .selectFrom('push_addresses')
      .select('sealed_token')
      .where('shop_id', '=', value('shopId'))
      .where('adapter', '=', value('adapter')),
  )
  const addPushAddress = prepare((value) =>
    db.insertInto('push_addresses').values({
      token_hash: value('tokenHash'),
      shop_id: value('shopId'),
      adapter: value('adapter'),
      sealed_token: value('sealedToken'),
      created_at: value('now'),
    }),
  )
  const byPushAddress = prepare((value) =>
    db
      .selectFrom('shops')
      .innerJoin('push_addresses', 'push_addresses.shop_id', 'shops.id')
      .selectAll('shops')
      .where('adapter', '=', value('adapter'))
      .where('token_hash', '=', value('tokenHash')),
  )

  return {
    *ensureShop(shopId: string, endpoint: NewEndpoint): Command<{ shop: Shop; sealedToken: string }> {
      yield* all(add, { shopId, now: endpoint.now })
      const there = yield* first(endpointOf, { shopId })
      if (!there) yield* all(addEndpoint, { shopId, ...endpoint })
      const shop = shopFrom((yield* first(byId, { shopId }))!)
      return { shop, sealedToken: there?.sealed_token ?? endpoint.sealedToken }
    },

    *shopByEndpoint(tokenHash: string): Command<Shop | undefined> {
      const row = yield* first(byEndpoint, { tokenHash })
      return row && shopFrom(row)
    },

    *noteShop(shopId: string, said: { platformId?: string; language?: string }): Command<Shop> {
      const row = yield* first(seen, { shopId, ...said })
      if (!row) throw new TypeError('There is no such shop')
      return shopFrom(row)
    },

    *ensurePushAddress(
      shopId: string,
      adapter: string,
      address: NewEndpoint,
    ): Command<{ sealedToken: string }> {
      const there = yield* first(pushAddressOf, { shopId, adapter })
      if (!there) yield* all(addPushAddress, { shopId, adapter, ...address })
      return { sealedToken: there?.sealed_token ?? address.sealedToken }
    },

    *shopByPushToken(adapter: string, tokenHash: string): Command<Shop | undefined> {
      const row = yield* first(byPushAddress, { adapter, tokenHash })
      return row && shopFrom(row)
    },
  }
}
