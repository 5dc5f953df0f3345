import { existsSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ProviderFault } from '../sandbox/index.ts'

export type { ProviderFault } from '../sandbox/index.ts'

/** A fault as the process of a provider sends it to the process that started it. `exitCode` is that of a command with this error. */
export type SentFault = ProviderFault & { exitCode?: number }

/** A provider did not start, or its process ended. Ends a command as the error itself would. */
export class ProviderFailed extends Error {
  override readonly name = 'ProviderFailed'
  readonly fault: ProviderFault
  readonly exitCode: number | undefined
  readonly code: string | undefined

  constructor({ exitCode, ...fault }: SentFault) {
    super(fault.message)
    this.fault = fault
    this.exitCode = exitCode
    this.code = fault.code
    if (fault.stack !== undefined) this.stack = fault.stack
  }
}

/** What another process can be sent of an error. */
export function faultOf(error: unknown): SentFault {
  if (!(error instanceof Error)) return { message: `The provider threw ${String(error)}, which is no Error.` }
  const { message, stack, code, exitCode } = error as Error & { code?: unknown; exitCode?: number }
  return {
    message,
    ...(typeof code === 'string' && { code }),
    ...(exitCode !== undefined && { exitCode }),
    ...(stack !== undefined && { stack }),
    ...placeOf(error),
  }
}

type Place = Pick<ProviderFault, 'file' | 'line' | 'column'>

/** Where the user's own code failed: the place that the error names, otherwise the first frame outside of packages. */
function placeOf(error: Error & Place): Place {
  if (error.file !== undefined) {
    const { file, line, column } = error
    return { file, ...(line !== undefined && { line }), ...(column !== undefined && { column }) }
  }
  for (const frame of (error.stack ?? '').split('\n')) {
    const [, named = '', line, column] =
      /^\s+at .*?\(?((?:file:\/\/)?[^\s()]+):(\d+):(\d+)\)?$/.exec(frame) ?? []
    const file = named.startsWith('file:') ? fileURLToPath(named.replace(/\?.*$/, '')) : named
    if (isAbsolute(file) && !isForeign(file) && existsSync(file))
      return { file, line: Number(line), column: Number(column) }
  }
  return {}
}

const own = fileURLToPath(new URL('..', import.meta.url))

const isForeign = (file: string): boolean => file.startsWith(own) || /[\\/]node_modules[\\/]/.test(file)
