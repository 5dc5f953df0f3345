import { kindOf } from '../errors.ts'
import { type SourceFault, sourceFault } from './source-faults/source-fault.ts'

/**
 * An error for the log of a developer: its message, the lines of their files, and the calls in their own code. An error that never was in
 * their code keeps its whole stack. Nothing else of it is listed: an error of a deadline, such as that of `AbortSignal.timeout`, carries 25
 * constants. Never throws, whatever was thrown.
 */
export function developmentError(error: unknown): object {
  const fault = sourceFault(error)
  try {
    return readError(error, fault)
  } catch {
    return { type: 'Error', ...fault }
  }
}

function readError(error: unknown, { message, lines, frames, remedy }: SourceFault): object {
  const { code, stack } = (error instanceof Error ? error : {}) as { code?: unknown; stack?: unknown }
  const type = kindOf(error)
  const named = message.startsWith(`${type}: `) ? message : `${type}: ${message}`
  const calls = [named, ...frames.map((frame) => `    at ${frame}`)].join('\n')
  return {
    type,
    message,
    ...(typeof code === 'string' && { code }),
    lines,
    ...(remedy !== undefined && { remedy }),
    frames,
    stack: lines.length > 0 || typeof stack !== 'string' || type === 'DOMException' ? calls : stack,
  }
}
