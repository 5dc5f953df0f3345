import type { PaymentStatus } from '../../contract/index.ts'
import { PurveyorError } from '../../errors.ts'
import type { AnomalyKind } from '../../payments/anomaly-kinds.ts'
import { type Fact, factOf, isReportStatus, type PaymentReport } from '../../payments/facts.ts'
import type { Learned } from '../../payments/ledger.ts'
import { type Attempt, newestAttempt, shopOfAttempt } from '../../payments/payment.ts'
import type { Anomaly } from '../../payments/status.ts'
import { defaultShopId } from '../../shops/shop.ts'
import type { HandReport } from '../../store.ts'
import type { Log } from '../../world.ts'
import { authorOf, type By } from '../shops/audit.ts'
import type { Workings } from '../workings.ts'

/** Names an attempt: by its id, by the payment service's reference, or as the newest one of an order. */
export type PaymentRef =
  | { attemptId: string }
  /** `shop` defaults to the `default` shop. */
  | { adapter: string; reference: string; shop?: string }
  | { orderId: string | number; shop?: string }

/**
 * Stores a report about a payment and its consequences: the fact, the status, the owed webhook. On disk when it resolves. Repeating a
 * report is harmless. With `by` it is a person's report, and the audit trail lists it.
 */
export async function reportPayment(
  workings: Workings,
  ref: PaymentRef,
  report: PaymentReport,
  { by }: By = {},
): Promise<PaymentStatus> {
  const status = isReportStatus(report.status) ? report.status : 'unknown'
  const byHand: HandReport | undefined = by === undefined ? undefined : { by: authorOf(by), status }
  const attempt = await findAttempt(workings, ref)
  if (!attempt) throw new PurveyorError('UNKNOWN_PAYMENT')
  return (await learnOf(workings, attempt, report, 'report', byHand)).payment.status
}

/** The named attempt; `undefined` if there is none. */
export async function findAttempt({ store }: Workings, ref: PaymentRef): Promise<Attempt | undefined> {
  if ('attemptId' in ref) return store.attempt(shopOfAttempt(ref.attemptId), ref.attemptId)
  const shop = ref.shop ?? defaultShopId
  if ('reference' in ref) return store.attemptByReference(shop, ref.adapter, ref.reference)
  const payment = await store.payment(shop, String(ref.orderId))
  return payment && newestAttempt(payment)
}

/** Stores one report about an attempt, logs the anomalies that it opens and wakes the delivery of webhooks. */
export async function learnOf(
  workings: Workings,
  attempt: Attempt,
  report: PaymentReport,
  source: Fact['source'],
  byHand?: HandReport,
): Promise<Learned> {
  const { world, store } = workings
  const adapter = workings.payments.find(({ name }) => name === attempt.adapter)
  const meant =
    report.status === 'authorised' && adapter?.authorisedIsPaid
      ? { ...report, status: 'paid' as const }
      : report
  const fact = factOf(meant, source, world.now())
  const learned = await store.learn(attempt.shopId, attempt.orderId, attempt.id, [fact], fact.at, byHand)

  const about = { shop: attempt.shopId, order: attempt.orderId, attempt: attempt.id }
  const to = learned.payment.status
  if (learned.added.length > 0)
    workings.world.log.info({ ...about, fact: fact.kind, source, from: learned.from, to }, 'payment learned')
  warnOf(learned.anomalies, about, workings.world.log)
  if (learned.payment.statusVersion > learned.payment.deliveredVersion) workings.wake()
  return learned
}

/** Logs each anomaly once, when it opens. It stays open until a person closes it. */
export function warnOf(anomalies: readonly Anomaly[], about: object, log: Log): void {
  for (const { kind, attemptId } of anomalies) {
    log.warn({ ...about, anomaly: kind, about: attemptId }, 'payment needs review')
  }
}

/** Opens an anomaly without a fact. */
export async function openAnomaly(
  { store, world }: Workings,
  { shopId, orderId, id: attemptId }: Attempt,
  kind: AnomalyKind,
): Promise<void> {
  const anomaly = { kind, attemptId }
  const isNew = await store.openAnomaly(shopId, orderId, anomaly, world.now())
  if (isNew) warnOf([anomaly], { shop: shopId, order: orderId, attempt: attemptId }, world.log)
}
