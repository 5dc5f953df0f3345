import { readable, reasonOf } from '../../adapters/cause-of.ts'
import type { AnyPaymentAdapter } from '../../any-adapter.ts'
import { Problem } from '../../contract/index.ts'
import { wrongAnswer } from '../../errors/errors.ts'
import type { Parts } from '../../parts.ts'
import { hashToken, sealContent } from '../../shops/seal.ts'
import { StoreUnavailable } from '../../store.ts'
import type { PaymentPush, PushOwner } from '../adapter-context.ts'
import { CalledAdapter, type Calling } from '../called-adapter.ts'
import { findAttempt, type Learning } from '../learn-payment.ts'
import { earlierGenuine, isGenuine, pushContext, refOf, textOf } from './learn-push.ts'

type Named = Exclude<PushOwner, { ignored: string }>

/** Whether the token is that of the address that all shops of the adapter share. */
export const isSharedAddress = (
  { addresses }: Parts<'addresses'>,
  { name, push }: AnyPaymentAdapter,
  tokenHash: string,
): boolean => push?.owner !== undefined && tokenHash === hashToken(addresses.pages.ofPushes(name))

/**
 * The shop of a push at the shared address, by the push's own word: it is not verified yet. `undefined` for one that is nobody's here. Rejects
 * with `PUSH_WITHOUT_SHOP` where no shop is found: the payment service sends it again.
 */
export async function ownerOf(
  workings: Parts<'world' | 'store'>,
  adapter: AnyPaymentAdapter,
  push: PaymentPush,
): Promise<string | undefined> {
  const { world } = workings
  const { name, push: reader } = adapter
  const owner = reader!.owner!
  let err: unknown
  try {
    const named = owner(push)
    if ('ignored' in named) {
      world.observer.pushed(name, 'ignored')
      return undefined
    }
    const shopId = await shopOf(workings, name, named)
    if (shopId !== undefined) return shopId
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error
    err = error
  }
  world.observer.pushed(name, 'refused')
  world.log.warn(
    { code: 'PUSH_WITHOUT_SHOP', adapter: name, err },
    'a push at the shared address belongs to no shop',
  )
  throw new Problem('PUSH_WITHOUT_SHOP')
}

async function shopOf({ store }: Parts<'store'>, adapter: string, named: Named): Promise<string | undefined> {
  if ('shop' in named) return (await store.shop(textOf(named.shop)))?.id
  return (await findAttempt(store, refOf(adapter, named)))?.shopId
}

/**
 * Receives a push: it is verified, and on disk when this resolves. It is processed afterwards, so that the payment service never waits for
 * us. Rejects with `PUSH_NOT_VERIFIED` if it is not from the payment service.
 */
export async function takePush(
  workings: Learning,
  shopId: string,
  adapter: AnyPaymentAdapter,
  push: PaymentPush,
): Promise<void> {
  if (adapter.push!.verify) await expectGenuine(workings, shopId, adapter, push)
  const { headers, query } = push
  const body = push.body.toString('base64')
  const about = { shopId, adapter: adapter.name, key: hashToken(`${query}\n${body}`) }
  const now = workings.world.now()
  const sealed = sealContent(workings.contents, about, { body, headers, query })
  await workings.store.keepPush({ ...about, sealed, receivedAt: now }, now)
  workings.wake()
}

const longestChallenge = 4_096

/** The answer to a GET by which a payment service checks the address; `undefined` for one that is a push. */
export async function answerChallenge(
  workings: Calling,
  shopId: string,
  adapter: AnyPaymentAdapter,
  push: PaymentPush,
): Promise<string | undefined> {
  const { challenge } = adapter.push!
  if (!challenge) return undefined
  const called = new CalledAdapter(workings, adapter, shopId, workings.payments.deadlines.status)
  const ctx = await pushContext(called)
  const answer: unknown = await called.ask('challenge', () => challenge(push, ctx))
  if (answer === undefined || (typeof answer === 'string' && answer.length <= longestChallenge)) return answer
  throw wrongAnswer(
    `push.challenge() of payment adapter "${adapter.name}" returns a text of at most ${longestChallenge} characters, or nothing`,
  )
}

/** Refused pushes are counted, and none is stored: a stranger may send any number. */
async function expectGenuine(
  workings: Calling,
  shopId: string,
  adapter: AnyPaymentAdapter,
  push: PaymentPush,
): Promise<void> {
  const { payments, world } = workings
  const { name } = adapter
  const from = { kind: 'push', adapter: name, shopId } as const
  let why = 'push.verify does not accept its signature'
  const called = new CalledAdapter(workings, adapter, shopId, payments.deadlines.status)
  try {
    if (await verified(called, push)) return payments.memory.failures.succeeded(from, world.now())
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error
    world.log.warn({ shop: shopId, adapter: name, err: error }, 'a push could not be verified')
    why = `push.verify failed: ${reasonOf(readable(error))}`
  }
  payments.memory.failures.failed(from, why, world.now())
  world.observer.pushed(name, 'refused')
  throw new Problem('PUSH_NOT_VERIFIED')
}

/** Earlier settings are not tried where the payment service failed. */
async function verified(called: CalledAdapter, push: PaymentPush): Promise<boolean> {
  const accepted = await isGenuine(called, push).catch((error: unknown) => {
    if (error instanceof StoreUnavailable || called.failureOf(error)) throw error
    return { error }
  })
  if (accepted === true || (await earlierGenuine(called, push))) return true
  if (typeof accepted === 'object') throw accepted.error
  return false
}
