import type { PaymentStatus } from '../../contract/index.ts'
import { PurveyorError, wrongCall } from '../../errors.ts'
import { currencyDigits, decimal } from '../../money/index.ts'
import { attemptView } from '../../payments/adapter.ts'
import type { Anomaly } from '../../payments/anomalies.ts'
import type { Learned } from '../../payments/moves.ts'
import { type Attempt, type FactSource, newestAttempt, shopOfAttempt } from '../../payments/payment.ts'
import {
  moneyWords,
  type PaymentReports,
  type ReportWord,
  readReports,
  type Statement,
  stateWords,
} from '../../payments/report.ts'
import { countingAttempt, toCancel } from '../../payments/status.ts'
import type { HandReport } from '../../store.ts'
import type { Log } from '../../world.ts'
import { didYouMean } from '../checked-options.ts'
import { authorOf, type By } from '../shops/audit.ts'
import { shopIdOf } from '../shops/shop-view.ts'
import type { AnyPaymentAdapter, Workings } from '../workings.ts'
import { CalledAdapter, paymentContext, withSettingsOf } from './called-adapter.ts'
import { forgetPage } from './form-outcome.ts'

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

/** Stores what is said about an attempt, logs the anomalies that it opens and wakes the delivery of webhooks. */
export async function noteStatements(
  workings: Workings,
  attempt: Attempt,
  statements: readonly Statement[],
  source: FactSource,
  byHand?: HandReport,
): Promise<Learned> {
  const { world, store } = workings
  const { shopId, orderId, id } = attempt
  const learned = await store.learn(shopId, orderId, id, statements, { source, now: world.now(), byHand })

  if (!byHand) warnOfReports(workings, attempt, statements)
  const about = { shop: shopId, order: orderId, attempt: id }
  const { added, from, payment } = learned
  if (added.length > 0) {
    const fact = added.map(({ kind }) => kind).join(' ')
    world.log.info({ ...about, fact, source, from, to: payment.status }, 'payment has a new fact')
  }
  warnOf(learned.anomalies, about, world.log)
  if (payment.statusVersion > payment.deliveredVersion) workings.wake()
  if (added.length > 0) void forgetPage(workings, attempt, payment)
  return learned
}

/** Logs each anomaly once, when it opens. It stays open until a person closes it. */
export function warnOf(anomalies: readonly Anomaly[], about: object, log: Log): void {
  for (const { kind, attemptId, expected, received, stake, currency } of anomalies) {
    const money = stake === undefined ? {} : { stake, received, expected, currency }
    log.warn({ ...about, anomaly: kind, about: attemptId, ...money }, 'payment needs review')
  }
}

/** Opens an anomaly without a fact, of this attempt where it names no other. */
export async function openAnomaly(
  { store, world }: Workings,
  { shopId, orderId, id }: Attempt,
  anomaly: Omit<Anomaly, 'attemptId'> & { attemptId?: string },
): Promise<void> {
  const opened = { attemptId: id, ...anomaly }
  const isNew = await store.openAnomaly(shopId, orderId, opened, world.now())
  if (isNew) warnOf([opened], { shop: shopId, order: orderId, attempt: id }, world.log)
}

const words = [...moneyWords, ...stateWords]

/**
 * Logs in development what looks wrong in the reports of an adapter: a status that is not on the list, and an amount in cents. Each fault is
 * logged once for an attempt.
 */
function warnOfReports(workings: Workings, attempt: Attempt, statements: readonly Statement[]): void {
  const { world, development, memory } = workings
  if (!development) return
  for (const fault of statements.flatMap((one) => faultOf(one, attempt) ?? [])) {
    const key = `${attempt.id} ${fault}`
    if (memory.oddReports.has(key)) continue
    memory.oddReports.set(key, true)
    const about = { adapter: attempt.adapter, shop: attempt.shopId, order: attempt.orderId }
    world.log.warn({ ...about, fault }, 'a report looks wrong')
  }
}

function faultOf({ unlisted, word, amount, currency }: Statement, attempt: Attempt): string | undefined {
  if (unlisted !== undefined)
    return `its status "${unlisted}" is not known and changes nothing: ${didYouMean(unlisted, words)}`
  if (amount === undefined || currency === undefined || (word !== 'paid' && word !== 'authorised'))
    return undefined
  const digits = currencyDigits(currency)
  const isOther = currency !== attempt.currency
  if (
    isOther ||
    digits === 0 ||
    Number(amount) === 0 ||
    !decimal(amount).eq(decimal(attempt.amount).times(10 ** digits))
  )
    return undefined
  return `its amount of ${decimal(amount).toFixed()} is ${10 ** digits} times that of the order: did you mean ${attempt.amount}?`
}

/**
 * Closes attempts at their payment services. One that cannot be closed stays watched. `source` is `page` where the customer turned back: the
 * payment is cancelled then, and has not expired. None is begun after `until`.
 */
export async function cancelAttempts(
  workings: Workings,
  attempts: readonly Attempt[],
  source: FactSource = 'cancel',
  until = Number.POSITIVE_INFINITY,
): Promise<void> {
  const { serviceCalls, world } = workings
  await Promise.all(
    attempts.map(async (attempt) => {
      const adapter = workings.payments.find(({ name }) => name === attempt.adapter)
      if (!adapter?.cancel || !attempt.started) return
      try {
        await serviceCalls.run('cancel', adapter.name, async () => {
          if (world.now() < until) await cancelOne(workings, adapter, attempt, source)
        })
      } catch (error) {
        world.log.warn(
          {
            ...{ adapter: adapter.name, shop: attempt.shopId, order: attempt.orderId },
            ...{ attempt: attempt.id, err: error },
          },
          'an attempt that is over could not be cancelled at its payment service: it stays watched',
        )
      }
    }),
  )
}

async function cancelOne(
  workings: Workings,
  adapter: AnyPaymentAdapter,
  attempt: Attempt,
  source: FactSource,
): Promise<void> {
  // The deadline begins with its turn.
  const called = new CalledAdapter(workings, adapter, attempt.shopId, workings.deadlines.start)
  const view = attemptView(workings.contents, attempt)
  const said = await withSettingsOf(called, attempt, async (one) => {
    const ctx = await paymentContext(one)
    return readReports((await one.ask('cancel', () => adapter.cancel!(view, ctx))) ?? { status: 'cancelled' })
  })
  await noteStatements(workings, attempt, said, source)
}
