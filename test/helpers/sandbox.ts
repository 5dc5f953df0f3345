import { createProvider, type ProviderOptions } from 'purveyor'
import { startSandbox } from 'purveyor/testing'
import { onTestFinished } from 'vitest'
import { memoryStore } from '../../src/stores/memory.ts'
import { keptLog } from '../listening.ts'

/** A shop of the sandbox that pays at these adapters, with the warnings of its provider. It closes with its test. */
export async function shopPaying(payments: ProviderOptions['payments'] | object) {
  const { lines, logger } = keptLog()
  const store = memoryStore()
  const provider = createProvider({ store, logger, payments } as ProviderOptions)
  const shop = await startSandbox(provider)
  onTestFinished(() => shop.close())
  return { shop, provider, store, lines }
}
