import { authorOf, type By } from '../audit.ts'
import { PurveyorError, wrongCall } from '../errors/errors.ts'
import type { Parts } from '../parts.ts'
import { shopIdOf } from '../shops/shop-view.ts'
import type { HandReport } from '../store-port.ts'
import { type Attempt, newestAttempt, shopOfAttempt } from './ledger/payment.ts'
import { type PaymentReports, type ReportWord, readReports, type Statement } from './ledger/report.ts'
import { countingAttempt } from './ledger/status.ts'

/**
 * Names an attempt: by its id, by the payment service's reference, or as the newest one of an order. Money that goes back is of the attempt
 * of the order that was paid.
 */
export type PaymentRef =
  | { attemptId: string }
  | {
      adapter: string
      reference: string
      /** The id of the shop. Default: the only one that has it; `ARGUMENT_INVALID` where several do. */
      shop?: string
    }
  | {
      /** The platform's id of the order. */
      orderId: string | number
      /** The id of the shop. Default `default`. */
      shop?: string
    }

/**
 * Reads a report, and finds the attempt that it names; `byHand` is set for a person's. Rejects with `UNKNOWN_PAYMENT` for a report of a
 * payment that is not here, and with `ARGUMENT_INVALID` for one that cannot be read.
 */
export async function readReported(
  { store }: Parts<'store'>,
  ref: PaymentRef,
  reports: PaymentReports,
  { by }: By = {},
) {
  checkRef(ref)
  const statements = readReports(reports)
  const [first] = statements
  const byHand: HandReport | undefined =
    by === undefined || !first ? undefined : { by: authorOf(by), status: first.word }
  const attempt = await findAttempt({ store }, ref, statements.some(goesBack))
  if (!attempt) throw new PurveyorError('UNKNOWN_PAYMENT')
  return { attempt, statements, byHand }
}

const isName = (name: unknown): boolean =>
  (typeof name === 'string' && name !== '') || Number.isSafeInteger(name)

/** Throws `ARGUMENT_INVALID` for what names no payment: in JavaScript a name may be missing. */
export function checkRef(ref: PaymentRef): void {
  const { attemptId, adapter, reference, orderId } = (ref ?? {}) as Record<string, unknown>
  const isText = typeof (attemptId ?? reference ?? '') === 'string'
  if (isText && (isName(attemptId) || isName(orderId) || (isName(adapter) && isName(reference)))) return
  throw wrongCall('A payment is named by { attemptId }, { adapter, reference } or { orderId }')
}

/** The named attempt; `undefined` if there is none. Of an order the newest one, or for money that `goesBack` the one that was paid. */
export async function findAttempt(
  { store }: Parts<'store'>,
  ref: PaymentRef,
  goesBack = false,
): Promise<Attempt | undefined> {
  if ('attemptId' in ref) return store.attempt(shopOfAttempt(ref.attemptId), ref.attemptId)
  if ('reference' in ref) return store.attemptByReference(ref.shop, ref.adapter, ref.reference)
  const payment = await store.payment(ref.shop ?? (await shopIdOf(store)), String(ref.orderId))
  return payment && (goesBack ? countingAttempt(payment) : newestAttempt(payment))
}

const backWords: readonly ReportWord[] = [
  'refunded',
  'refund_failed',
  'disputed',
  'charged_back',
  'chargeback_won',
]
const goesBack = ({ word, beside }: Statement): boolean => !beside && backWords.includes(word)
