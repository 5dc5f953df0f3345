import { members, plain, type Row } from '../../store/rows.ts'
import type { PaymentChange, PaymentSummary } from '../../store.ts'
import { type AnomalyKind, anomalyKinds, type OpenedAnomaly } from '../ledger/anomalies.ts'
import type { MoneyRequest } from '../ledger/movements.ts'
import type { Attempt, AttemptStart, Fact, LastWord, Payment } from '../ledger/payment.ts'

// A column of words holds any text, because the store knows no words: here it gets the type of what writes it.

const factFrom = (row: Row<'facts'>): Fact => ({
  ...members(row, 'event', 'amount', 'currency', 'happened_at', 'answer_by', 'detail'),
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
  ...members(row, 'underpaid_by', 'language', 'idempotency_key', 'page_hash', 'opened_at', 'page_state'),
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
export type PaymentRow = Row<'payments'> & { delivered_before: number | null }

export const paymentFrom = (
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

export const summaryFrom = ({
  shop_id: shop,
  created_at: openedAt,
  ...row
}: Pick<Row<'payments'>, 'shop_id' | 'order_id' | 'status' | 'created_at' | 'changed_at'> &
  Pick<Row<'attempts'>, 'amount' | 'currency' | 'adapter'>): PaymentSummary => ({
  ...plain(row),
  shop,
  openedAt,
})

export const moneyRequestFrom = ({ request_key: key, ...row }: Row<'money_requests'>): MoneyRequest => ({
  ...plain(row),
  kind: row.kind as MoneyRequest['kind'],
  outcome: (row.outcome ?? undefined) as MoneyRequest['outcome'],
  key,
})

export const anomalyFrom = (row: Row<'anomalies'>): OpenedAnomaly => ({
  ...plain(row),
  kind: row.kind as AnomalyKind,
  remedy: remedyOf(row.kind),
})

/** A newer node may have opened a kind that this one does not know. */
const remedyOf = (kind: string): string =>
  anomalyKinds[kind as AnomalyKind]?.remedy ?? `Run \`purveyor explain ${kind}\` of the newest version.`

export const changeFrom = ({
  id: _,
  place,
  shop_id: shop,
  attempt_id: attempt,
  ...row
}: Row<'changes'>): PaymentChange => ({
  ...plain(row),
  kind: row.kind as PaymentChange['kind'],
  cursor: String(place),
  shop,
  attempt,
})

/** Anomalies of one cause, counted together: the number of `shops` and `orders`, one of each, and when the first and the last of them opened. */
export interface CauseRow
  extends Pick<
    Row<'anomalies'>,
    ('kind' | 'shop_id' | 'order_id' | 'id' | 'opened_at') | ('expected' | 'received' | 'stake' | 'currency')
  > {
  adapter: string | null
  count: number
  shops: number
  orders: number
  last_opened_at: number
}

export type AnomalyCause = ReturnType<typeof causeFrom>

export const causeFrom = (row: CauseRow) => ({
  kind: row.kind as AnomalyKind,
  ...members(row, 'adapter', 'count', 'opened_at'),
  shops: row.shops,
  lastOpenedAt: row.last_opened_at,
  shopId: row.shops === 1 ? row.shop_id : undefined,
  orderId: row.shops === 1 && row.orders === 1 ? row.order_id : undefined,
  id: row.count === 1 ? row.id : undefined,
  ...(row.count === 1 && row.stake !== null && members(row, 'expected', 'received', 'stake', 'currency')),
  remedy: remedyOf(row.kind),
})
