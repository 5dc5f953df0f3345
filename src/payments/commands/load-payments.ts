import { type RawBuilder, sql } from 'kysely'
import { type Decimal, decimal, roundToCurrency } from '../../money/index.ts'
import type { AuditCommands } from '../../shops/commands/audit.ts'
import { addRow, type Db, isServer, matching, ofOrder, prepareText, rowsBy } from '../../store/columns.ts'
import {
  all,
  ask,
  type Command,
  first,
  holding,
  lastly,
  orderKey,
  type Place,
  patient,
  type Query,
  read,
  together,
  write,
  writeHolding,
} from '../../store/query.ts'
import type { Row } from '../../store/rows.ts'
import { Gone } from '../../store.ts'
import { type MoneyRequest, type MoneyRequestKind, moneyLeft } from '../ledger/movements.ts'
import type { Attempt, Payment } from '../ledger/payment.ts'
import { moneyRequestFrom, type PaymentRow, paymentFrom } from './rows.ts'

/** The version that was delivered before the webhook that is owed; null where nothing is owed. */
const deliveredBefore = sql`(select webhooks.delivered_version from webhooks
  where webhooks.shop_id = payments.shop_id and webhooks.order_id = payments.order_id) as delivered_before`

export interface Keyed {
  shop_id: string
  order_id: string
}

/** Reads payments with their attempts and facts. */
export function loadPayments(db: Db) {
  const text = prepareText(db)
  const payments = (value: Place) => sql`select *, ${deliveredBefore} from payments where ${ofOrder(value)}`
  const ofOne = (table: string) => (value: Place) =>
    sql`select * from ${sql.table(table)} where ${ofOrder(value)} order by number`
  const [attemptsOf, factsOf] = [ofOne('attempts'), ofOne('facts')]
  const payment = text<PaymentRow>(payments)
  const attempts = text<Row<'attempts'>>(attemptsOf)
  const facts = text<Row<'facts'>>(factsOf)
  // One statement where a statement costs more than what it finds.
  const list = (rows: RawBuilder<unknown>) =>
    sql`(select coalesce(json_agg(each_one), '[]') from (${rows}) as each_one)`
  const whole = text<Whole>(
    (value) => sql`select (select to_json(one) from (${payments(value)}) as one) as payment,
      ${list(attemptsOf(value))} as attempts, ${list(factsOf(value))} as facts`,
  )

  const isFar = isServer(db)

  function* one(shopId: string, orderId: string): Command<Payment | undefined> {
    const order = { shopId, orderId }
    if (isFar) return wholeIn(yield* first(whole, order))
    const row = yield* first(payment, order)
    return row && paymentFrom(row, ...(yield* together(ask(attempts, order), ask(facts, order))))
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
      const ofEach = <Row>(query: Query<Row>) =>
        keys.map(({ shop_id: shopId, order_id: orderId }) => ask(query, { shopId, orderId }))
      if (isFar) {
        const found = yield* together(...ofEach(whole))
        return found.map(([one]) => wholeIn(one)!)
      }
      const rows = yield* together(...ofEach(payment), ...ofEach(attempts), ...ofEach(facts))
      const count = keys.length
      return keys.map((_, index) =>
        paymentFrom(
          rows[index]![0] as PaymentRow,
          rows[count + index] as Row<'attempts'>[],
          rows[2 * count + index] as Row<'facts'>[],
        ),
      )
    },

    *attempt(
      row: (Keyed & { id: string }) | undefined,
    ): Command<{ payment: Payment; attempt: Attempt } | undefined> {
      if (!row) return undefined
      const found = yield* known(row.shop_id, row.order_id)
      return { payment: found, attempt: attemptIn(found, row.id) }
    },
  }
}

interface Whole {
  payment: PaymentRow | null
  attempts: Row<'attempts'>[]
  facts: Row<'facts'>[]
}

const wholeIn = (whole: Whole | undefined): Payment | undefined =>
  whole?.payment ? paymentFrom(whole.payment, whole.attempts, whole.facts) : undefined

export const attemptIn = ({ attempts }: Payment, id: string) =>
  attempts.find((attempt) => attempt.id === id) as Attempt

export type LoadPayments = ReturnType<typeof loadPayments>

export interface OpenMoneyRequest {
  shopId: string
  orderId: string
  kind: MoneyRequestKind
  attemptId: string
  /** Without it: all that is left. */
  amount: Decimal | undefined
  /** The key of a request to repeat, and the one for a new request. */
  key: string | undefined
  newKey: string
  now: number
  by: string
}

type OpenedMoneyRequest =
  | { outcome: 'opened' | 'known'; request: MoneyRequest }
  /** The key belongs to another request. */
  | { outcome: 'other' }
  | { outcome: 'too much'; left: Decimal }

/** Refunds and captures, on disk before a payment service is asked for them. */
export function moneyRequestCommands(db: Db, { load, audit }: { load: LoadPayments; audit: AuditCommands }) {
  const ofOne = rowsBy(db, 'money_requests', ['shop_id', 'order_id'], 'asked_at', 'request_key')
  const add = addRow(db, 'money_requests')
  const settle = prepareText(db)<unknown>(
    (value) => sql`update money_requests set outcome = ${value('outcome')}, detail = ${value('detail')}
      where ${matching(value, 'shop_id', 'order_id', 'request_key')} and outcome is null`,
  )

  function* moneyRequests(shopId: string, orderId: string): Command<MoneyRequest[]> {
    return (yield* all(ofOne, { shopId, orderId })).map(moneyRequestFrom)
  }

  return {
    /** Refunds and captures of an order, oldest first. */
    moneyRequests: read(moneyRequests),

    /**
     * Stores a refund or a capture before its payment service is asked. Without `key` an open request of the same amount is asked again. Money
     * that the attempt does not have left is refused.
     */
    openMoneyRequest: write(function* (open: OpenMoneyRequest): Command<OpenedMoneyRequest> {
      const { shopId, orderId, kind, attemptId, amount: wanted, key, newKey, now, by } = open
      yield* holding(orderKey(shopId, orderId))
      const attempt = attemptIn(yield* load.known(shopId, orderId), attemptId)
      const requests = yield* moneyRequests(shopId, orderId)
      const isMeant = (one: MoneyRequest) =>
        one.kind === kind && one.attemptId === attemptId && (wanted === undefined || one.amount === wanted)
      const { currency } = attempt
      const unsettled = requests.filter(({ outcome }) => outcome === undefined)
      const left = moneyLeft(attempt, kind, unsettled)
      // All that is left comes beside what is asked for already: a request of another amount is not it while anything is left.
      const goesOn = wanted !== undefined || left.lte(0)
      const asked = goesOn ? unsettled.find(isMeant) : undefined
      const known = key === undefined ? asked : requests.find((one) => one.key === key)
      if (known) return isMeant(known) ? { outcome: 'known', request: known } : { outcome: 'other' }
      const amount = wanted ?? roundToCurrency(left, currency)
      if (decimal(amount).lte(0) || decimal(amount).gt(left))
        return { outcome: 'too much', left: roundToCurrency(left, currency) }
      const request = { key: key ?? newKey, kind, shopId, orderId, attemptId, amount, currency, askedAt: now }
      const about = { kind, order: orderId, attempt: attemptId, amount, currency }
      yield* lastly(
        ask(add, { ...request, requestKey: request.key }),
        audit.entry(shopId, { at: now, by }, { action: 'money.asked', ...about }),
      )
      return { outcome: 'opened', request: { ...request, outcome: undefined, detail: undefined } }
    }),

    /** Stores the outcome. It stays as it was first settled. */
    settleMoneyRequest: patient(function* (
      { shopId, orderId, key }: MoneyRequest,
      outcome: 'done' | 'refused',
      detail?: string,
    ): Command<void> {
      yield* writeHolding([orderKey(shopId, orderId)], settle, {
        shopId,
        orderId,
        requestKey: key,
        outcome,
        detail,
      })
    }),
  }
}
