import { onTestFinished } from 'vitest'
import type { StorePort } from '../../src/store-port.ts'

/** Opens a store until the end of the test. */
export async function opened<S extends Pick<StorePort, 'open' | 'close'>>(store: S): Promise<S> {
  await store.open()
  onTestFinished(() => store.close())
  return store
}
