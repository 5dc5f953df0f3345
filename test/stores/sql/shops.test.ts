import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { expect, test } from 'vitest'
import { sqlCommands } from '../../../src/stores/sql/commands.ts'
import type { Tables } from '../../../src/stores/sql/tables/schema.ts'

const db = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (one) => new SqliteIntrospector(one),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
})
const commands = sqlCommands(db)
const shop = { id: 'bikes', hosts_confirmed: 1, settings_version: 1, expires_at: null }

test.each([
  ['shop', () => commands.shop('bikes')],
  ['shopByEndpoint', () => commands.shopByEndpoint('hash', 1)],
  ['shopByPushToken', () => commands.shopByPushToken('psp', 'hash')],
])('%s asks for its hosts in the same flight', (_name, look) => {
  for (const rows of [
    [[shop], [{ shop_id: 'bikes', host: 'bikes.example' }]],
    [[], []],
  ]) {
    const command = look()
    const { value: wait } = command.next()
    expect((wait as { steps: unknown[] }).steps).toHaveLength(2)
    const { value, done } = command.next(rows)
    expect(done).toBe(true)
    if (rows[0]!.length === 0) expect(value).toBeUndefined()
    else expect(value).toMatchObject({ id: 'bikes', hosts: { names: ['bikes.example'], confirmed: true } })
  }
})
