import { existsSync } from 'node:fs'
import { PlatformError } from '../platform/errors.ts'
import { printable } from '../printable.ts'
import type { Provider } from '../provider/provider.ts'
import { ShopProblem } from '../use-cases/shops/shop-problem.ts'
import { SettingsInvalid } from '../use-cases/shops/shop-settings.ts'
import { findProviderFile, loadProvider } from './provider-file.ts'
import { EnvironmentProblem, UsageError } from './usage.ts'

export interface ProviderOption {
  provider?: string
  json?: boolean
}

/** Loads the provider of this folder for one command, also beside a running one. */
export async function withProvider<T>(
  { provider: named }: ProviderOption,
  use: (provider: Provider) => Promise<T>,
): Promise<T> {
  const file = findProviderFile(named)
  if (!file) throw new UsageError('There is no provider.ts here. Name one with --provider.')
  if (existsSync('.env')) process.loadEnvFile('.env')
  const provider = await loadProvider(file)
  try {
    return await use(provider)
  } catch (error) {
    if (error instanceof ShopProblem || error instanceof SettingsInvalid) throw new UsageError(error.message)
    if (error instanceof PlatformError) throw new EnvironmentProblem(printable(error.message))
    throw error
  } finally {
    await provider.stop()
  }
}
