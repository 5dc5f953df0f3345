import { DeadlinePassed } from '../adapters/call-adapter.ts'
import { hasOwnWords, kindOf } from '../errors/errors.ts'
import { type SourceFault, sourceFault } from './source-faults/source-fault.ts'

/**
 * An error for a production log: its name, its code and its place in the code. Only our own errors keep their message; others may repeat
 * what a customer typed. Never throws, whatever was thrown.
 */
export function loggableError(error: unknown): object {
  try {
    return readError(error, 0)
  } catch {
    return { type: 'Error' }
  }
}

function readError(error: unknown, depth: number): object {
  if (!(error instanceof Error)) return { type: kindOf(error) }
  const { code, syscall, errcode, errstr, cause } = error as Error & Record<string, unknown>
  return {
    type: kindOf(error),
    code: typeof code === 'string' && /^[A-Z0-9_]{1,64}$/.test(code) ? code : undefined,
    syscall: typeof syscall === 'string' && /^[a-z]{1,20}$/i.test(syscall) ? syscall : undefined,
    // SQLite's own code with its fixed words: "13" and "database or disk is full".
    errcode: Number.isSafeInteger(errcode) ? errcode : undefined,
    errstr: typeof errstr === 'string' && /^[a-z ,'-]{1,60}$/i.test(errstr) ? errstr : undefined,
    message: hasOwnWords(error) || error instanceof DeadlinePassed ? error.message : undefined,
    stack: framesOf(error),
    cause: cause === undefined || depth > 3 ? undefined : readError(cause, depth + 1),
  }
}

const frame = /^ {4}at (?:[\w.$<>#[\] ]{1,120} \()?(?:file:\/\/|node:|\/)[^\s()]+:\d+:\d+\)?$/

/** The stack lines after the message, which may contain similar lines. */
function framesOf({ stack, message }: Error): string[] {
  if (typeof stack !== 'string') return []
  const said = stack.indexOf(String(message))
  const places = said < 0 ? stack : stack.slice(said + String(message).length)
  const frames = places.split('\n').filter((line) => frame.test(line))
  return frames.slice(0, 10).map((line) => line.trim())
}

/**
 * An error for the log of a developer: its message, the lines of their files, and the calls in their own code. An error that never was in
 * their code keeps its whole stack. Nothing else of it is listed: an error of a deadline, such as that of `AbortSignal.timeout`, carries 25
 * constants. Never throws, whatever was thrown.
 */
export function developmentError(error: unknown): object {
  const fault = sourceFault(error)
  try {
    return readFault(error, fault)
  } catch {
    return { type: 'Error', ...fault }
  }
}

function readFault(error: unknown, { message, lines, frames, remedy }: SourceFault): object {
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
