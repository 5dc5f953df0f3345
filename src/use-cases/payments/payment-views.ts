import type { PaymentStatus } from '../../contract/index.ts'
import { wrongCall } from '../../errors.ts'
import type { OpenedAnomaly } from '../../payments/anomalies.ts'
import { type Movement, movementsOf } from '../../payments/movements.ts'
import { hashPageToken } from '../../payments/page-tokens.ts'
import { type Attempt, newestAttempt, type Payment } from '../../payments/payment.ts'
import type { PaymentMode } from '../../payments/report.ts'
import { countingAttempt } from '../../payments/status.ts'
import { type Ledger, ledgerOf } from '../../payments/totals.ts'
import { defaultShopId } from '../../shops/shop.ts'
import type { PaymentSummary, StorePort } from '../../store.ts'

// What programs, commands and exports read of payments: typed, with amounts as decimal text. Sentences are made at the edge.

/** One POST /payment, and what came of it. */
export interface AttemptView {
  id: string
  adapter: string
  method: string
  amount: string
  currency: string
  mode: PaymentMode
  orderNumber: string | undefined
  /** The payment service's reference. */
  reference: string | undefined
  openedAt: number
  expiresAt: number
  ledger: Ledger
  movements: Movement[]
}

/** A payment with all that is known of it. */
export interface PaymentView extends PaymentSummary {
  /** Of the attempt that counts: the one that paid the order, otherwise the newest one. */
  ledger: Ledger
  /** Oldest first. */
  attempts: AttemptView[]
  /** Closed ones included, oldest first. */
  anomalies: OpenedAnomaly[]
}

/** The order of a shop. `shop` defaults to the `default` shop. */
export interface OrderRef {
  shop?: string
  orderId: string | number
}

const mostAnomalies = 1_000

/** An order's payment with its ledger, attempts and anomalies; `undefined` if the shop has none. */
export async function viewPayment(
  store: StorePort,
  { shop = defaultShopId, orderId }: OrderRef,
): Promise<PaymentView | undefined> {
  const payment = await store.payment(shop, String(orderId))
  if (!payment) return undefined
  const anomalies = await store.anomalies({
    shopId: shop,
    orderId: payment.orderId,
    closed: true,
    limit: mostAnomalies,
  })
  return {
    ...summaryOf(payment),
    ledger: ledgerOf(countingAttempt(payment)!),
    attempts: payment.attempts.map(attemptViewOf),
    anomalies,
  }
}

function summaryOf(payment: Payment): PaymentSummary {
  const { shopId, orderId, status, openedAt, changedAt } = payment
  const { amount, currency, adapter } = newestAttempt(payment)!
  return { shop: shopId, orderId, status, amount, currency, adapter, openedAt, changedAt }
}

const attemptViewOf = (attempt: Attempt): AttemptView => {
  const { id, adapter, methodId, amount, currency, mode, orderNumber, started, openedAt, expiresAt } = attempt
  return {
    ...{ id, adapter, method: methodId, amount, currency, mode, orderNumber, openedAt, expiresAt },
    reference: started?.reference,
    ledger: ledgerOf(attempt),
    movements: movementsOf(attempt),
  }
}

/** One page of a list of payments. */
export interface PaymentList {
  /** The latest change of status first. */
  payments: PaymentSummary[]
  /** Lists what follows. Not set at the end. */
  cursor: string | undefined
}

/** Which payments are listed. Default: those of all shops. */
export interface PaymentQuery {
  shop?: string
  status?: PaymentStatus
  /** An order id or number, a reference, an attempt id or an amount such as `29.34`. The hundred newest of each kind are found. */
  q?: string
  /** Only payments whose status changed then or later. */
  since?: Date
  /** Default 50, at most 500. */
  limit?: number
  /** Of the list before. */
  cursor?: string
}

export async function listPayments(store: StorePort, query: PaymentQuery = {}): Promise<PaymentList> {
  const { shop, status, q, since, limit = 50, cursor } = query
  const most = Math.min(500, Math.max(1, Math.trunc(limit)))
  if (q !== undefined) {
    const found = (await searched(store, q.trim())).filter(
      (payment) =>
        (shop === undefined || payment.shopId === shop) &&
        (status === undefined || payment.status === status) &&
        (since === undefined || payment.changedAt >= since.getTime()),
    )
    return { payments: found.slice(0, most).map(summaryOf), cursor: undefined }
  }
  const payments = await store.paymentSummaries({
    limit: most,
    ...(shop !== undefined && { shopId: shop }),
    ...(status !== undefined && { status }),
    ...(since !== undefined && { since: since.getTime() }),
    ...(cursor !== undefined && { after: readCursor(cursor) }),
  })
  const last = payments.at(-1)
  return {
    payments,
    cursor: last && payments.length === most ? cursorOf(last) : undefined,
  }
}

async function searched(store: StorePort, name: string): Promise<Payment[]> {
  const orders = await store.findOrders({ name, pageHash: hashPageToken(name) })
  const keys = new Map(orders.map(({ shopId, orderId }) => [`${shopId} ${orderId}`, { shopId, orderId }]))
  const payments = await Promise.all(
    [...keys.values()].map(({ shopId, orderId }) => store.payment(shopId, orderId)),
  )
  return payments
    .filter((payment) => payment !== undefined)
    .sort((one, other) => other.changedAt - one.changedAt)
}

const cursorOf = ({ changedAt, shop, orderId }: PaymentSummary): string =>
  Buffer.from(JSON.stringify([changedAt, shop, orderId])).toString('base64url')

/** Throws `ARGUMENT_INVALID` for a text that is no cursor. */
function readCursor(cursor: string): { changedAt: number; shopId: string; orderId: string } {
  try {
    const [changedAt, shopId, orderId] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[]
    if (Number.isSafeInteger(changedAt) && typeof shopId === 'string' && typeof orderId === 'string')
      return { changedAt: changedAt as number, shopId, orderId }
  } catch {
    // It is refused below.
  }
  throw wrongCall('`cursor` is the one of the list before')
}
