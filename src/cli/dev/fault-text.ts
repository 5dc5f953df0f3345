import type { ProviderFault } from '../provider-fault.ts'

/** The text of the terminal for a provider that does not run, without a line break at its end. */
export function faultText({ message, code, stack }: ProviderFault): string {
  // An error without a code is the provider's own: its frames lead to it.
  const text = code === undefined && stack !== undefined ? stack : message
  return `The provider is not running: ${text}`
}
