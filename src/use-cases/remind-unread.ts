import type { Provider } from './provider.ts'

const atOnce = 100

/**
 * Delivers a webhook again that the shop accepted without reading the status for 15 minutes: what accepted it may have lost it. On a
 * slow schedule, for a week.
 */
export async function remindUnread(provider: Provider): Promise<void> {
  const { store, world } = provider
  for (;;) {
    const { reminded, more } = await store.remindUnread({ now: world.now(), limit: atOnce })
    for (const { shopId, orderId } of reminded) {
      world.observer.reminded()
      world.log.warn(
        { shop: shopId, order: orderId },
        'the shop accepted the webhook and has not read the status: delivered again',
      )
    }
    if (reminded.length > 0) provider.wake()
    if (!more) return
  }
}
