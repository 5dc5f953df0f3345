import type { AnyPaymentAdapter } from '../../any-adapter.ts'
import type { Parts } from '../../parts.ts'
import { type EventHandling, processResourceEvent } from '../../shops/resource-events.ts'
import { fromPlatform, openContent } from '../../shops/seal.ts'
import { StoreUnavailable } from '../../store.ts'
import type { Push, SettledPush } from '../../store-port.ts'
import type { PaymentPush, PushContext, PushedReport } from '../adapter-context.ts'
import {
  attemptView,
  CalledAdapter,
  type Calling,
  calledEarlier,
  leftAlone,
  paymentContext,
  ServiceFailed,
} from '../called-adapter.ts'
import { findAttempt, type Learning, learnOf, type PaymentRef } from '../learn-payment.ts'
import type { Attempt } from '../ledger/payment.ts'
import { readDetail, readReports, type Statement, saidWord } from '../ledger/report.ts'
import { askStatus } from '../read-status.ts'

type PushedRef = { reference: string } | { attemptId: string }

/** The context with which an adapter verifies and reads a push. */
export async function pushContext(called: CalledAdapter): Promise<PushContext> {
  const { workings, adapter, shopId } = called
  const ctx = await paymentContext(called)
  const { fetch } = ctx
  return Object.assign(ctx, {
    // Customers do not wait for pushes: a service that asked to be left alone is not called for them.
    fetch: (async (...call) => {
      if (called.pause > 0) {
        called.lastStatus = 429
        throw new Error(leftAlone)
      }
      return fetch(...call)
    }) satisfies PushContext['fetch'],
    async attempt(ref: PushedRef) {
      const attempt = await findPushed(workings, adapter, shopId, ref)
      return attempt && attemptView(workings.contents, attempt)
    },
  })
}

/** Whether the payment service itself sent a push, by the settings of this call. */
export async function isGenuine(called: CalledAdapter, push: PaymentPush): Promise<boolean> {
  const { verify } = called.adapter.push!
  if (!verify) return true
  const ctx = await pushContext(called)
  return called.ask('verify', () => verify(push, ctx))
}

/** The earlier settings of the adapter that are tried for a push, the newest first. */
const mostEarlier = 5

/** The call with those earlier settings by which a push is genuine: its payment was started before the merchant changed a key. */
export async function earlierGenuine(called: CalledAdapter, push: PaymentPush) {
  const earlier = (await calledEarlier(called, 0)).slice(-mostEarlier).reverse()
  for (const one of earlier) if ((await isGenuine(one, push).catch(() => false)) === true) return one
  return undefined
}

/** An id in the JSON of a push may be a number. */
export const textOf = (id: unknown): string => (typeof id === 'number' ? String(id) : (id as string))

export const refOf = (adapter: string, pushed: PushedRef, shop?: string): PaymentRef =>
  'reference' in pushed
    ? { adapter, reference: textOf(pushed.reference), shop }
    : { attemptId: textOf(pushed.attemptId) }

/** The attempt that a push names. Its address belongs to one shop and adapter, and so does every attempt that it may name. */
async function findPushed(
  { store, world }: Parts<'world' | 'store'>,
  adapter: AnyPaymentAdapter,
  shopId: string,
  pushed: PushedRef,
): Promise<Attempt | undefined> {
  const attempt = await findAttempt(store, refOf(adapter.name, pushed, shopId))
  if (!attempt || (attempt.shopId === shopId && attempt.adapter === adapter.name)) return attempt
  world.observer.refused('PUSH_OTHER_SHOP', { shop: shopId, adapter: adapter.name })
  return undefined
}

/** Takes part in the processing of a push: of a payment service, or of a platform's event. */
export type Handling = Learning & EventHandling

/** The result of one report of a push, in words. `missing` is a name of no payment here, which an attempt may get later as its reference. */
interface LearnedReport {
  detail: string
  missing?: { name: string; isReference: boolean }
  isIgnored?: true
}

/**
 * Stores the reports of a push, each by itself: one that cannot be read keeps none of the others back. Rejects with the first failure, a
 * `ServiceFailed` if its payment service does not return the status of a payment.
 */
export async function learnPush(workings: Handling, push: Push): Promise<SettledPush> {
  if (push.adapter === fromPlatform) return processResourceEvent(workings, push)
  const adapter = workings.payments.adapters.find(({ name }) => name === push.adapter)
  if (!adapter?.push) return { outcome: 'unmatched', detail: 'no adapter reads it' }
  const { push: reader } = adapter
  const { headers, query, ...sent } = openContent(workings.contents, push)
  const body = Buffer.from(sent.body, 'base64')
  const called = new CalledAdapter(workings, adapter, push.shopId, workings.payments.deadlines.start)
  const content = { body, headers, query }
  const readBy = async (one: CalledAdapter) => {
    const ctx = await pushContext(one)
    try {
      return [await one.ask('read', () => reader.read(content, ctx))].flat() as PushedReport[]
    } catch (error) {
      throw one.failureOf(error) ?? error
    }
  }
  const pushed = await readBy(called).catch(async (error: unknown) => {
    const isAway = error instanceof StoreUnavailable || error instanceof ServiceFailed
    const earlier = isAway ? undefined : await earlierGenuine(called, content)
    if (!earlier) throw error
    return readBy(earlier)
  })
  const learned: LearnedReport[] = []
  const failures: unknown[] = []
  for (const one of pushed) {
    const what = await learnPushed(workings, adapter, push.shopId, one).catch((error: unknown) => {
      if (error instanceof StoreUnavailable) throw error
      failures.push(error)
    })
    if (what) learned.push(what)
  }
  if (failures.length > 0) throw failures[0]
  const missing = learned.flatMap((one) => one.missing ?? [])
  const isIgnored = learned.every((one) => one.isIgnored)
  return {
    outcome: missing.length > 0 ? 'unmatched' : isIgnored ? 'ignored' : 'processed',
    detail: learned.map(({ detail }) => detail).join('; ') || 'it names no payment',
    names: missing.map(({ name }) => name),
    references: missing.filter(({ isReference }) => isReference).map(({ name }) => name),
  }
}

async function learnPushed(
  workings: Learning,
  adapter: AnyPaymentAdapter,
  shopId: string,
  pushed: PushedReport,
): Promise<LearnedReport> {
  if ('ignored' in pushed) return { detail: readDetail(String(pushed.ignored)), isIgnored: true }
  const attempt = await findPushed(workings, adapter, shopId, pushed)
  if (!attempt) {
    const isReference = 'reference' in pushed
    const [kind, name] = isReference ? ['reference', pushed.reference] : ['attempt', pushed.attemptId]
    return { detail: `no payment of the shop has this ${kind}`, missing: { name: String(name), isReference } }
  }
  const confirms = adapter.push?.confirm === 'status'
  const report = confirms ? undefined : pushed.report
  const said = report ? readReports(report) : await ask(workings, attempt)
  if (!said) return { detail: 'no report, and the adapter has no status()' }
  const learned = await learnOf(workings, attempt, said, report ? 'push' : 'status')
  const { status, orderId } = learned.payment
  const became = learned.added.length === 0 ? 'known already' : 'noted'
  return {
    detail: `${said.map(saidWord).join(', ')}: ${became}, the payment of order ${orderId} is ${status}`,
  }
}

/** Asks the payment service, unless it answered 429 and its pause is not over. */
async function ask(workings: Calling, attempt: Attempt): Promise<Statement[] | undefined> {
  const pauseLeft = () => workings.payments.memory.pauses.left({ adapter, shop }, workings.world.now())
  const { adapter, shopId: shop } = attempt
  const pause = pauseLeft()
  if (pause > 0) throw new ServiceFailed(leftAlone, pause)
  return askStatus(workings, attempt, 'caller').catch((error: unknown) => {
    if (error instanceof StoreUnavailable) throw error
    throw new ServiceFailed(
      error instanceof Error ? error.message : 'the payment service failed',
      pauseLeft(),
      error,
    )
  })
}
