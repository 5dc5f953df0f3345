import { existsSync } from 'node:fs'
import { printable } from '../../printable.ts'
import type { Inspection } from '../../provider/inspection.ts'
import type { Provider } from '../../provider/provider.ts'
import { withProgress } from '../terminal/progress.ts'
import { loadEnvFile } from '../terminal/read-input.ts'
import { EnvironmentProblem } from '../terminal/usage.ts'
import { findProviderFile, loadProvider } from './file.ts'

/**
 * Loads the provider of this folder, also beside a running one. What it logs, by default from `warn` on, and what its code prints go to
 * standard error. `silent` prints no log line, whatever `PURVEYOR_LOG_LEVEL` says: for a command that reports what they would say.
 */
export async function providerOf(named: string | undefined, silent = false): Promise<Provider> {
  const file = findProviderFile(named)
  loadEnvFile()
  Object.assign(console, { log: console.error, info: console.error, debug: console.error })
  const provider = await loadProvider(file)
  const { logTo } = await import('../../provider/inspection.ts')
  const { stderrLogger } = await import('../../observability/log.ts')
  const { processLog } = await import('./process-log.ts')
  logTo(provider, () => (silent ? stderrLogger('silent') : processLog('warn')))
  return provider
}

/** Lends the provider of this folder to one command. `inspection` throws for a copy of a provider. */
export async function withProvider<T>(
  { provider: named, silent }: { provider?: string; silent?: boolean },
  use: (provider: Provider, inspection: () => Inspection) => Promise<T>,
): Promise<T> {
  const provider = await providerOf(named, silent)
  const { inspect } = await import('../../provider/inspection.ts')
  const { PlatformError } = await import('../../platform/errors.ts')
  try {
    return await withProgress('Working', () => use(provider, () => inspect(provider)))
  } catch (error) {
    if (error instanceof PlatformError) throw new EnvironmentProblem(printable(error.message), error.code)
    throw error
  } finally {
    await provider.stop()
  }
}

/** The only shop in the provider's store; `undefined` if there are several, or none, or no store that answers. Creates no database. */
export async function loneShop(inspection: () => Inspection): Promise<string | undefined> {
  try {
    const { databaseUrl } = inspection().describe()
    const [, file] = /^sqlite:(.*)/.exec(databaseUrl) ?? []
    if (file !== undefined && !existsSync(file)) return undefined
    const shops = await (await inspection().openStore()).shops(2)
    return shops.length === 1 ? shops[0]!.id : undefined
  } catch {
    return undefined
  }
}
