import type { Listening } from '../src/index.ts'
import type { StorePort } from '../src/store-port.ts'
import { memoryStore } from '../src/stores/memory.ts'

/** A store in memory that says of itself that it lasts: production refuses to start with one that does not. */
export const lastingStore = (): StorePort => Object.assign(memoryStore(), { volatile: false })

/** What a provider in production is made with at least. */
export const production = {
  development: false,
  publicUrl: 'https://provider.example',
  secret: 'a secret of tests, 32 characters',
} as const

/** The endpoint of a provider, on this machine instead of its public address. */
export const onThisMachine = ({ endpoint, port }: Pick<Listening, 'endpoint' | 'port'>): string =>
  `http://127.0.0.1:${port}${new URL(endpoint).pathname}`
