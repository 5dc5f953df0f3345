import { createRequire } from 'node:module'
import { LRUCache } from 'lru-cache'
import type { Logger, pino } from 'pino'
import { DeadlinePassed } from '../adapters/call-adapter.ts'
import type { FieldFault } from '../contract/index.ts'
import { hasOwnWords, kindOf } from '../errors/errors.ts'
import { currentIds } from '../tracing.ts'
import type { Log } from '../world.ts'
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

const require = createRequire(import.meta.url)

/** JSON lines on standard error. pino is loaded here: a command that logs nothing ends sooner without its 30 files. */
export function stderrLogger(level: string): Logger {
  const { pino: make } = require('pino') as { pino: typeof pino }
  return make({ level }, make.destination({ dest: 2, sync: true }))
}

/** The logger of a provider, made for its first line. */
export class LogTarget {
  #make: () => Logger
  #made: Logger | undefined

  constructor(make: () => Logger) {
    this.#make = make
  }

  get logger(): Logger {
    this.#made ??= this.#make()
    return this.#made
  }

  /** From now on lines go to another logger. */
  change(make: () => Logger): void {
    this.#make = make
    this.#made = undefined
  }
}

/** A log whose lines name their request and trace. Warnings and errors are kept in `failures` too. */
export function scopedLog(to: LogTarget, failures?: AdapterFailures): Log {
  const line = (level: 'debug' | 'info' | 'warn' | 'error') => (fields: object, message: string) => {
    const { logger } = to
    if (level === 'warn' || level === 'error') failures?.add(currentIds().requestId, fields, message)
    if (logger.isLevelEnabled(level)) logger[level]({ ...currentIds(), ...fields }, message)
  }
  return { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') }
}

/** The error of an adapter, with its place in the developer's code. */
export interface AdapterFailure extends SourceFault {
  /** Its name; not set where the log names none. */
  adapter?: string
  /** The words of the log: `payment start failed`. */
  what: string
}

const kept = { requests: 100, ofOne: 10 }

/** The errors of adapters in the last requests, in development: what the terminal shows of them, the shop's log shows too. */
export class AdapterFailures {
  readonly #byRequest = new LRUCache<string, AdapterFailure[]>({ max: kept.requests })
  /** Reports that looked wrong and came by a page or a push, by order: the next call of the shop about the order shows them. */
  readonly #ofOrders = new LRUCache<string, AdapterFailure[]>({ max: kept.requests })

  /**
   * Keeps the error of a log line, the method of a payment adapter that was left out, or a report that looks wrong. Other lines are
   * ignored.
   */
  add(requestId: string | undefined, fields: object, what: string): void {
    const { err, adapter, shop, order, fault: odd, ...line } = fields as LogLine
    const name = typeof adapter === 'string' ? adapter : undefined
    if (order !== undefined && odd !== undefined && name !== undefined) {
      const failure = { message: odd, lines: [], frames: [], what, adapter: name }
      const key = `${shop} ${order}`
      const ofOrder = this.#ofOrders.get(key) ?? []
      if (ofOrder.length < kept.ofOne) this.#ofOrders.set(key, [...ofOrder, failure])
      return
    }
    if (requestId === undefined) return
    // An adapter may throw anything.
    const isFault = err instanceof Error || (err !== undefined && name !== undefined)
    const fault = isFault ? sourceFault(err) : methodFault(line)
    const known = this.#byRequest.get(requestId) ?? []
    if (!fault || known.length >= kept.ofOne) return
    const failure = { ...fault, what, ...(name !== undefined && { adapter: name }) }
    this.#byRequest.set(requestId, [...known, failure])
  }

  of(requestId: string): readonly AdapterFailure[] {
    return this.#byRequest.get(requestId) ?? []
  }

  /** Gives the reports of an order that looked wrong, since the call before this one, to this call about it. */
  showAt(requestId: string, shop: string, order: string): void {
    const key = `${shop} ${order}`
    const failures = this.#ofOrders.get(key) ?? []
    if (failures.length === 0) return
    this.#ofOrders.delete(key)
    this.#byRequest.set(requestId, [...this.of(requestId), ...failures].slice(0, kept.ofOne))
  }
}

interface LogLine {
  err?: unknown
  adapter?: unknown
  /** Of a report that looks wrong. */
  shop?: string
  order?: string
  fault?: string
  /** The number of a method in the answer, from 1. */
  method?: number
  faults?: readonly FieldFault[]
}

function methodFault({ method, faults }: LogLine): SourceFault | undefined {
  if (method === undefined || !faults) return undefined
  const message = `method ${method}: ${faults.map((one) => `${one.path === '$' ? 'it' : one.path} ${one.message}`).join(', ')}`
  return { message, lines: [], frames: [] }
}
