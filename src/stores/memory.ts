import type { Store } from '../store.ts'
import { sqliteStore } from './sqlite.ts'

/** Keeps everything in this process and nothing on disk. For tests: it is the SQLite store without its file. */
export const memoryStore = (): Store => sqliteStore({ file: ':memory:' })
