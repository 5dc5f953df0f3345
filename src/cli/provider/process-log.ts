import type { Logger } from 'pino'
import { stderrLogger } from '../../observability/scoped-log.ts'
import { logLevels } from '../../provider/configuration.ts'

/**
 * Lines of the processes themselves, in the form that a provider's own lines have: JSON on standard error, at `PURVEYOR_LOG_LEVEL`, by
 * default `info` in production and `warn` in development.
 */
export function processLog(usual = process.env.NODE_ENV === 'production' ? 'info' : 'warn'): Logger {
  const { PURVEYOR_LOG_LEVEL: level = '' } = process.env
  // The provider refuses an invalid level, with a remedy.
  return stderrLogger(logLevels.find((known) => known === level) ?? usual)
}
