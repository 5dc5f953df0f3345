import { type Kysely, sql } from 'kysely'
import type { Push, PushKey, PushRecord } from '../../store.ts'
import { all, type Command, holding, prepare } from './query.ts'
import { skipLocked } from './skip-locked.ts'
import type { Tables } from './tables.ts'

/** What payment services pushed: kept until it is processed, with what became of it. */
export function pushCommands(db: Kysely<Tables>) {
  const keep = prepare((value) =>
    db
      .insertInto('pushes')
      .values({
        shop_id: value('shopId'),
        adapter: value('adapter'),
        push_key: value('key'),
        body: value('body'),
        headers: value('headers'),
        query: value('query'),
        received_at: value('now'),
        times: value('times'),
        due_at: value('now'),
      })
      .onConflict((conflict) =>
        conflict.columns(['shop_id', 'adapter', 'push_key']).doUpdateSet((excluded) => ({
          body: excluded.ref('excluded.body'),
          headers: excluded.ref('excluded.headers'),
          query: excluded.ref('excluded.query'),
          due_at: excluded.ref('excluded.due_at'),
          times: sql<number>`pushes.times + 1`,
        })),
      ),
  )
  const claim = prepare((value) =>
    db
      .updateTable('pushes')
      .set({ due_at: value('leaseUntil') })
      .where(({ eb, refTuple, selectFrom }) =>
        eb(
          refTuple('shop_id', 'adapter', 'push_key'),
          'in',
          selectFrom('pushes')
            .select(['shop_id', 'adapter', 'push_key'])
            .where('due_at', '<=', value('now'))
            .orderBy('due_at')
            .limit(value('limit'))
            .$call(skipLocked(db))
            .$asTuple('shop_id', 'adapter', 'push_key'),
        ),
      )
      .returning(['shop_id', 'adapter', 'push_key', 'body', 'headers', 'query', 'received_at']),
  )
  const settle = prepare((value) =>
    db
      .updateTable('pushes')
      .set({
        // What it carried is forgotten; what became of it stays.
        body: sql<null>`null`,
        headers: sql<string>`'{}'`,
        query: sql<string>`''`,
        due_at: sql<null>`null`,
        processed_at: value('now'),
        outcome: value('outcome'),
      })
      .where('shop_id', '=', value('shopId'))
      .where('adapter', '=', value('adapter'))
      .where('push_key', '=', value('key')),
  )
  const newest = prepare((value) =>
    db
      .selectFrom('pushes')
      .selectAll()
      .where('shop_id', '=', value('shopId'))
      .orderBy('received_at', 'desc')
      .limit(value('limit')),
  )

  return {
    *keepPush({ headers, receivedAt: _, ...push }: Push, now: number): Command<void> {
      yield* holding()
      yield* all(keep, { ...push, headers: JSON.stringify(headers), now, times: 1 })
    },

    *claimPushes(options: { now: number; leaseUntil: number; limit: number }): Command<Push[]> {
      return (yield* all(claim, options)).map((row) => ({
        shopId: row.shop_id,
        adapter: row.adapter,
        key: row.push_key,
        body: row.body ?? '',
        headers: JSON.parse(row.headers) as Record<string, string>,
        query: row.query,
        receivedAt: row.received_at,
      }))
    },

    *settlePush({ shopId, adapter, key }: PushKey, outcome: string, now: number): Command<void> {
      yield* holding()
      yield* all(settle, { shopId, adapter, key, outcome, now })
    },

    *pushes(shopId: string, limit: number): Command<PushRecord[]> {
      return (yield* all(newest, { shopId, limit })).map((row) => ({
        shopId: row.shop_id,
        adapter: row.adapter,
        key: row.push_key,
        receivedAt: row.received_at,
        times: row.times,
        processedAt: row.processed_at ?? undefined,
        outcome: row.outcome ?? undefined,
      }))
    },
  }
}
