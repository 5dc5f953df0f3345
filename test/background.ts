import type { Workings } from '../src/parts.ts'
import { attemptChecks } from '../src/payments/check-attempts.ts'
import { PushProcessing } from '../src/payments/pushes/process-pushes.ts'
import { WebhookDelivery } from '../src/webhooks/deliver-webhooks.ts'

/** Checks every attempt that is due now, and resolves when all are over. */
export async function checkAttempts(workings: Workings): Promise<void> {
  const checks = attemptChecks(workings)
  await checks.wake()
  await checks.idle()
}

/** Processes every push that is due now, and resolves when all are over. */
export async function processPushes(workings: Workings): Promise<void> {
  const processing = new PushProcessing(workings)
  await processing.processDue()
  await processing.idle()
}

/** Delivers every webhook that is due now, by so many deliverers side by side, and resolves when all calls are over. */
export async function deliverWebhooks(workings: Workings, deliverers = 1): Promise<void> {
  const all = Array.from({ length: deliverers }, () => new WebhookDelivery(workings))
  await Promise.all(all.map((one) => one.pool.wake()))
  await Promise.all(all.map((one) => one.pool.idle()))
}
