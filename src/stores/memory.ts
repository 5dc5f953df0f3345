import type { StorePort } from '../store-port.ts'
import { sqliteStore } from './sqlite.ts'

/** The SQLite store without its file. */
export const memoryStore = (): StorePort => sqliteStore({ file: ':memory:' })
