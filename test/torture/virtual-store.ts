import type { StorePort } from '../../src/store-port.ts'
import { memoryStore } from '../../src/stores/memory.ts'
import { postgresStore } from '../../src/stores/postgres.ts'
import { connectTo } from '../postgres.ts'
import { aroundCommands } from './around-commands.ts'

/** Makes a store with nothing in it, for one run in virtual time. */
export type MakeStore = () => Promise<StorePort>

export const inMemory: MakeStore = async () => {
  const store = memoryStore()
  await store.open()
  return store
}

/** A store on a server, emptied for each run. `close` ends it for good. */
export async function onServer(databaseUrl: string): Promise<{ make: MakeStore; close(): Promise<void> }> {
  const store = postgresStore({ url: databaseUrl })
  await store.open()
  const client = await connectTo(databaseUrl)
  const tables =
    'payments, attempts, facts, webhooks, lanes, deliveries, anomalies, pushes, push_names, changes, money_requests'
  return {
    async make() {
      await client.query(`truncate ${tables}`)
      return { ...store, close: async () => {} }
    },
    async close() {
      await client.end()
      await store.close()
    },
  }
}

/** Knows when commands are under way, so that a clock does not run ahead of them. */
export const counted = (store: StorePort, count: (change: 1 | -1) => unknown): StorePort =>
  aroundCommands(store, (command) => {
    count(1)
    return command().finally(() => count(-1))
  })
