import { PurveyorError } from '../errors.ts'
import { isEnded } from '../payments/attempt-end.ts'
import type { Attempt } from '../payments/payment.ts'
import { cancelAttempts } from './payments/cancel-attempts.ts'
import { type AttemptView, attemptViewOf } from './payments/payment-views.ts'
import { unknownShop } from './shops/unknown-shop.ts'
import type { Workings } from './workings.ts'

/** A shop at its end. */
export interface RemovedShop {
  /** Its id. */
  shop: string
  /** The number of owed webhooks, which are not delivered any more. */
  owed: number
  /** The attempts for which money may still come. */
  open: (AttemptView & { orderId: string })[]
}

/** How long attempts are cancelled at their payment services, in milliseconds. */
const cancelFor = 60_000
const lookEvery = 50
/** Of a shop that has more payments under way, those are left that changed longest ago. */
const most = 100_000

/** With `force` the shop serves no more from here on, and what is under way is cancelled while the adapters still have their settings. */
export async function removeShop(
  workings: Workings,
  shop: string,
  by: string,
  force: boolean,
): Promise<RemovedShop> {
  const { store, world } = workings
  if (force) {
    await store.setDisabled(shop, true, world.now(), by)
    await cancelAll(workings, shop)
  }
  const open = await openAttempts(workings, shop)
  const owed = await store.removeShop(shop, world.now(), by, force)
  if (owed === undefined)
    throw (await store.shop(shop)) ? underWay(`Shop ${shop} has payments`) : unknownShop(shop)
  return { shop, owed, open: open.map((one) => ({ orderId: one.orderId, ...attemptViewOf(one) })) }
}

async function cancelAll(workings: Workings, shopId: string): Promise<void> {
  const { world, deadlines } = workings
  const wait = (ms: number) => new Promise<void>((resolve) => world.after(ms, resolve))
  const isStarting = ({ started, openedAt }: Attempt) => !started && world.now() < openedAt + deadlines.start
  let open = await openAttempts(workings, shopId)
  // A start that another process has begun can be cancelled once its payment service has answered.
  for (; open.some(isStarting); open = await openAttempts(workings, shopId)) await wait(lookEvery)
  await Promise.race([cancelAttempts(workings, open), wait(cancelFor)])
}

async function openAttempts({ store }: Workings, shopId: string): Promise<Attempt[]> {
  const found = await store.payments({ shopId, status: 'pending', limit: most })
  return found.flatMap(({ attempts }) => attempts.filter((attempt) => !isEnded(attempt)))
}

export const underWay = (what: string): PurveyorError =>
  new PurveyorError(
    'PAYMENT_UNDER_WAY',
    `${what} in progress or an owed webhook, and nothing was erased. Wait until it has ended, or force it.`,
  )
