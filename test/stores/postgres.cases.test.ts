import { afterAll, describe, test } from 'vitest'
import type { StorePort } from '../../src/store-port.ts'
import { postgresStore } from '../../src/stores/postgres.ts'
import { isLong } from '../long.ts'
import { sharedPostgres } from '../postgres.ts'
import { testStore } from './cases/test-store.ts'

const server = await sharedPostgres()

describe('postgres', () => {
  /** Its connections are opened once in the short form: that takes longer than most cases. */
  let kept: Promise<StorePort> | undefined
  afterAll(async () => (await kept)?.close())
  const keptOpen = async (url: string): Promise<StorePort> => {
    const store = postgresStore({ url })
    await store.open()
    return store
  }
  testStore({
    test,
    async open() {
      const url = await server.emptied()
      if (isLong) return postgresStore({ url })
      kept ??= keptOpen(url)
      return { ...(await kept), open: async () => {}, close: async () => {} }
    },
  })
})
