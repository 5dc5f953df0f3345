import { sql } from 'kysely'
import { type Db, members, ofOrder, type Row } from '../../store/columns.ts'
import { type Command, inOneFlight, together } from '../../store/query.ts'
import { Gone } from '../../store.ts'
import type { Attempt, AttemptStart, Fact, LastWord, Payment } from '../ledger/payment.ts'

// A column of words holds any text, because the store knows no words: here it gets the type of what writes it.

const factFrom = (row: Row<'facts'>): Fact => ({
  ...members(row, 'event', 'amount', 'currency', 'happened_at', 'answer_by', 'detail', 'node'),
  kind: row.kind as Fact['kind'],
  mode: (row.mode ?? undefined) as Fact['mode'],
  source: row.source as Fact['source'],
  at: row.learned_at,
  conflicts: row.conflicts === 1 ? true : undefined,
})

/** The part of an attempt that a push may have changed before the answer of its start came. */
export const startedFrom = (row: Pick<Row<'attempts'>, 'expires_at' | 'last_word' | 'last_word_at'>) => ({
  expiresAt: row.expires_at,
  lastWord:
    row.last_word === null ? undefined : { is: row.last_word as LastWord['is'], at: row.last_word_at ?? 0 },
})

export const factsOf = (facts: readonly Row<'facts'>[], attemptId: string): Fact[] =>
  facts.filter((fact) => fact.attempt_id === attemptId).map(factFrom)

/** `facts` are those of the order. */
const attemptFrom = (row: Row<'attempts'>, facts: readonly Row<'facts'>[]): Attempt => ({
  ...members(row, 'id', 'shop_id', 'order_id', 'order_number', 'adapter', 'method_id', 'amount', 'currency'),
  ...members(row, 'underpaid_by', 'language', 'idempotency_key', 'page_hash', 'page_state'),
  ...members(row, 'opened_at', 'check_at'),
  ...startedFrom(row),
  mode: row.mode as Attempt['mode'],
  authorisedIsPaid: row.authorised_is_paid === 1,
  started: row.how
    ? {
        ...members(row, 'payment_url', 'url_expires_at', 'reference', 'sealed_data'),
        how: row.how as AttemptStart['how'],
      }
    : undefined,
  facts: factsOf(facts, row.id),
  asked: row.asked_at === null ? undefined : { at: row.asked_at, answer: row.asked_answer ?? '' },
})

/** A payment, and what was delivered before the webhook that is owed; null where nothing is owed. */
type PaymentRow = Row<'payments'> & { delivered_before: number | null }

const paymentFrom = (
  row: PaymentRow,
  attempts: readonly Row<'attempts'>[],
  facts: readonly Row<'facts'>[],
): Payment => ({
  ...members(row, 'shop_id', 'order_id', 'status', 'status_version', 'read_version', 'read_at', 'changed_at'),
  ...members(row, 'redirect_url', 'webhook_url', 'paid_by'),
  openedAt: row.created_at,
  deliveredVersion: row.delivered_before ?? row.status_version,
  attempts: attempts.map((attempt) => attemptFrom(attempt, facts)),
})

/** The version that was delivered before the webhook that is owed; null where nothing is owed. */
const deliveredBefore = sql`(select webhooks.delivered_version from webhooks
  where webhooks.shop_id = payments.shop_id and webhooks.order_id = payments.order_id) as delivered_before`

export interface Keyed {
  shop_id: string
  order_id: string
}

/** Reads payments with their attempts and facts. */
export function loadPayments(db: Db) {
  const ofOne = (table: string) => sql`select * from ${sql.table(table)} where ${ofOrder} order by number`
  const payment = db.text<PaymentRow>`select *, ${deliveredBefore} from payments where ${ofOrder}`
  const attempts = db.text<Row<'attempts'>>(ofOne('attempts'))
  const facts = db.text<Row<'facts'>>(ofOne('facts'))

  function* one(shopId: string, orderId: string): Command<Payment | undefined> {
    const order = { shopId, orderId }
    const [[row], ...parts] = yield* together(payment(order), attempts(order), facts(order))
    return row && paymentFrom(row, ...parts)
  }

  function* known(shopId: string, orderId: string): Command<Payment> {
    const found = yield* one(shopId, orderId)
    if (!found) throw new Gone()
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
      return yield* inOneFlight(...keys.map((key) => known(key.shop_id, key.order_id)))
    },

    *attempt(row: (Keyed & { id: string }) | undefined) {
      if (!row) return undefined
      const found = yield* known(row.shop_id, row.order_id)
      return { payment: found, attempt: attemptIn(found, row.id) }
    },
  }
}

export const attemptIn = ({ attempts }: Payment, id: string) =>
  attempts.find((attempt) => attempt.id === id) as Attempt

export type LoadPayments = ReturnType<typeof loadPayments>
