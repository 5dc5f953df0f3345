import { faultText, sourceFault } from '../../observability/source-faults/source-fault.ts'
import type { ProviderFault } from '../../sandbox/index.ts'

export type { ProviderFault } from '../../sandbox/index.ts'

/** A fault as the process of a provider sends it to the process that started it. `exitCode` is that of a command with this error. */
export type SentFault = ProviderFault & { exitCode?: number }

/** A provider did not start, or its process ended. Ends a command as the error itself would. */
export class ProviderFailed extends Error {
  override readonly name = 'ProviderFailed'
  readonly fault: ProviderFault
  readonly exitCode: number | undefined
  readonly code: string | undefined

  constructor({ exitCode, ...fault }: SentFault) {
    super(faultText(fault))
    this.fault = fault
    this.exitCode = exitCode
    this.code = fault.code
    if (fault.stack !== undefined) this.stack = fault.stack
  }
}

export function faultOf(error: unknown): SentFault {
  const { code, exitCode, stack }: { code?: unknown; exitCode?: number; stack?: unknown } =
    error instanceof Error ? error : {}
  return {
    ...sourceFault(error),
    ...(typeof code === 'string' && { code }),
    ...(exitCode !== undefined && { exitCode }),
    ...(typeof stack === 'string' && { stack }),
  }
}

export const unknownFault = (message: string, exitCode: number): SentFault => {
  return { message, lines: [], frames: [], exitCode }
}

/** The text of the terminal for a provider that does not run, without a line break at its end. */
export function notRunning(fault: ProviderFault): string {
  const { code, stack, lines } = fault
  // An error in none of the provider's files may be ours: all its frames lead to it.
  const isOurs = lines.length === 0 && code === undefined && stack !== undefined
  return `The provider is not running: ${isOurs ? stack : faultText(fault)}`
}
