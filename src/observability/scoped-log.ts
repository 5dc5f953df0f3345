import { createRequire } from 'node:module'
import type { Logger, pino } from 'pino'
import { currentIds } from '../tracing.ts'
import type { Log } from '../world.ts'
import type { AdapterFailures } from './adapter-failures.ts'

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
