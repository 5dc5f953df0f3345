import type { PushedReport } from '../../payments/adapter.ts'
import type { Attempt } from '../../payments/payment.ts'
import { type Push, StoreUnavailable } from '../../store.ts'
import { callAdapter } from '../call-adapter.ts'
import { Deadline } from '../deadline.ts'
import type { AnyPaymentAdapter, Workings } from '../workings.ts'
import { findAttempt, learnOf } from './learn-payment.ts'
import { askStatus } from './read-status.ts'

/** What became of a push. */
export interface LearnedPush {
  /** In words. */
  outcome: string
  /** How many payments of this provider it is about. */
  concerns: number
}

/** The payment service of an adapter did not say how a payment stands. */
export class ServiceFailed extends Error {
  override readonly name = 'ServiceFailed'
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : 'the payment service failed', { cause })
  }
}

/**
 * Learns what a push says of payments. Rejects with a `ServiceFailed` where its payment service does not say how one of them stands.
 */
export async function learnPush(workings: Workings, push: Push): Promise<LearnedPush> {
  const adapter = workings.payments.find(({ name }) => name === push.adapter)
  if (!adapter?.push) return { outcome: 'no adapter reads it', concerns: 0 }
  const { push: reader } = adapter
  const { headers, query } = push
  const body = Buffer.from(push.body, 'base64')
  const deadline = new Deadline(workings.world, workings.deadlines.start)
  const how = { adapter, call: 'read', shop: push.shopId, deadline }
  const read = await callAdapter(workings, how, () => reader.read({ body, headers, query }))
  const pushed = (Array.isArray(read) ? read : [read]) as PushedReport[]
  const learned: LearnedPush[] = []
  for (const one of pushed) learned.push(await learnPushed(workings, adapter, push.shopId, one))
  return {
    outcome: learned.map(({ outcome }) => outcome).join('; ') || 'it names no payment',
    concerns: learned.reduce((sum, { concerns }) => sum + concerns, 0),
  }
}

async function learnPushed(
  workings: Workings,
  adapter: AnyPaymentAdapter,
  shopId: string,
  pushed: PushedReport,
): Promise<LearnedPush> {
  const attempt = await findPushed(workings, adapter, shopId, pushed)
  if (!attempt) return { outcome: 'unknown payment', concerns: 0 }
  const confirms = adapter.push?.confirm === 'status'
  const report = confirms ? undefined : pushed.report
  const said = report ?? (await askStatus(workings, attempt).catch(serviceFailed))
  if (!said) return { outcome: 'nothing to learn: the adapter has no status()', concerns: 1 }
  const learned = await learnOf(workings, attempt, said, report ? 'push' : 'status')
  const { status } = learned.payment
  const became = learned.added.length === 0 ? 'known already' : 'noted'
  const outcome = `${said.status}: ${became}, the payment is ${status}`
  return { outcome, concerns: 1 }
}

function serviceFailed(error: unknown): never {
  if (error instanceof StoreUnavailable) throw error
  throw new ServiceFailed(error)
}

async function findPushed(
  workings: Workings,
  adapter: AnyPaymentAdapter,
  shopId: string,
  pushed: PushedReport,
): Promise<Attempt | undefined> {
  const ref =
    'reference' in pushed
      ? { adapter: adapter.name, reference: pushed.reference, shop: shopId }
      : { attemptId: pushed.attemptId }
  const attempt = await findAttempt(workings, ref)
  // The address belongs to one shop and adapter, and so does all that comes in there.
  if (!attempt || (attempt.shopId === shopId && attempt.adapter === adapter.name)) return attempt
  workings.world.observer.refused('PUSH_OTHER_SHOP', { shop: shopId, adapter: adapter.name })
  return undefined
}
