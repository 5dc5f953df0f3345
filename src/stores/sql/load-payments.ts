import { type Kysely, sql } from 'kysely'
import type { Attempt, Payment } from '../../payments/payment.ts'
import { ofOrder } from './columns.ts'
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

  function* one(shopId: string, orderId: string): Command<Payment | undefined> {
    const row = yield* first(payment, { shopId, orderId })
    if (!row) return undefined
    const [attemptRows, factRows] = yield* together(
      ask(attempts, { shopId, orderId }),
      ask(facts, { shopId, orderId }),
    )
    return paymentFrom(row, attemptRows, factRows)
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

export const attemptIn = ({ attempts }: Payment, id: string) =>
  attempts.find((attempt) => attempt.id === id) as Attempt

export type LoadPayments = ReturnType<typeof loadPayments>
