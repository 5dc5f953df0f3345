import { expect, test } from 'vitest'
import { Db } from '../../../src/store/columns.ts'
import { sqlCommands } from '../../../src/store-commands.ts'

const commands = sqlCommands(new Db('sqlite'))
const shop = { id: 'bikes', hosts_confirmed: 1, settings_version: 1, expires_at: null }

test.each([
  ['shop', () => commands.shop('bikes')],
  ['shopByEndpoint', () => commands.shopByEndpoint('hash', 1)],
  ['shopByPushToken', () => commands.shopByPushToken('psp', 'hash')],
])('%s asks for its hosts in the same flight', (_name, look) => {
  const found = (...rows: object[][]) => {
    const command = look()
    expect((command.next().value as { steps: unknown[] }).steps).toHaveLength(2)
    return command.next(rows)
  }
  const hosts = { names: ['bikes.example'], confirmed: true }
  expect(found([shop], [{ shop_id: 'bikes', host: 'bikes.example' }])).toMatchObject({
    ...{ done: true, value: { id: 'bikes', hosts } },
  })
  expect(found([], [])).toEqual({ done: true, value: undefined })
})
