import { type Decimal, decimal, roundToCurrency } from '../../money/index.ts'
import type { AuditCommands } from '../../shops/commands/audit.ts'
import { type Db, matching, plain, type Row, value } from '../../store/columns.ts'
import {
  all,
  type Command,
  holding,
  lastly,
  orderKey,
  patient,
  read,
  write,
  writeHolding,
} from '../../store/query.ts'
import { type MoneyRequest, type MoneyRequestKind, moneyLeft } from '../ledger/movements.ts'
import { attemptIn, type LoadPayments } from './load-payments.ts'

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
  why?: string | undefined
  now: number
  by: string
}

const moneyRequestFrom = ({ request_key: key, ...row }: Row<'money_requests'>): MoneyRequest => ({
  ...plain(row),
  kind: row.kind as MoneyRequest['kind'],
  outcome: (row.outcome ?? undefined) as MoneyRequest['outcome'],
  key,
})

/** Refunds and captures, on disk before a payment service is asked for them. */
export function moneyRequestCommands(db: Db, load: LoadPayments, { entry }: AuditCommands) {
  const ofOne = db.rowsBy('money_requests', ['shop_id', 'order_id'], 'asked_at', 'request_key')
  const unanswered = db.text<Row<'money_requests'>>`select * from money_requests
    where outcome is null and asked_at < ${value('before')} order by asked_at limit ${value('limit')}`
  const add = db.addRow('money_requests')
  const settle = db.text<unknown>`
    update money_requests set outcome = ${value('outcome')}, detail = ${value('detail')}
      where ${matching('shop_id', 'order_id', 'request_key')} and outcome is null`

  function* moneyRequests(shopId: string, orderId: string): Command<MoneyRequest[]> {
    return (yield* all(ofOne, { shopId, orderId })).map(moneyRequestFrom)
  }

  return {
    /** Refunds and captures of an order, oldest first. */
    moneyRequests: read(moneyRequests),

    /** Those of all orders that were asked for before this moment and whose outcome is unknown, oldest first. */
    unansweredRequests: read(function* (before: number, limit: number): Command<MoneyRequest[]> {
      return (yield* all(unanswered, { before, limit })).map(moneyRequestFrom)
    }),

    /**
     * Stores a refund or a capture before its payment service is asked. Without `key` an open request of the same amount is asked again. Money
     * that the attempt does not have left is refused.
     */
    openMoneyRequest: write(function* (open: OpenMoneyRequest) {
      const { shopId, orderId, kind, attemptId, amount: wanted, key, newKey, now, by, why } = open
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
      // The key may belong to another request.
      if (known && !isMeant(known)) return { outcome: 'other' as const }
      if (known) return { outcome: 'known' as const, request: known }
      const amount = wanted ?? roundToCurrency(left, currency)
      if (decimal(amount).lte(0) || decimal(amount).gt(left))
        return { outcome: 'too much' as const, left: roundToCurrency(left, currency) }
      const of = { kind, shopId, orderId, attemptId, amount, currency, why }
      const request = { key: key ?? newKey, ...of, askedAt: now }
      const about = { kind, order: orderId, attempt: attemptId, amount, currency }
      yield* lastly(
        add({ ...request, requestKey: request.key }),
        entry(shopId, { at: now, by }, { action: 'money.asked', ...about }),
      )
      const opened: MoneyRequest = { ...request, outcome: undefined, detail: undefined }
      return { outcome: 'opened' as const, request: opened }
    }),

    /** Stores the outcome. It stays as it was first settled. */
    settleMoneyRequest: patient(function* (
      { shopId, orderId, key }: MoneyRequest,
      outcome: 'done' | 'refused',
      detail?: string,
    ): Command<void> {
      const settled = { shopId, orderId, requestKey: key, outcome, detail }
      yield* writeHolding([orderKey(shopId, orderId)], settle, settled)
    }),
  }
}
