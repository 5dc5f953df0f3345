import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { postgresStore } from '../../src/stores/postgres.ts'
import { testStore } from '../../src/testing/index.ts'
import { type PostgresServer, startPostgres } from '../postgres.ts'

let server: PostgresServer

beforeAll(async () => {
  server = await startPostgres()
}, 60_000)
afterAll(() => server?.remove())

describe('postgres', () => {
  testStore({ test, open: async () => postgresStore({ url: await server.database() }) })
})

test('it starts', async () => {
  const store = postgresStore({ url: await server.database() })
  await store.open()
  await store.check()
  await store.close()
  expect(store.volatile).toBeUndefined()
})
