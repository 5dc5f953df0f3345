import type { OwedWebhook } from '../../src/store-port.ts'

/** A webhook that is owed about an order, to a receiver and in a lane of its own. */
export const owedWebhook = (orderId: string, owner = 'a'): OwedWebhook => ({
  ...{
    shopId: 'default',
    orderId,
    owner,
    webhookUrl: `https://hangs${orderId}.example/`,
    version: 1,
    tries: 0,
  },
  ...{ lane: `default hangs${orderId}.example`, owedSince: 0, takenOver: false, probe: false, full: false },
})
