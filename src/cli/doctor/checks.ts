import { paymentServiceChecks, webhookChecks } from './calls.ts'
import type { Checks } from './check.ts'
import { machineChecks, secretChecks } from './machine.ts'
import { nameServerChecks } from './name-servers.ts'
import { networkChecks } from './network.ts'
import { onCallChecks } from './on-call.ts'
import { shopChecks } from './shop.ts'

/** All checks of `doctor`, in the order in which they run. */
export const doctorChecks: Checks = {
  ...machineChecks,
  ...secretChecks,
  ...networkChecks,
  ...nameServerChecks,
  ...shopChecks,
  ...onCallChecks,
  ...webhookChecks,
  ...paymentServiceChecks,
}
