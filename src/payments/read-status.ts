import { reasonOf } from '../adapters/cause-of.ts'
import type { PaymentStatus } from '../contract/index.ts'
import { PurveyorError } from '../errors/errors.ts'
import type { Parts } from '../parts.ts'
import { time } from '../printable.ts'
import { StoreUnavailable } from '../store.ts'
import { findStarted, type Starting } from './call-start.ts'
import {
  adapterOf,
  askAbout,
  attemptView,
  CalledAdapter,
  type Calling,
  canBeAsked,
} from './called-adapter.ts'
import { type Learning, learnOf } from './learn-payment.ts'
import { type Attempt, newestAttempt, type Payment } from './ledger/payment.ts'
import { readReports, type Statement, saidWord } from './ledger/report.ts'
import { isEnded } from './ledger/status.ts'
import { type Asked, askEvery } from './payment-memory.ts'

/** In milliseconds. */
const noteEvery = 60_000
const longestAnswer = 200

/**
 * Reads the status of an order's payment (spec 4.3 payment/{order_id}); `undefined` if the shop has none. For a pending payment it asks the
 * payment service first, within the deadline; if that fails, or it was asked just now, the stored status is the answer.
 */
export async function readStatus(workings: Learning, shopId: string, orderId: string) {
  const { store } = workings
  const payment = await store.payment(shopId, orderId)
  if (!payment) return undefined
  const attempt = newestAttempt(payment)
  const goesOn = payment.status === 'pending' && attempt?.started && !isEnded(attempt)
  const asked = goesOn ? askAtMost(workings, attempt) : undefined
  let { status } = payment
  // A push may have reported it meanwhile, so the value from before the wait may be older than other answers.
  if (asked) status = (await asked).status ?? (await store.payment(shopId, orderId))?.status ?? status
  noteRead(workings, payment, status)
  return status
}

/** Stores, after the answer, that the platform has read the status of a webhook. */
function noteRead({ store, world }: Learning, payment: Payment, status: PaymentStatus): void {
  // A status that changed just now has no delivery yet; its webhook makes the platform read again.
  if (status !== payment.status || payment.readVersion >= payment.statusVersion) return
  const { shopId, orderId, statusVersion } = payment
  store.noteRead(shopId, orderId, statusVersion, world.now()).catch((error: unknown) => {
    const about = { shop: shopId, order: orderId, err: error }
    world.log.warn(about, 'the store could not record that the shop read the status')
  })
}

/**
 * Asks the payment service of an attempt, and stores the answer. All who read at the same time share one call. `undefined` where the last one
 * began less than two seconds ago: what is stored is the last word.
 */
export function askAtMost(workings: Learning, attempt: Attempt): Promise<Asked> | undefined {
  const { asks, pauses } = workings.payments.memory
  const last = asks.get(attempt.id)
  if (last?.isRunning) return last.answer
  const began = workings.world.now()
  const pause = pauses.left({ adapter: attempt.adapter, shop: attempt.shopId }, began)
  if (pause > 0 || !canBeAsked(workings, attempt)) return Promise.resolve({ standing: 'unknown' })
  // A clock that was set back makes no answer last.
  if (last && Math.abs(began - last.began) < askEvery) return undefined
  const answer = askNow(workings, attempt).finally(() => (asked.isRunning = false))
  const asked = { began, isRunning: true, answer }
  asks.set(attempt.id, asked)
  return answer
}

async function askNow(workings: Learning, attempt: Attempt): Promise<Asked> {
  const { said, error } = (await askService(workings, attempt, 'caller'))!
  if (!said) {
    if (error instanceof StoreUnavailable) throw error
    const { adapter, shopId: shop, orderId: order } = attempt
    const about = { adapter, shop, order, err: error }
    workings.world.log.warn(about, 'the payment service did not answer with a status')
    return { standing: 'unknown' }
  }
  const { payment } = await learnOf(workings, attempt, said, 'status')
  const words = said.map(({ word }) => word).filter((word) => word !== 'named')
  const isOpen = words.length > 0 && words.every((word) => word === 'open')
  return { standing: isOpen ? 'open' : 'further', status: payment.status }
}

/** Reads the status of an attempt at the payment service; `undefined` if the adapter cannot. */
export async function askStatus(workings: Calling, attempt: Attempt, by: 'check' | 'caller') {
  const asked = await askService(workings, attempt, by)
  if (asked && !asked.said) throw asked.error
  return asked?.said
}

/** Keeps the answer of a payment service. No caller waits for it. */
export function noteAnswer(
  { store, world }: Parts<'store' | 'world'>,
  { shopId, id }: Attempt,
  answer: string,
): void {
  store.noteAsked(shopId, id, { at: world.now(), answer }).catch((error: unknown) => {
    const about = { shop: shopId, err: error }
    world.log.warn(about, 'the store could not record the answer of a payment service')
  })
}

/** The answer of a payment service in words, with its reports; or with the error, where it reported nothing. */
interface Answered {
  answer: string
  said?: Statement[]
  error?: unknown
}

/**
 * Asks the payment service how an attempt stands, and notes its answer; `undefined` when the adapter cannot ask. For a `caller`, such as
 * the platform, a customer or a push, it notes the same answer once a minute: they come often. A `person` waits for the note.
 */
async function askService(workings: Calling, attempt: Attempt, by: 'check' | 'caller' | 'person') {
  const { store, world } = workings
  const adapter = adapterOf(workings, attempt)
  if (!adapter?.status) return undefined
  const called = new CalledAdapter(workings, adapter, attempt.shopId, workings.payments.deadlines.status)
  const view = attemptView(workings.contents, attempt)
  const asked: Answered = await askAbout(
    called,
    attempt,
    'status',
    (ctx) => async () => readReports(await adapter.status!(view, ctx)),
  ).then(
    (said) => ({ answer: answerOf(said), said }),
    (error: unknown) => {
      const why = error instanceof Error ? error.message : 'the adapter threw a value that is not an error'
      return { answer: `failed: ${why}`.slice(0, longestAnswer), error }
    },
  )
  const { answer } = asked
  const known = attempt.asked?.answer === answer && world.now() - attempt.asked.at < noteEvery
  if (by === 'person') await store.noteAsked(attempt.shopId, attempt.id, { at: world.now(), answer })
  else if (by === 'check' || !known) noteAnswer(workings, attempt, answer)
  return asked
}

const answerOf = (said: readonly Statement[]): string =>
  said
    .map((one) => [saidWord(one), one.amount, one.currency].filter((part) => part !== undefined).join(' '))
    .join(', ')
    .slice(0, longestAnswer)

/**
 * Asks the payment service for the payment of a start whose outcome was not stored, stores it if there is one, and notes the answer. A
 * `person` waits for the note, and it rejects without one. Without `answer`, in words, the adapter has no `find`, and nobody was asked.
 */
export async function lookUpStart(
  workings: Starting,
  attempt: Attempt,
  by: 'check' | 'person',
): Promise<{ found?: Attempt | undefined; answer?: string; error?: unknown }> {
  const adapter = adapterOf(workings, attempt)
  if (!adapter?.find) return {}
  const looked = await findStarted(workings, adapter, attempt, workings.payments.deadlines.start).then(
    (found) => ({ found, answer: found ? 'its start was found' : 'it has no payment of this start' }),
    (error: unknown) => ({ answer: `looking up its start failed: ${reasonOf(error)}`, error }),
  )
  const { store, world } = workings
  if (by === 'check') noteAnswer(workings, attempt, looked.answer)
  else await store.noteAsked(attempt.shopId, attempt.id, { at: world.now(), answer: looked.answer })
  return looked
}

/** Of an order with more attempts the newest are asked about. */
const mostAsked = 10

/**
 * Asks the payment services of an order's attempts for their status, also of those that are over, and learns the answers. So it makes up for
 * a lost push. Resolves with the status before and after, and what they said of the newest attempts, the newest first. Rejects with
 * `UNKNOWN_PAYMENT` where the shop has no such payment.
 */
export async function askPayment(workings: Starting, shopId: string, orderId: string) {
  const { store } = workings
  const payment = await store.payment(shopId, orderId)
  if (!payment) throw new PurveyorError('UNKNOWN_PAYMENT')
  const asked: Awaited<ReturnType<typeof askAttempt>>[] = []
  const newest = payment.attempts.toReversed().slice(0, mostAsked)
  for (const attempt of newest) asked.push(await askAttempt(workings, attempt))
  const after = await store.payment(shopId, orderId)
  return { before: payment.status, status: after?.status ?? payment.status, asked }
}

/** `answer` is what it answered, in words, or why there is no answer; `answered` whether it said how the attempt stands. */
async function askAttempt(workings: Starting, attempt: Attempt) {
  const { id, adapter } = attempt
  const said = (answer: string, answered = false) => ({ attempt: id, adapter, answer, answered })
  let started: Attempt | undefined = attempt
  if (!attempt.started) {
    const { found, answer } = await lookUpStart(workings, attempt, 'person')
    const ended = attempt.asked === undefined ? '' : ` (${time(attempt.asked.at)}: ${attempt.asked.answer})`
    if (answer === undefined)
      return said(`not asked: its start has no answer${ended}, and no adapter of this name has find()`)
    started = found
    if (!started) return said(answer)
  }
  const asked = await askService(workings, started, 'person')
  if (!asked) return said('not asked: no adapter of this name has status()')
  if (!asked.said) return said(asked.answer)
  await learnOf(workings, started, asked.said, 'status')
  return said(asked.answer, true)
}

/**
 * Asks the payment service how an attempt stands, and stores the answer, for a customer who comes back to its page: what is decided about
 * another payment needs a fresh answer. One who comes too soon after the last question waits for the next one, which all share who wait.
 */
export async function askForPage(workings: Learning, attempt: Attempt): Promise<Asked> {
  const { payments, world } = workings
  const { asks } = payments.memory
  const before = asks.get(attempt.id)
  for (;;) {
    const asked = askAtMost(workings, attempt)
    if (asked) return asked
    const last = asks.get(attempt.id)!
    if (last !== before) return last.answer
    const left = Math.min(last.began + askEvery - world.now(), askEvery)
    await new Promise<void>((resolve) => void world.after(left, resolve))
  }
}
