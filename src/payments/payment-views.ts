import { z } from 'zod'
import { checkOptions, optionGroup } from '../checked-options.ts'
import { type PaymentStatus, paymentStatuses } from '../contract/index.ts'
import { wrongCall } from '../errors/errors.ts'
import { shopIdOf } from '../shops/shop-view.ts'
import type { PaymentSummary } from '../store.ts'
import type { StorePort } from '../store-port.ts'
import { hashPageToken } from './addresses.ts'
import type { OpenedAnomaly } from './ledger/anomalies.ts'
import { type Ledger, ledgerOf, type Movement, movementsOf } from './ledger/movements.ts'
import type { Attempt, OrderRef } from './ledger/payment.ts'
import { countingAttempt } from './ledger/status.ts'

// Checks the arguments of `provider.payments`, which may be called from JavaScript. One that does not fit is refused by name before the store
// is asked: an empty list would say that there is nothing.

const text = z.string().optional()
const limit = z.int().min(1).optional()
const schemas = {
  list: optionGroup({
    shop: text,
    status: z.enum(paymentStatuses).optional(),
    q: text,
    since: z.date().optional(),
    review: z.boolean().optional(),
    limit,
    cursor: text,
  }),
  changes: optionGroup({ after: text, limit }),
  anomalies: optionGroup({
    shop: text,
    orderId: z.union([z.string(), z.int()]).optional(),
    closed: z.boolean().optional(),
    limit,
  }),
}

/** Throws `ARGUMENT_INVALID` for what a member of `provider.payments` does not take. */
export const checkQuery = (member: keyof typeof schemas, query: object): void =>
  checkOptions(`payments.${member}`, schemas[member], query)

/** The order that is meant. Other members of the object, such as those of a change, do not matter. */
export async function readOrder(store: StorePort, order: OrderRef) {
  if (typeof order !== 'object' || order === null) throw wrongCall('Name an order with { orderId, shop }')
  const { shop, orderId } = order
  if ((typeof orderId !== 'string' || orderId === '') && !Number.isSafeInteger(orderId))
    throw wrongCall('`orderId` must be the id of an order: a number or a text')
  if (shop !== undefined && typeof shop !== 'string') throw wrongCall('`shop` must be the id of a shop')
  return { shop: shop ?? (await shopIdOf(store)), orderId: String(orderId) }
}

// Payments as programs, commands and exports read them: typed, with amounts as decimal text. Sentences are made at the edge.

/** One POST /payment, and what came of it. */
export interface AttemptView
  extends Pick<Attempt, 'id' | 'adapter' | 'amount' | 'currency' | 'mode' | 'orderNumber'> {
  method: string
  /** The payment service's reference. */
  reference: string | undefined
  /** Milliseconds since 1970, as `expiresAt`. */
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

/** An order's payment with its ledger, attempts and anomalies; `undefined` if the shop has none. */
export async function viewPayment(store: StorePort, order: OrderRef): Promise<PaymentView | undefined> {
  const { shop, orderId } = await readOrder(store, order)
  const payment = await store.payment(shop, orderId)
  if (!payment) return undefined
  const [summary] = await store.summariesOf([{ shopId: shop, orderId }])
  return {
    ...summary!,
    ledger: ledgerOf(countingAttempt(payment)!),
    attempts: payment.attempts.map(attemptViewOf),
    anomalies: await store.anomalies({ shopId: shop, orderId, closed: true, limit: 1_000 }),
  }
}

export const attemptViewOf = (attempt: Attempt): AttemptView => {
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
  /** The latest event first. */
  payments: PaymentSummary[]
  /** Lists what follows. Not set at the end. */
  cursor: string | undefined
}

/** Which payments are listed. Default: those of all shops. */
export interface PaymentQuery {
  /** The id of a shop. Default: every shop. */
  shop?: string
  /** Only payments of this status. Default: all. */
  status?: PaymentStatus
  /** An order id or number, a reference, the id or code of an attempt, an `event` or an amount such as `29.34`. Of each kind the hundred newest are found. */
  q?: string
  /** Only payments of which something happened then or later. */
  since?: Date
  /** Only payments with an open anomaly. */
  review?: boolean
  /** The most payments of a page, at most 500. Default 50. */
  limit?: number
  /** Of the list before. A payment that changes meanwhile moves to the first page: `changes` misses none. */
  cursor?: string
}

export async function listPayments(store: StorePort, query: PaymentQuery = {}): Promise<PaymentList> {
  checkQuery('list', query)
  const { shop, status, q, cursor, review = false } = query
  const limit = Math.min(500, query.limit ?? 50)
  const since = query.since?.getTime()
  const after = cursor === undefined ? undefined : readCursor(cursor)
  if (q !== undefined) {
    const found = (await searched(store, q.trim(), shop)).filter(
      (payment) =>
        (status === undefined || payment.status === status) &&
        (since === undefined || payment.lastAt >= since) &&
        (!review || payment.review.length > 0) &&
        (after === undefined || byEvent({ ...after, shop: after.shopId }, payment) < 0),
    )
    return pageOf(found, limit)
  }
  const filter = { limit: limit + 1, shopId: shop, status, since, after, review }
  return pageOf(await store.paymentSummaries(filter), limit)
}

function pageOf(payments: readonly PaymentSummary[], limit: number): PaymentList {
  const page = payments.slice(0, limit)
  return { payments: page, cursor: payments.length > limit ? cursorOf(page.at(-1)!) : undefined }
}

async function searched(store: StorePort, name: string, shopId?: string): Promise<PaymentSummary[]> {
  const orders = await store.findOrders({ name, pageHash: hashPageToken(name), shopId })
  const named = new Map(orders.map((one) => [`${one.shopId} ${one.orderId}`, one]))
  return (await store.summariesOf([...named.values()])).sort(byEvent)
}

type Placed = Pick<PaymentSummary, 'lastAt' | 'shop' | 'orderId'>

/** The latest event first, and of one moment always in the same order. */
function byEvent(one: Placed, other: Placed): number {
  if (one.lastAt !== other.lastAt) return other.lastAt - one.lastAt
  const [first, second] = [`${one.shop} ${one.orderId}`, `${other.shop} ${other.orderId}`]
  return first === second ? 0 : first < second ? 1 : -1
}

const cursorOf = ({ lastAt, shop, orderId }: PaymentSummary): string =>
  Buffer.from(JSON.stringify([lastAt, shop, orderId])).toString('base64url')

/** Throws `ARGUMENT_INVALID` for a text that is no cursor. */
function readCursor(cursor: string): { lastAt: number; shopId: string; orderId: string } {
  try {
    const [lastAt, shopId, orderId] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[]
    if (Number.isSafeInteger(lastAt) && typeof shopId === 'string' && typeof orderId === 'string')
      return { lastAt: lastAt as number, shopId, orderId }
  } catch {
    // It is refused below.
  }
  throw wrongCall('`cursor` must be the one that the list before returned')
}
