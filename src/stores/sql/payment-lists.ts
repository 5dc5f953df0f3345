import { type Kysely, sql } from 'kysely'
import type { Payment } from '../../payments/payment.ts'
import type { PaymentFilter, PaymentSummary } from '../../store/payments.ts'
import { ifGiven, type Place } from './columns.ts'
import type { LoadPayments } from './load-payments.ts'
import { read } from './port.ts'
import { all, type Command, prepare } from './query.ts'
import { summaryFrom } from './rows.ts'
import type { Tables } from './schema.ts'

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
