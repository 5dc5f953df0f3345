import { type Kysely, sql } from 'kysely'
import type { Attempt, Payment } from '../../payments/payment.ts'
import { isServer, ofOrder } from './columns.ts'
import { ask, type Command, first, prepare, type Query, together } from './query.ts'
import { paymentFrom, type Row } from './rows.ts'
import type { Tables } from './tables.ts'

interface Keyed {
  shop_id: string
  order_id: string
}

/** Reads payments with their attempts and facts. */
export function loadPayments(db: Kysely<Tables>) {
  const payment = prepare((value) => db.selectFrom('payments').selectAll().where(ofOrder(value)))
  const attempts = prepare((value) =>
    db.selectFrom('attempts').selectAll().where(ofOrder(value)).orderBy('number'),
  )
  const facts = prepare((value) =>
    db
      .selectFrom('facts')
      .selectAll()
      .where(ofOrder(value))
      .orderBy(sql`coalesce(number, 0)`)
      .orderBy('learned_at')
      .orderBy('fact_key'),
  )

  const isFar = isServer(db)

  function* one(shopId: string, orderId: string): Command<Payment | undefined> {
    const order = { shopId, orderId }
    const rest = [ask(attempts, order), ask(facts, order)] as const
    // A flight costs more than a query that finds nothing.
    if (isFar) return paymentIn(yield* together(ask(payment, order), ...rest))
    const row = yield* first(payment, order)
    return row && paymentIn([[row], ...(yield* together(...rest))])
  }

  function* known(shopId: string, orderId: string): Command<Payment> {
    const found = yield* one(shopId, orderId)
    if (!found) throw new TypeError('This shop has no payment for this order')
    return found
  }

  return {
    /** The facts of an order, for what loads a part of it in a flight of its own. */
    facts,
    one,
    /** One that is there. */
    known,

    /** Reads existing payments in one flight. */
    *all(keys: readonly Keyed[]): Command<Payment[]> {
      const ofEach = (query: Query<unknown>) =>
        keys.map(({ shop_id: shopId, order_id: orderId }) => ask(query, { shopId, orderId }))
      const rows = yield* together(...ofEach(payment), ...ofEach(attempts), ...ofEach(facts))
      const count = keys.length
      return keys.map((_, index) =>
        paymentFrom(
          rows[index]![0] as Row<'payments'>,
          rows[count + index] as Row<'attempts'>[],
          rows[2 * count + index] as Row<'facts'>[],
        ),
      )
    },

    /** The attempt of a row, with its payment. */
    *attempt(
      row: (Keyed & { id: string }) | undefined,
    ): Command<{ payment: Payment; attempt: Attempt } | undefined> {
      if (!row) return undefined
      const found = yield* known(row.shop_id, row.order_id)
      return { payment: found, attempt: attemptIn(found, row.id) }
    },
  }
}

type Rows = readonly [Row<'payments'>[], Row<'attempts'>[], Row<'facts'>[]]

const paymentIn = ([[row], attempts, facts]: Rows): Payment | undefined =>
  row && paymentFrom(row, attempts, facts)

export const attemptIn = ({ attempts }: Payment, id: string) =>
  attempts.find((attempt) => attempt.id === id) as Attempt

export type LoadPayments = ReturnType<typeof loadPayments>
