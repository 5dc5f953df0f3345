import type { PaymentStatus } from '../../contract/index.ts'
import { PurveyorError } from '../../errors.ts'
import type { Attempt, Payment } from '../../payments/payment.ts'
import { askEvery } from '../../payments/waiting.ts'
import { time } from '../../printable.ts'
import type { Asked } from '../memory.ts'
import { reasonOf } from '../rates/cause-of.ts'
import type { Workings } from '../workings.ts'
import { findStarted } from './call-start.ts'
import { learnOf } from './learn-payment.ts'
import { adapterOf, askAtMost, askService } from './read-status.ts'

interface LookedUp {
  found?: Attempt | undefined
  /** In words. Not set where the adapter has no `find`, so that nobody was asked. */
  answer?: string
  error?: unknown
}

/** Asks the payment service for the payment of a start whose outcome was not stored, and stores it if there is one. Never rejects. */
export async function lookUpStart(workings: Workings, attempt: Attempt): Promise<LookedUp> {
  const adapter = adapterOf(workings, attempt)
  if (!adapter?.find) return {}
  try {
    const found = await findStarted(workings, adapter, attempt, workings.deadlines.start)
    return { found, answer: found ? 'its start was found' : 'it has no payment of this start' }
  } catch (error) {
    return { answer: `looking up its start failed: ${reasonOf(error)}`, error }
  }
}

/** Of an order with more attempts the newest are asked about. */
const mostAsked = 10

interface AskedAttempt {
  attempt: string
  adapter: string
  /** In words: what it answered, or why there is no answer. */
  answer: string
  /** Whether it said how the attempt stands. */
  answered: boolean
}

export interface AskedPayment {
  /** The status before and after. */
  before: PaymentStatus
  status: PaymentStatus
  /** The newest attempt first. */
  asked: AskedAttempt[]
}

/**
 * Asks the payment services of an order's attempts for their status, also of those that are over, and learns the answers. So it makes up for
 * a lost push. Rejects with `UNKNOWN_PAYMENT` where the shop has no such payment.
 */
export async function askPayment(workings: Workings, shopId: string, orderId: string): Promise<AskedPayment> {
  const payment = await workings.store.payment(shopId, orderId)
  if (!payment) throw new PurveyorError('UNKNOWN_PAYMENT')
  const asked: AskedAttempt[] = []
  for (const attempt of newestFirst(payment)) asked.push(await askAttempt(workings, attempt))
  const after = await workings.store.payment(shopId, orderId)
  return { before: payment.status, status: after?.status ?? payment.status, asked }
}

const newestFirst = ({ attempts }: Payment): Attempt[] => attempts.toReversed().slice(0, mostAsked)

async function askAttempt(workings: Workings, attempt: Attempt): Promise<AskedAttempt> {
  const { store, world } = workings
  const { id, adapter, shopId } = attempt
  const about = { attempt: id, adapter }
  const started = attempt.started ? attempt : await lookUp(workings, attempt)
  if (typeof started === 'string') return { ...about, answer: started, answered: false }
  const found = await askService(workings, started)
  if (!found) return { ...about, answer: 'not asked: no adapter of this name has status()', answered: false }
  const { answer } = found
  await store.noteAsked(shopId, id, { at: world.now(), answer })
  if ('error' in found) return { ...about, answer, answered: false }
  await learnOf(workings, started, found.said, 'status')
  return { ...about, answer, answered: true }
}

/** Looks for the payment of a start without an answer. Resolves with the started attempt, or in words with why there is none. */
async function lookUp(workings: Workings, attempt: Attempt): Promise<Attempt | string> {
  const ended = attempt.asked === undefined ? '' : ` (${time(attempt.asked.at)}: ${attempt.asked.answer})`
  const { found, answer } = await lookUpStart(workings, attempt)
  if (answer === undefined)
    return `not asked: its start has no answer${ended}, and no adapter of this name has find()`
  await workings.store.noteAsked(attempt.shopId, attempt.id, { at: workings.world.now(), answer })
  return found ?? answer
}

/**
 * Asks the payment service how an attempt stands, and stores the answer, for a customer who comes back to its page: what is decided about
 * another payment needs a fresh answer. One who comes too soon after the last question waits for the next one, which all share who wait.
 */
export async function askForPage(workings: Workings, attempt: Attempt): Promise<Asked> {
  const { memory, world } = workings
  const before = memory.asks.get(attempt.id)
  for (;;) {
    const asked = askAtMost(workings, attempt)
    if (asked) return asked
    const last = memory.asks.get(attempt.id)!
    if (last !== before) return last.answer
    const left = Math.min(last.began + askEvery - world.now(), askEvery)
    await new Promise<void>((resolve) => void world.after(left, resolve))
  }
}
