import type { StorePort } from '../store-port.ts'
import { sqliteStore } from './sqlite.ts'

export const memoryStore = (): StorePort => sqliteStore({ file: ':memory:' })
