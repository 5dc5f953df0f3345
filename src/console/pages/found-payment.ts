import { paymentTimeline } from '../../payments/payment-timeline.ts'
import type { StorePort } from '../../store-port.ts'

/** All that the store has about one payment. `undefined` if there is none. */
export async function findPayment(store: StorePort, shopId: string, orderId: string) {
  const order = { shopId, orderId }
  const [payment, [summary], story, [webhook], deliveries, requests, trail] = await Promise.all([
    store.payment(shopId, orderId),
    store.summariesOf([order]),
    paymentTimeline(store, shopId, orderId),
    store.webhooks({ ...order, limit: 1 }),
    store.deliveries(shopId, orderId),
    store.moneyRequests(shopId, orderId),
    store.auditOfOrder(shopId, orderId),
  ])
  if (!payment || !summary || !story) return undefined
  return { payment, summary, story: { ...story, requests, trail }, webhook: webhook!, deliveries }
}

export type Story = NonNullable<Awaited<ReturnType<typeof findPayment>>>['story']
