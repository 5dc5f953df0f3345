import { faultText } from '../../observability/source-faults/source-fault.ts'
import type { ProviderFault } from '../provider/fault.ts'

/** The text of the terminal for a provider that does not run, without a line break at its end. */
export function notRunning(fault: ProviderFault): string {
  const { code, stack, lines } = fault
  // An error in none of the provider's files may be ours: all its frames lead to it.
  const isOurs = lines.length === 0 && code === undefined && stack !== undefined
  return `The provider is not running: ${isOurs ? stack : faultText(fault)}`
}
