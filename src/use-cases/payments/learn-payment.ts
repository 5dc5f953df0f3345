import type { PaymentStatus } from '../../contract/index.ts'
import { PurveyorError, wrongCall } from '../../errors.ts'
import type { Learned } from '../../payments/moves.ts'
import { type Attempt, type FactSource, newestAttempt, shopOfAttempt } from '../../payments/payment.ts'
import { type PaymentReports, type ReportWord, readReports, type Statement } from '../../payments/report.ts'
import { countingAttempt, toCancel } from '../../payments/status.ts'
import type { HandReport } from '../../store-port.ts'
import { authorOf, type By } from '../shops/audit.ts'
import { shopIdOf } from '../shops/shop-view.ts'
import type { Workings } from '../workings.ts'
import { cancelAttempts } from './cancel-attempts.ts'
import { noteStatements } from './note-statements.ts'

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
 * Stores what is reported about a payment and its consequences: the facts, the status, the owed webhook. On disk when it resolves.
 * Repeating a report is harmless. With `by` it is a person's report, and the audit trail lists it.
 */
export async function reportPayment(
  workings: Workings,
  ref: PaymentRef,
  reports: PaymentReports,
  { by }: By = {},
): Promise<PaymentStatus> {
  checkRef(ref)
  const statements = readReports(reports)
  const [first] = statements
  const byHand = by === undefined || !first ? undefined : { by: authorOf(by), status: first.word }
  const attempt = await (statements.some(goesBack) ? findPaying(workings, ref) : findAttempt(workings, ref))
  if (!attempt) throw new PurveyorError('UNKNOWN_PAYMENT')
  return (await learnOf(workings, attempt, statements, 'report', byHand)).payment.status
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

/** The named attempt; `undefined` if there is none. */
export async function findAttempt({ store }: Workings, ref: PaymentRef): Promise<Attempt | undefined> {
  if ('attemptId' in ref) return store.attempt(shopOfAttempt(ref.attemptId), ref.attemptId)
  if ('reference' in ref) return store.attemptByReference(ref.shop, ref.adapter, ref.reference)
  const payment = await store.payment(ref.shop ?? (await shopIdOf(store)), String(ref.orderId))
  return payment && newestAttempt(payment)
}

const backWords: readonly ReportWord[] = [
  'refunded',
  'refund_failed',
  'disputed',
  'charged_back',
  'chargeback_won',
]
const goesBack = ({ word, beside }: Statement): boolean => !beside && backWords.includes(word)

/** The attempt that money goes back from: of an order the one that was paid, otherwise the newest. */
export async function findPaying(workings: Workings, ref: PaymentRef): Promise<Attempt | undefined> {
  if (!('orderId' in ref)) return findAttempt(workings, ref)
  const { store } = workings
  const payment = await store.payment(ref.shop ?? (await shopIdOf(store)), String(ref.orderId))
  return payment && countingAttempt(payment)
}

/** Stores what is said about an attempt. When the order becomes paid, its other attempts are cancelled at their payment services. */
export async function learnOf(
  workings: Workings,
  attempt: Attempt,
  statements: readonly Statement[],
  source: FactSource,
  byHand?: HandReport,
): Promise<Learned> {
  const learned = await noteStatements(workings, attempt, statements, source, byHand)
  const { from, payment } = learned
  if (from !== 'paid' && payment.status === 'paid') void cancelAttempts(workings, toCancel(payment))
  return learned
}
