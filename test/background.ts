import { attemptChecks } from '../src/use-cases/payments/check-attempts.ts'
import { PushProcessing } from '../src/use-cases/payments/pushes/process-pushes.ts'
import type { Workings } from '../src/use-cases/workings.ts'

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
