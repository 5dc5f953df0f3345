import { sql } from 'kysely'
import { decimal, roundToCurrency } from '../../money/index.ts'
import { type MoneyRequest, moneyLeft } from '../../payments/movements.ts'
import type { OpenedMoneyRequest, OpenMoneyRequest } from '../../store/payments.ts'
import type { AuditCommands } from './audit.ts'
import { addRow, type Db, matching, prepareText, rowsBy } from './columns.ts'
import { attemptIn, type LoadPayments } from './load-payments.ts'
import { patient, read, write } from './port.ts'
import { all, ask, type Command, holding, lastly, orderKey, writeHolding } from './query.ts'
import { moneyRequestFrom } from './rows.ts'

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
