import type { Workings } from '../workings.ts'

const atOnce = 100

/**
 * Delivers a webhook again if the shop accepted it and did not read the status for 15 minutes: the receiver may have lost it. On a slow
 * schedule, for a week. If the status is not read for 30 days, it is logged and no longer counted.
 */
export async function remindUnread(workings: Workings): Promise<void> {
  const { store, world } = workings
  for (;;) {
    const { reminded, neverRead, more } = await store.remindUnread({ now: world.now(), limit: atOnce })
    for (const { shopId, orderId } of reminded) {
      world.observer.reminded()
      world.log.warn(
        { shop: shopId, order: orderId },
        'the shop accepted the webhook and has not read the status: delivered again',
      )
    }
    for (const { shopId, orderId } of neverRead) {
      world.log.error(
        { code: 'WEBHOOK_NEVER_READ', shop: shopId, order: orderId },
        'the shop accepted the webhook 30 days ago and has never read the status: it is no longer counted',
      )
    }
    if (reminded.length > 0) workings.wake()
    if (!more) return
  }
}
