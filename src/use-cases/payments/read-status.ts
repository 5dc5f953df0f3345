import type { PaymentStatus } from '../../contract/index.ts'
import { attemptView } from '../../payments/adapter.ts'
import { isEnded } from '../../payments/attempt-end.ts'
import { type Attempt, newestAttempt, type Payment } from '../../payments/payment.ts'
import { readReports } from '../../payments/read-report.ts'
import { type Statement, saidWord } from '../../payments/report.ts'
import type { Workings } from '../workings.ts'
import { CalledAdapter } from './called-adapter.ts'
import { learnOf } from './learn-payment.ts'
import { paymentContext } from './payment-context.ts'

/** In milliseconds. */
const noteEvery = 60_000
const longestAnswer = 200

/**
 * Reads the status of an order's payment (spec 4.3 payment/{order_id}); `undefined` if the shop has none. For a pending payment it asks the
 * payment service first, within the deadline; if that fails, the stored status is the answer. Simultaneous reads of one order ask once.
 */
export async function readStatus(
  workings: Workings,
  shopId: string,
  orderId: string,
): Promise<PaymentStatus | undefined> {
  const payment = await workings.store.payment(shopId, orderId)
  if (!payment) return undefined
  const status = payment.status === 'pending' ? await refresh(workings, payment) : payment.status
  noteRead(workings, payment, status)
  return status
}

/** Stores, after the answer, that the platform has read the status of a webhook. */
function noteRead({ store, world }: Workings, payment: Payment, status: PaymentStatus): void {
  // A status that changed just now has no delivery yet; its webhook makes the platform read again.
  if (status !== payment.status || payment.readVersion >= payment.statusVersion) return
  const { shopId, orderId, statusVersion } = payment
  store.noteRead(shopId, orderId, statusVersion, world.now()).catch((error: unknown) => {
    world.log.warn(
      { shop: shopId, order: orderId, err: error },
      'the store did not note that the shop read the status',
    )
  })
}

async function refresh(workings: Workings, payment: Payment): Promise<PaymentStatus> {
  const { shopId, orderId } = payment
  const attempt = newestAttempt(payment)
  if (!attempt?.started || isEnded(attempt) || !canBeAsked(workings, attempt)) return payment.status
  const account = { adapter: attempt.adapter, shop: shopId }
  if (workings.memory.askPauses.left(account, workings.world.now()) > 0) return payment.status

  const { statusReads: reads } = workings.memory
  let read = reads.get(attempt.id)
  if (!read) {
    read = askAndLearn(workings, attempt)
      .catch(async (error: unknown) => {
        workings.world.log.warn(
          { adapter: attempt.adapter, shop: shopId, order: orderId, err: error },
          'the payment service did not answer with a status',
        )
        // A push may have reported it meanwhile, so the value from before the wait may be older than other answers.
        return (await workings.store.payment(shopId, orderId))?.status ?? payment.status
      })
      .finally(() => reads.delete(attempt.id))
    reads.set(attempt.id, read)
  }
  return read
}

/** Whether the status of an attempt can be read at the payment service. */
export const canBeAsked = (workings: Workings, attempt: Attempt): boolean =>
  adapterOf(workings, attempt)?.status !== undefined

export const adapterOf = (workings: Workings, attempt: Attempt) =>
  workings.payments.find(({ name }) => name === attempt.adapter)

async function askAndLearn(workings: Workings, attempt: Attempt): Promise<PaymentStatus> {
  const said = await askStatus(workings, attempt, 'caller')
  return (await learnOf(workings, attempt, said!, 'status')).payment.status
}

/**
 * Reads the status of an attempt at the payment service, and notes the answer; `undefined` if the adapter cannot. For a `caller`,
 * such as the platform, a customer or a push, it notes the same answer once a minute: they come often.
 */
export async function askStatus(
  workings: Workings,
  attempt: Attempt,
  by: 'check' | 'caller',
): Promise<Statement[] | undefined> {
  const asked = await askService(workings, attempt)
  if (!asked) return undefined
  const { answer } = asked
  const known = attempt.asked?.answer === answer && workings.world.now() - attempt.asked.at < noteEvery
  if (by === 'check' || !known) noteAnswer(workings, attempt, answer)
  if ('error' in asked) throw asked.error
  return asked.said
}

/** Keeps the answer of a payment service. No caller waits for it. */
export function noteAnswer({ store, world }: Workings, attempt: Attempt, answer: string): void {
  const { shopId, id } = attempt
  const at = world.now()
  store.noteAsked(shopId, id, { at, answer }).catch((error: unknown) => {
    world.log.warn({ shop: shopId, err: error }, 'the store did not note the answer of a payment service')
  })
}

/** The answer of a payment service in words, with its reports; or with the error, where it reported nothing. */
type Asked = { answer: string } & ({ said: Statement[] } | { error: unknown })

/** Asks the payment service how an attempt stands; `undefined` when the adapter cannot ask. */
export async function askService(workings: Workings, attempt: Attempt): Promise<Asked | undefined> {
  const adapter = adapterOf(workings, attempt)
  if (!adapter?.status) return undefined
  const called = new CalledAdapter(workings, adapter, attempt.shopId, workings.deadlines.status * 0.75)
  const ctx = await paymentContext(called)
  try {
    const ask = () => adapter.status!(attemptView(workings.contents, attempt), ctx)
    const said = await called.ask('status', adapter.status, ask, readReports)
    return { answer: answerOf(said), said }
  } catch (error) {
    const why = error instanceof Error ? error.message : 'the adapter threw a value that is not an error'
    return { answer: `failed: ${why}`.slice(0, longestAnswer), error }
  }
}

const answerOf = (said: readonly Statement[]): string =>
  said
    .map((one) => [saidWord(one), one.amount, one.currency].filter((part) => part !== undefined).join(' '))
    .join(', ')
    .slice(0, longestAnswer)
