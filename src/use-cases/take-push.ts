import { Problem } from '../contract/index.ts'
import type { PaymentPush, PushedReport } from '../payments/adapter.ts'
import type { Attempt } from '../payments/payment.ts'
import { hashToken } from '../shops/tokens.ts'
import type { Push } from '../store.ts'
import { call, Deadline } from './deadline.ts'
import { findAttempt, learnOf } from './learn-payment.ts'
import { paymentContext } from './payment-context.ts'
import type { AnyPaymentAdapter, Provider } from './provider.ts'
import { askStatus } from './read-status.ts'

const minute = 60_000
const day = 24 * 60 * minute
const giveUpAfter = 3 * day
const atOnce = 20

/**
 * Takes what a payment service pushed: it is verified, and on disk when this resolves. What it says is learned afterwards,
 * so that the payment service never waits for us. Rejects with `PUSH_NOT_VERIFIED` when it is not the payment service's own.
 */
export async function takePush(
  provider: Provider,
  shopId: string,
  adapter: AnyPaymentAdapter,
  push: PaymentPush,
): Promise<void> {
  const { notifications, name } = adapter
  if (!notifications) throw new Problem('NOT_FOUND')
  if (notifications.verify) {
    const { verify } = notifications
    const deadline = new Deadline(provider.world, provider.deadlines.status)
    const ctx = await paymentContext(provider, adapter, shopId, deadline)
    const about = { adapter: name, call: 'verify', shop: shopId }
    const asked = async () => deadline.wait(call(() => verify(push, ctx)))
    const genuine = await Promise.resolve(provider.world.observer.adapterCall(about, asked)).catch(
      (error: unknown) => {
        provider.world.log.warn({ shop: shopId, adapter: name, err: error }, 'a push could not be verified')
        return false
      },
    )
    if (genuine !== true) throw new Problem('PUSH_NOT_VERIFIED')
  }
  const { headers, query } = push
  const body = push.body.toString('base64')
  const key = hashToken(`${query}\n${body}`)
  const now = provider.world.now()
  await provider.store.keepPush({ shopId, adapter: name, key, body, headers, query, receivedAt: now }, now)
  provider.wake()
}

/** Learns what the pushes say that are not processed yet. One that cannot be processed now is tried again for three days. */
export async function processPushes(provider: Provider): Promise<void> {
  const { store, world } = provider
  for (;;) {
    const now = world.now()
    const pushes = await store.claimPushes({ now, leaseUntil: now + minute, limit: atOnce })
    await Promise.all(
      pushes.map((push) =>
        world.observer.job('process push', { shop: push.shopId, adapter: push.adapter }, () =>
          process(provider, push),
        ),
      ),
    )
    if (pushes.length < atOnce) return
  }
}

async function process(provider: Provider, push: Push): Promise<void> {
  const { store, world } = provider
  const about = { shop: push.shopId, adapter: push.adapter, push: push.key }
  let outcome: string
  try {
    outcome = await learnPush(provider, push)
  } catch (error) {
    world.log.warn({ ...about, err: error }, 'a push could not be processed')
    if (world.now() - push.receivedAt < giveUpAfter) return
    outcome = 'given up after three days'
  }
  await store.settlePush(push, outcome, world.now())
  world.log.info({ ...about, outcome }, 'push processed')
}

/** Resolves with what became of the push, in words. */
async function learnPush(provider: Provider, push: Push): Promise<string> {
  const adapter = provider.payments.find(({ name }) => name === push.adapter)
  if (!adapter?.notifications) return 'no adapter reads it'
  const { notifications } = adapter
  const { headers, query } = push
  const body = Buffer.from(push.body, 'base64')
  const deadline = new Deadline(provider.world, provider.deadlines.start)
  const about = { adapter: adapter.name, call: 'read', shop: push.shopId }
  const read = await provider.world.observer.adapterCall(about, () =>
    deadline.wait(call(() => notifications.read({ body, headers, query }))),
  )
  const pushed = (Array.isArray(read) ? read : [read]) as PushedReport[]
  const outcomes: string[] = []
  for (const one of pushed) outcomes.push(await learnPushed(provider, adapter, push.shopId, one))
  return outcomes.join('; ') || 'it tells of no payment'
}

async function learnPushed(
  provider: Provider,
  adapter: AnyPaymentAdapter,
  shopId: string,
  pushed: PushedReport,
): Promise<string> {
  const attempt = await findPushed(provider, adapter, shopId, pushed)
  if (!attempt) return 'unknown payment'
  const confirms = adapter.notifications?.confirm === 'status'
  const report = confirms ? undefined : pushed.report
  const said = report ?? (await askStatus(provider, attempt))
  if (!said) return 'nothing to learn: the adapter has no status()'
  const learned = await learnOf(provider, attempt, said, report ? 'push' : 'status')
  const { status } = learned.payment
  if (learned.added.length === 0) return `${said.status}: known already, the payment is ${status}`
  return `${said.status}: noted, the payment is ${status}`
}

async function findPushed(
  provider: Provider,
  adapter: AnyPaymentAdapter,
  shopId: string,
  pushed: PushedReport,
): Promise<Attempt | undefined> {
  const ref =
    'reference' in pushed
      ? { adapter: adapter.name, reference: pushed.reference, shop: shopId }
      : { attemptId: pushed.attemptId }
  const attempt = await findAttempt(provider, ref)
  // The address belongs to one shop and adapter, and so does all that comes in there.
  if (!attempt || (attempt.shopId === shopId && attempt.adapter === adapter.name)) return attempt
  provider.world.observer.refused('PUSH_OTHER_SHOP', { shop: shopId, adapter: adapter.name })
  return undefined
}
