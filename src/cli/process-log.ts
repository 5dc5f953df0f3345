import { type Logger, pino } from 'pino'

/**
 * Lines of the processes themselves, in the form that a provider's own lines have: JSON on standard error, at `PURVEYOR_LOG_LEVEL`, which
 * is `info` in production and `warn` in development.
 */
export function processLog(env: NodeJS.ProcessEnv = process.env): Logger {
  const { PURVEYOR_LOG_LEVEL: level = '', NODE_ENV } = env
  const usual = NODE_ENV === 'production' ? 'info' : 'warn'
  // The provider refuses an invalid level, with a remedy.
  const known = level === 'silent' || level in pino.levels.values
  return pino({ level: known ? level : usual }, pino.destination({ dest: 2, sync: true }))
}
