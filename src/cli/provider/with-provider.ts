import { stderrLogger } from '../../observability/scoped-log.ts'
import { PlatformError } from '../../platform/errors.ts'
import { printable } from '../../printable.ts'
import { logTo } from '../../provider/inspection.ts'
import type { Provider } from '../../provider/provider.ts'
import { loadEnvFile } from '../env-file.ts'
import { processLog } from '../serve/process-log.ts'
import { withProgress } from '../terminal/progress.ts'
import { EnvironmentProblem } from '../usage.ts'
import { findProviderFile, loadProvider } from './file.ts'

export interface ProviderOption {
  provider?: string
  json?: boolean
}

interface Logging {
  /** Prints no log line of the provider, whatever `PURVEYOR_LOG_LEVEL` says: for a command that reports what they would say. */
  silent?: boolean
}

/**
 * Loads the provider of this folder, also beside a running one. Standard output is for the report of the command: what the provider logs
 * goes to standard error, by default from `warn` on, and so does what its code prints.
 */
export async function providerOf(
  named: string | undefined,
  { silent = false }: Logging = {},
): Promise<Provider> {
  const file = findProviderFile(named)
  loadEnvFile()
  Object.assign(console, { log: console.error, info: console.error, debug: console.error })
  const provider = await loadProvider(file)
  logTo(provider, () => (silent ? stderrLogger('silent') : processLog('warn')))
  return provider
}

/** Lends the provider of this folder to one command. */
export async function withProvider<T>(
  { provider: named, silent = false }: ProviderOption & Logging,
  use: (provider: Provider) => Promise<T>,
): Promise<T> {
  const provider = await providerOf(named, { silent })
  try {
    return await withProgress('Working', () => use(provider))
  } catch (error) {
    if (error instanceof PlatformError) throw new EnvironmentProblem(printable(error.message), error.code)
    throw error
  } finally {
    await provider.stop()
  }
}
