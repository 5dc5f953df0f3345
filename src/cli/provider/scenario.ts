import type { ScenarioProvider } from '../../sandbox/index.ts'
import { ProviderProcess } from './process.ts'

/** Starts the provider once more, with an empty store in memory, at a free port and under a clock of its own. `settings`: of its shop. */
export async function startScenarioProvider(file: string, settings?: unknown): Promise<ScenarioProvider> {
  const env = {
    PORT: '0',
    PURVEYOR_DATABASE_URL: 'sqlite::memory:',
    PURVEYOR_PUBLIC_URL: '',
    PURVEYOR_LOG_LEVEL: process.env.PURVEYOR_LOG_LEVEL ?? 'error',
  }
  const provider = new ProviderProcess(file, { env, settings })
  const { endpoint, services, estimates } = await provider.start()
  return { endpoint, services, estimates, move: (ms) => provider.advance(ms), stop: () => provider.stop() }
}
