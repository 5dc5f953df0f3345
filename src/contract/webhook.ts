import { z } from 'zod'
import { wire } from './values.ts'

/** The body of the call to `webhook_url` (spec 4.3 return flow is silent): the order, and no status, as the platform reads that itself. */
export const webhookBody = z
  .object({ order_id: wire.identifier })
  .meta({ id: 'WebhookBody', description: 'Asks the platform to read the payment of this order again.' })

/** An order id that came as a number goes back as one. */
export function writeWebhookBody(orderId: string): z.output<typeof webhookBody> {
  const number = Number(orderId)
  return {
    order_id: Number.isSafeInteger(number) && number >= 0 && String(number) === orderId ? number : orderId,
  }
}
