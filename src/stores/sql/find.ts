import { type Kysely, sql } from 'kysely'
import type { Payment } from '../../payments/payment.ts'
import type {
  FoundOrder,
  NamedBy,
  PaymentFilter,
  PaymentNames,
  PaymentSummary,
  StatusVersion,
} from '../../store/payments.ts'
import { ifGiven, type Place } from './columns.ts'
import type { LoadPayments } from './load-payments.ts'
import { read } from './port.ts'
import { all, ask, type Command, prepare, together } from './query.ts'
import { orderFrom, summaryFrom } from './rows.ts'
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

/** The payments of a list, latest change of status first. */
const newestFirst = (db: Kysely<Tables>, value: Place) =>
  db
    .selectFrom('payments')
    .where(ifGiven(value, 'shop_id', 'payments'))
    .where(ifGiven(value, 'status'))
    .where('changed_at', '>=', value('since'))
    .where(
      sql<boolean>`(changed_at, payments.shop_id, payments.order_id)
        < (cast(${value('changedAt')} as bigint), ${value('afterShop')}, ${value('afterOrder')})`,
    )
    .orderBy('changed_at', 'desc')
    .orderBy('payments.shop_id', 'desc')
    .orderBy('payments.order_id', 'desc')
    .limit(value('limit'))

const listQueries = (db: Kysely<Tables>) => ({
  newest: prepare((value) => newestFirst(db, value).select(['shop_id', 'order_id'])),
  summaries: prepare((value) =>
    newestFirst(db, value)
      .innerJoin('attempts', (join) =>
        join
          .onRef('attempts.shop_id', '=', 'payments.shop_id')
          .onRef('attempts.order_id', '=', 'payments.order_id')
          .on(
            'attempts.number',
            '=',
            sql<number>`(select max(number) from attempts of_order
              where of_order.shop_id = payments.shop_id and of_order.order_id = payments.order_id)`,
          ),
      )
      .select(['payments.shop_id', 'payments.order_id', 'status', 'amount', 'currency', 'adapter'])
      .select(['created_at', 'changed_at']),
  ),
})

/** Reads one payment, or a list. */
export function paymentLists(db: Kysely<Tables>, load: LoadPayments) {
  const { newest, summaries } = listQueries(db)

  return {
    payment: read(load.one),

    /** Payments, latest change of status first. */
    payments: read(function* (filter: PaymentFilter): Command<Payment[]> {
      return yield* load.all(yield* all(newest, valuesOf(filter)))
    }),

    /** The same payments in the same order, without what they are made of. */
    paymentSummaries: read(function* (filter: PaymentFilter): Command<PaymentSummary[]> {
      return (yield* all(summaries, valuesOf(filter))).map(summaryFrom)
    }),
  }
}

/** Where a list begins. */
const fromTheTop = { changedAt: Number.MAX_SAFE_INTEGER, shopId: '', orderId: '' }

function valuesOf({ shopId, status, since = 0, after = fromTheTop, limit }: PaymentFilter) {
  const { changedAt, shopId: afterShop, orderId: afterOrder } = after
  return { shopId, status, since, changedAt, afterShop, afterOrder, limit }
}
