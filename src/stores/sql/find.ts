import { type Kysely, sql } from 'kysely'
import type { FoundOrder, NamedBy, PaymentNames, StatusVersion } from '../../store/payments.ts'
import { ifGiven } from './columns.ts'
import { read } from './port.ts'
import { all, ask, type Command, prepare, together } from './query.ts'
import { orderFrom } from './rows.ts'
import type { Tables } from './schema.ts'

type NamedColumn = 'order_id' | 'id' | 'order_number' | 'reference' | 'idempotency_key' | 'amount'

/** The most orders found by one kind of id, because many shops use the same order numbers. */
const most = sql<number>`100`

/** One query for each kind of name. Each uses an index. */
function queriesByKind(db: Kysely<Tables>) {
  const byColumn = (column: NamedColumn) =>
    prepare((value) =>
      db
        .selectFrom('attempts')
        .select(['shop_id', 'order_id'])
        .where(column, '=', value('name'))
        .where(ifGiven(value, 'shop_id'))
        .orderBy('opened_at', 'desc')
        .limit(most),
    )
  const byPage = prepare((value) =>
    db
      .selectFrom('attempts')
      .select(['shop_id', 'order_id'])
      .where('page_hash', '=', value('pageHash'))
      .where(ifGiven(value, 'shop_id')),
  )
  const byEvent = prepare((value) =>
    db
      .selectFrom('facts')
      .select(['shop_id', 'order_id'])
      .where('event', '=', value('name'))
      .where(ifGiven(value, 'shop_id'))
      .groupBy(['shop_id', 'order_id'])
      .orderBy(({ fn }) => fn.max('learned_at'), 'desc')
      .limit(most),
  )
  const byAnomaly = prepare((value) =>
    db
      .selectFrom('anomalies')
      .select(['shop_id', 'order_id'])
      .where('id', '=', value('name'))
      .where(ifGiven(value, 'shop_id'))
      .limit(most),
  )
  return {
    order: byColumn('order_id'),
    attempt: byColumn('id'),
    'order number': byColumn('order_number'),
    reference: byColumn('reference'),
    'idempotency key': byColumn('idempotency_key'),
    event: byEvent,
    amount: byColumn('amount'),
    page: byPage,
    anomaly: byAnomaly,
  } satisfies Record<NamedBy, unknown>
}

/** Looks up payments of all shops by any of their ids. */
export function findCommands(db: Kysely<Tables>) {
  const queries = queriesByKind(db)
  const changed = prepare((value) =>
    db
      .selectFrom('payments')
      .select(['shop_id', 'order_id', 'status_version'])
      .where('status_version', '>', sql<number>`0`)
      .orderBy('changed_at', 'desc')
      .limit(value('limit')),
  )

  const shopsOf = prepare((value) =>
    db
      .selectFrom('attempts')
      .select('shop_id')
      .where('order_id', '=', value('orderId'))
      .groupBy('shop_id')
      .orderBy('shop_id')
      .limit(value('limit')),
  )

  return {
    /** Up to `limit` shops that have a payment for an order of this id, by their ids. */
    shopsOfOrder: read(function* (orderId: string, limit: number): Command<string[]> {
      return (yield* all(shopsOf, { orderId, limit })).map(({ shop_id }) => shop_id)
    }),

    /** Orders of all shops with one of these ids: at most a hundred for each kind of id, newest first. */
    findOrders: read(function* (names: PaymentNames): Command<FoundOrder[]> {
      const kinds = Object.keys(queries) as NamedBy[]
      const rows = yield* together(...kinds.map((kind) => ask(queries[kind], { ...names })))
      return kinds.flatMap((by, index) => rows[index]!.map((row) => ({ ...orderFrom(row), by })))
    }),

    /** The latest changed orders of all shops, with the version of their status. */
    statusVersions: read(function* (limit: number): Command<StatusVersion[]> {
      const rows = yield* all(changed, { limit })
      return rows.map((row) => ({ ...orderFrom(row), version: row.status_version }))
    }),
  }
}
