import { PurveyorError } from '../errors/errors.ts'
import type { Parts } from '../parts.ts'
import { unknownShop } from '../shops/shop-view.ts'
import type { PaymentFilter, PrunePayments, StorePort } from '../store-port.ts'
import { cancelAttempts, type Learning } from './learn-payment.ts'
import { isOver } from './ledger/levels.ts'
import type { Attempt } from './ledger/payment.ts'
import { hasReceived, isEnded } from './ledger/status.ts'
import { type AttemptView, attemptViewOf } from './payment-views.ts'

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
/** So many payments are read at once. */
const page = 1_000

/** With `force` the shop serves no more from here on, and what is under way is cancelled while the adapters still have their settings. */
export async function removeShop(workings: Learning, shop: string, by: string, force: boolean) {
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

async function cancelAll(workings: Learning, shopId: string): Promise<void> {
  const { world, payments } = workings
  const { deadlines } = payments
  const isStarting = ({ started, openedAt }: Attempt) => !started && world.now() < openedAt + deadlines.start
  let open = await openAttempts(workings, shopId, false)
  if (open.some(isStarting)) {
    // A start can be cancelled once its payment service has answered.
    await new Promise<void>((resolve) => world.after(deadlines.start, resolve))
    open = await openAttempts(workings, shopId, false)
  }
  await cancelAttempts(workings, open, 'cancel', world.now() + cancelFor)
}

/** The attempts for which money may still come, also beside a paid order. Without `settling`: none that pays its order or has received money. */
async function openAttempts({ store }: Parts<'store'>, shopId: string, settling = true): Promise<Attempt[]> {
  const open: Attempt[] = []
  let after: PaymentFilter['after']
  do {
    const payments = await store.payments({ shopId, after, limit: page })
    for (const payment of payments) {
      const goesOn = payment.attempts.filter((one) => !isEnded(one) && !isOver(payment, one))
      open.push(...goesOn.filter((one) => settling || (one.id !== payment.paidBy && !hasReceived(one))))
    }
    after = payments.at(-1)
  } while (after)
  return open
}

export const underWay = (what: string): PurveyorError =>
  new PurveyorError(
    'PAYMENT_UNDER_WAY',
    `${what} in progress or an owed webhook, and nothing was erased. Wait until it has ended, or force it.`,
  )

const atOnce = 200

/** Erases payments that ended before the given time, a few per commit, so that other commands do not wait. Resolves with their number. */
export async function pruneAll(
  store: StorePort,
  before: number,
  { dryRun = false, byHand }: Partial<Pick<PrunePayments, 'dryRun' | 'byHand'>> = {},
): Promise<number> {
  if (dryRun) return store.prunePayments({ before, limit: 0, dryRun })
  let pruned = 0
  for (;;) {
    const some = await store.prunePayments({ before, limit: atOnce, dryRun, byHand })
    pruned += some
    if (some < atOnce) return pruned
  }
}

/** Deletes entries of the audit trail from before the given time, a few per commit. */
export async function pruneAuditTrail(store: StorePort, before: number): Promise<void> {
  while ((await store.pruneAuditTrail({ before, limit: atOnce })) === atOnce);
}
