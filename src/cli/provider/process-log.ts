import type { Logger } from 'pino'
import { stderrLogger } from '../../observability/log.ts'
import { logLevels } from '../../provider/settings.ts'

/** The log of the processes themselves, in the form of a provider's: JSON on standard error, by default from `info` in production, else from `warn`. */
export function processLog(usual = process.env.NODE_ENV === 'production' ? 'info' : 'warn'): Logger {
  const { PURVEYOR_LOG_LEVEL: level = '' } = process.env
  // The provider refuses an invalid level, with a remedy.
  return stderrLogger(logLevels.find((known) => known === level) ?? usual)
}
