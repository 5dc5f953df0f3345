import type { Logger } from 'pino'
import { currentIds } from '../tracing.ts'
import type { Log } from '../world.ts'

/** A log whose lines name their request and trace. */
export function scopedLog(to: { logger: Logger }): Log {
  const line = (level: 'debug' | 'info' | 'warn' | 'error') => (fields: object, message: string) => {
    const { logger } = to
    if (logger.isLevelEnabled(level)) logger[level]({ ...currentIds(), ...fields }, message)
  }
  return { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') }
}
