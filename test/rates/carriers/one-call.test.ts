import { expect, test } from 'vitest'
import { nameUnresolved } from '../../../src/network/names/resolver.ts'
import { callOnce, RemoteRatesError } from '../../../src/rates/carriers/one-call.ts'

const call = {
  ...{ method: 'GET', url: 'https://api.carrier.example', headers: {}, body: undefined, timeout: 1_000 },
  ...{ adapter: 'carrier', other: 'the carrier', place: 'url', urlOfShop: false },
}
const failing = (error: Error) =>
  callOnce(
    { ...call, Unanswered: RemoteRatesError },
    { fetch: () => Promise.reject(error), after: () => () => {} },
  )

test('a carrier whose name is not found was not called, and is not said to be unreachable', async () => {
  await expect(failing(nameUnresolved('NAME_SERVER_FAILED', 'api.carrier.example'))).rejects.toThrow(
    'carrier: the carrier was not called, because its host has no address (NAME_SERVER_FAILED)',
  )
  await expect(failing(new TypeError('fetch failed'))).rejects.toThrow('the carrier could not be reached')
})
