import { authorOf, type By } from '../audit.ts'
import type { PaymentStatus } from '../contract/index.ts'
import { PurveyorError, wrongCall } from '../errors/errors.ts'
import type { Parts } from '../parts.ts'
import { shopIdOf } from '../shops/shop-view.ts'
import type { HandReport, StorePort } from '../store-port.ts'
import type { Log } from '../world.ts'
import {
  adapterOf,
  askAbout,
  attemptView,
  CalledAdapter,
  type Calling,
  paymentContext,
} from './called-adapter.ts'
import type { Anomaly } from './ledger/anomalies.ts'
import type { Learned } from './ledger/moves.ts'
import {
  type Attempt,
  aboutAttempt,
  type FactSource,
  newestAttempt,
  type OrderRef,
  type Payment,
  shopOfAttempt,
} from './ledger/payment.ts'
import { goesBack, oddityOf, type PaymentReports, readReports, type Statement } from './ledger/report.ts'
import { countingAttempt, isEnded, toCancel } from './ledger/status.ts'
import { type Moving, movePageState, openState } from './pages/page-state.ts'

/** Takes part in all that is learned of payments: their services may be called, and webhooks become due. */
export type Learning = Calling & Parts<'wake'>

/** Names an attempt: by its id, by its reference, or as the newest one of an order. Money that goes back is of the one that was paid. */
export type PaymentRef =
  | { attemptId: string }
  | {
      adapter: string
      reference: string
      /** The id of the shop. Default: the only one that has it; `ARGUMENT_INVALID` where several do. */
      shop?: string
    }
  | OrderRef

const isName = (name: unknown): boolean =>
  (typeof name === 'string' && name !== '') || Number.isSafeInteger(name)

/** Throws `ARGUMENT_INVALID` for what names no payment: in JavaScript a name may be missing. */
export function checkRef(ref: PaymentRef): void {
  const { attemptId, adapter, reference, orderId } = (ref ?? {}) as Record<string, unknown>
  const isText = typeof (attemptId ?? reference ?? '') === 'string'
  if (isText && (isName(attemptId) || isName(orderId) || (isName(adapter) && isName(reference)))) return
  throw wrongCall('Name a payment with { attemptId }, { adapter, reference } or { orderId }')
}

/** The named attempt; `undefined` if there is none. Of an order the newest one, or for money that `goesBack` the one that was paid. */
export async function findAttempt(store: StorePort, ref: PaymentRef, goesBack = false) {
  if ('attemptId' in ref) return store.attempt(shopOfAttempt(ref.attemptId), ref.attemptId)
  if ('reference' in ref) return store.attemptByReference(ref.shop, ref.adapter, ref.reference)
  const payment = await store.payment(ref.shop ?? (await shopIdOf(store)), String(ref.orderId))
  return payment && (goesBack ? countingAttempt(payment) : newestAttempt(payment))
}

/** Stores what is reported about a payment and its consequences: the facts, the status, the owed webhook. With `by` a person's report. */
export async function reportPayment(
  workings: Learning,
  ref: PaymentRef,
  reports: PaymentReports,
  options?: By,
): Promise<PaymentStatus> {
  const { attempt, statements, byHand } = await readReported(workings, ref, reports, options)
  return (await learnOf(workings, attempt, statements, 'report', byHand)).payment.status
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
  const byHand = by === undefined || !first ? undefined : { by: authorOf(by), status: first.word }
  const attempt = await findAttempt(store, ref, statements.some(goesBack))
  if (!attempt) throw new PurveyorError('UNKNOWN_PAYMENT')
  return { attempt, statements, byHand }
}

/** A payment adapter's context for one attempt. Its `report` outlives the deadline. */
export async function attemptContext(workings: Learning, called: CalledAdapter, { id: attemptId }: Attempt) {
  return Object.assign(await paymentContext(called), {
    report: (reports: PaymentReports) => reportPayment(workings, { attemptId }, reports),
  })
}

/**
 * Stores what is said about an attempt, logs the anomalies that it opens and wakes the delivery of webhooks. When the order becomes paid, its
 * other attempts are cancelled at their payment services.
 */
export async function learnOf(
  workings: Learning,
  attempt: Attempt,
  statements: readonly Statement[],
  source: FactSource,
  byHand?: HandReport,
): Promise<Learned> {
  const { world, store } = workings
  const { shopId, orderId, id } = attempt
  const how = { source, now: world.now(), byHand, node: world.node }
  const learned = await store.learn(shopId, orderId, id, statements, how)
  if (!byHand && workings.payments.development) warnOfReports(workings, attempt, statements)
  const about = aboutAttempt(attempt)
  const { added, from, payment } = learned
  if (added.length > 0) {
    const fact = added.map(({ kind }) => kind).join(' ')
    world.log.info({ ...about, fact, source, from, to: payment.status }, 'payment has a new fact')
  }
  warnOf(learned.anomalies, about, world.log)
  if (payment.statusVersion > payment.deliveredVersion) workings.wake()
  if (added.length > 0) void forgetPage(workings, attempt, payment)
  const isPaidNow = from !== 'paid' && payment.status === 'paid'
  // The cancel that reported this goes on with the other attempts itself.
  if (isPaidNow && source !== 'cancel') void cancelAttempts(workings, toCancel(payment))
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
  { store, world }: Parts<'store' | 'world'>,
  attempt: Attempt,
  anomaly: Omit<Anomaly, 'attemptId'> & { attemptId?: string },
): Promise<void> {
  const opened = { attemptId: attempt.id, ...anomaly }
  const isNew = await store.openAnomaly(attempt.shopId, attempt.orderId, opened, world.now())
  if (isNew) warnOf([opened], aboutAttempt(attempt), world.log)
}

/** Logs in development what looks wrong in the reports of an adapter, each fault once for an attempt. */
function warnOfReports(
  { world, payments }: Parts<'payments' | 'world'>,
  attempt: Attempt,
  statements: readonly Statement[],
): void {
  const { oddReports } = payments.memory
  for (const fault of statements.flatMap((one) => oddityOf(one, attempt) ?? [])) {
    const key = `${attempt.id} ${fault}`
    if (oddReports.has(key)) continue
    oddReports.set(key, true)
    const about = { adapter: attempt.adapter, shop: attempt.shopId, order: attempt.orderId }
    world.log.warn({ ...about, fault }, 'a report looks wrong')
  }
}

/**
 * Closes attempts at their payment services. One that cannot be closed stays watched. `source` is `page` where the customer turned back: the
 * payment is cancelled then, and has not expired. None is begun after `until`.
 */
export async function cancelAttempts(
  workings: Learning,
  attempts: readonly Attempt[],
  source: FactSource = 'cancel',
  until = Number.POSITIVE_INFINITY,
): Promise<void> {
  const { payments, world } = workings
  const cancel = async (attempt: Attempt): Promise<void> => {
    const adapter = adapterOf(workings, attempt)
    if (!adapter?.cancel || !attempt.started) return
    try {
      await payments.memory.calls.run('cancel', adapter.name, async () => {
        if (world.now() >= until) return
        // The deadline begins with its turn.
        const called = new CalledAdapter(workings, adapter, attempt.shopId, payments.deadlines.start)
        const view = attemptView(workings.contents, attempt)
        const said = await askAbout(
          called,
          attempt,
          'cancel',
          (ctx) => async () => readReports((await adapter.cancel!(view, ctx)) ?? { status: 'cancelled' }),
        )
        await learnOf(workings, attempt, said, source)
      })
    } catch (error) {
      const about = { adapter: adapter.name, ...aboutAttempt(attempt), err: error }
      const message =
        'an attempt that has ended could not be cancelled at its payment service: Purveyor still checks it'
      world.log.warn(about, message)
    }
  }
  await Promise.all(attempts.map(cancel))
}

/** Once an attempt has ended, what its customer entered on the page is not kept. A form that is handled just now says so itself. */
export async function eraseInput(workings: Moving, { id }: Attempt, payment: Payment): Promise<void> {
  const attempt = payment.attempts.find((one) => one.id === id)
  if (!attempt?.pageState || (payment.status === 'pending' && !isEnded(attempt))) return
  const state = openState(workings.contents, attempt)
  if (state.is === 'again' || state.is === 'onward')
    await movePageState(workings, attempt, { is: 'done', count: state.count })
}

/** Erases what a customer entered, behind what the caller waits for. Never rejects. */
export async function forgetPage(
  workings: Parts<'store' | 'world' | 'contents'>,
  attempt: Attempt,
  payment: Payment,
): Promise<void> {
  await eraseInput(workings, attempt, payment).catch((error: unknown) => {
    const about = { ...aboutAttempt(attempt), err: error }
    const message = 'the store could not erase the input of a customer: it stays until the payment is erased'
    workings.world.log.warn(about, message)
  })
}
