import { type Kysely, sql } from 'kysely'
import { prepare } from './query.ts'
import type { Tables } from './tables.ts'

/** Every query of the store, compiled once. */
export function sqlQueries(db: Kysely<Tables>) {
  const select = {
    shop: prepare((value) => db.selectFrom('shops').selectAll().where('id', '=', value('shopId'))),
    endpointOf: prepare((value) =>
      db.selectFrom('endpoints').selectAll().where('shop_id', '=', value('shopId')).orderBy('created_at'),
    ),
    shopByEndpoint: prepare((value) =>
      db
        .selectFrom('shops')
        .innerJoin('endpoints', 'endpoints.shop_id', 'shops.id')
        .selectAll('shops')
        .where('token_hash', '=', value('tokenHash')),
    ),
    payment: prepare((value) =>
      db
        .selectFrom('payments')
        .selectAll()
        .where('shop_id', '=', value('shopId'))
        .where('order_id', '=', value('orderId')),
    ),
    attempts: prepare((value) =>
      db
        .selectFrom('attempts')
        .selectAll()
        .where('shop_id', '=', value('shopId'))
        .where('order_id', '=', value('orderId'))
        .orderBy('number'),
    ),
    facts: prepare((value) =>
      db
        .selectFrom('facts')
        .selectAll()
        .where('shop_id', '=', value('shopId'))
        .where('order_id', '=', value('orderId'))
        .orderBy('at'),
    ),
    attemptById: prepare((value) =>
      db
        .selectFrom('attempts')
        .selectAll()
        .where('shop_id', '=', value('shopId'))
        .where('id', '=', value('attemptId')),
    ),
    attemptByReference: prepare((value) =>
      db
        .selectFrom('attempts')
        .selectAll()
        .where('shop_id', '=', value('shopId'))
        .where('adapter', '=', value('adapter'))
        .where('reference', '=', value('reference')),
    ),
    attemptByPageToken: prepare((value) =>
      db.selectFrom('attempts').selectAll().where('page_token', '=', value('pageToken')),
    ),
    nextDue: prepare(() =>
      db
        .selectFrom('notifications')
        .select('due_at')
        .where('due_at', 'is not', null)
        .orderBy('due_at')
        .limit(sql<number>`1`),
    ),
    counts: prepare(() =>
      db
        .selectFrom('notifications')
        .select([sql<number>`count(due_at)`.as('owed'), sql<number>`count(*) - count(due_at)`.as('dead')]),
    ),
  }

  const write = {
    shop: prepare((value) =>
      db
        .insertInto('shops')
        .values({ id: value('shopId'), created_at: value('now') })
        .onConflict((conflict) => conflict.doNothing()),
    ),
    endpoint: prepare((value) =>
      db.insertInto('endpoints').values({
        token_hash: value('tokenHash'),
        shop_id: value('shopId'),
        sealed_token: value('sealedToken'),
        created_at: value('now'),
      }),
    ),
    seen: prepare((value) =>
      db
        .updateTable('shops')
        .set({
          platform_id: sql`coalesce(platform_id, ${value('platformId')})`,
          language: sql`coalesce(${value('language')}, language)`,
        })
        .where('id', '=', value('shopId'))
        .returningAll(),
    ),
    payment: prepare((value) =>
      db
        .insertInto('payments')
        .values({
          shop_id: value('shopId'),
          order_id: value('orderId'),
          status: value('status'),
          status_version: value('statusVersion'),
          notified_version: value('notifiedVersion'),
          redirect_url: value('redirectUrl'),
          webhook_url: value('webhookUrl'),
          created_at: value('now'),
        })
        .onConflict((conflict) =>
          conflict.columns(['shop_id', 'order_id']).doUpdateSet((excluded) => ({
            status: excluded.ref('excluded.status'),
            status_version: excluded.ref('excluded.status_version'),
            redirect_url: excluded.ref('excluded.redirect_url'),
            webhook_url: excluded.ref('excluded.webhook_url'),
          })),
        ),
    ),
    attempt: prepare((value) =>
      db.insertInto('attempts').values({
        shop_id: value('shop_id'),
        order_id: value('order_id'),
        number: value('number'),
        id: value('id'),
        order_number: value('order_number'),
        adapter: value('adapter'),
        method_id: value('method_id'),
        amount: value('amount'),
        currency: value('currency'),
        language: value('language'),
        idempotency_key: value('idempotency_key'),
        page_token: value('page_token'),
        opened_at: value('opened_at'),
        expires_at: value('expires_at'),
        check_at: value('check_at'),
      }),
    ),
    start: prepare((value) =>
      db
        .updateTable('attempts')
        .set({
          how: value('how'),
          payment_url: value('paymentUrl'),
          url_expires_at: value('urlExpiresAt'),
          reference: value('reference'),
          expires_at: value('expiresAt'),
          check_at: value('checkAt'),
        })
        .where('shop_id', '=', value('shopId'))
        .where('id', '=', value('attemptId'))
        .where('how', 'is', null),
    ),
    fact: prepare((value) =>
      db
        .insertInto('facts')
        .values({
          shop_id: value('shopId'),
          order_id: value('orderId'),
          attempt_id: value('attemptId'),
          fact_key: value('key'),
          kind: value('kind'),
          amount: value('amount'),
          currency: value('currency'),
          source: value('source'),
          at: value('at'),
          detail: value('detail'),
        })
        .onConflict((conflict) => conflict.doNothing()),
    ),
    closeAttempt: prepare((value) =>
      db
        .updateTable('attempts')
        .set({ check_at: sql<null>`null` })
        .where('shop_id', '=', value('shopId'))
        .where('id', '=', value('attemptId')),
    ),
    owed: prepare((value) =>
      db
        .insertInto('notifications')
        .values({
          shop_id: value('shopId'),
          order_id: value('orderId'),
          due_at: value('now'),
          owed_since: value('now'),
          tries: value('tries'),
        })
        .onConflict((conflict) =>
          conflict.columns(['shop_id', 'order_id']).doUpdateSet((excluded) => ({
            due_at: excluded.ref('excluded.due_at'),
            owed_since: excluded.ref('excluded.owed_since'),
            tries: excluded.ref('excluded.tries'),
            owner: sql<null>`null`,
          })),
        ),
    ),
    claim: prepare((value) =>
      db
        .updateTable('notifications')
        .set({ due_at: value('leaseUntil'), owner: value('owner') })
        .where(({ eb, refTuple, selectFrom }) =>
          eb(
            refTuple('shop_id', 'order_id'),
            'in',
            selectFrom('notifications')
              .select(['shop_id', 'order_id'])
              .where('due_at', '<=', value('now'))
              .orderBy('due_at')
              .limit(value('limit'))
              .$asTuple('shop_id', 'order_id'),
          ),
        )
        .returning(['shop_id', 'order_id', 'tries', 'owed_since']),
    ),
    notified: prepare((value) =>
      db
        .updateTable('payments')
        .set({ notified_version: value('version') })
        .where('shop_id', '=', value('shopId'))
        .where('order_id', '=', value('orderId'))
        .where('notified_version', '<', value('version'))
        .returning('status_version'),
    ),
    settle: prepare((value) =>
      db
        .deleteFrom('notifications')
        .where('shop_id', '=', value('shopId'))
        .where('order_id', '=', value('orderId'))
        .where('owner', '=', value('owner')),
    ),
    postpone: prepare((value) =>
      db
        .updateTable('notifications')
        .set({ due_at: value('dueAt'), tries: sql`tries + 1`, owner: sql<null>`null` })
        .where('shop_id', '=', value('shopId'))
        .where('order_id', '=', value('orderId'))
        .where('owner', '=', value('owner')),
    ),
    claimExpired: prepare((value) =>
      db
        .updateTable('attempts')
        .set({ check_at: value('leaseUntil') })
        .where(({ eb, refTuple, selectFrom }) =>
          eb(
            refTuple('shop_id', 'id'),
            'in',
            selectFrom('attempts')
              .select(['shop_id', 'id'])
              .where('check_at', '<=', value('now'))
              .orderBy('check_at')
              .limit(value('limit'))
              .$asTuple('shop_id', 'id'),
          ),
        )
        .returning(['shop_id', 'id']),
    ),
  }

  return { select, write }
}
