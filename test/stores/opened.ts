import type { Client } from 'pg'
import { onTestFinished } from 'vitest'
import type { StorePort } from '../../src/store-port.ts'
import { connectTo } from '../postgres.ts'

/** Opens a store until the end of the test. */
export async function opened<S extends Pick<StorePort, 'open' | 'close'>>(
  store: S,
  ...options: Parameters<StorePort['open']>
): Promise<S> {
  await store.open(...options)
  onTestFinished(() => store.close())
  return store
}

/** Another client of a PostgreSQL server, until the end of the test. */
export async function clientOf(url: string, name?: string): Promise<Client> {
  const client = await connectTo(url, name)
  onTestFinished(() => client.end())
  return client
}
