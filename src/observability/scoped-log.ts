import type { Logger } from 'pino'
import { currentIds } from '../tracing.ts'
import type { Log } from '../world.ts'

/** A log whose every line names the request and the trace it belongs to. */
export function scopedLog(logger: Logger): Log {
  const line = (level: 'debug' | 'info' | 'warn' | 'error') => (fields: object, message: string) => {
    if (logger.isLevelEnabled(level)) logger[level]({ ...currentIds(), ...fields }, message)
  }
  return { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') }
}
