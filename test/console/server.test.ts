import { request } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { createProvider } from '../../src/index.ts'
import { inspect } from '../../src/provider/inspection.ts'
import { lastingStore, production } from '../production-store.ts'
import { serveOrigin } from '../serve-origin.ts'

/** The status of the first page for a request with these headers. */
const statusFor = (url: string, headers: Record<string, string>): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    request(url, { headers }, (res) => resolve(res.resume().statusCode))
      .on('error', reject)
      .end()
  })

test('in development a console of its own answers this machine alone, whatever stands before it', async () => {
  const provider = createProvider({
    ...{ development: true, store: lastingStore(), rates: { name: 'door', quote: () => [] } },
    console: {},
  })
  onTestFinished(() => provider.stop())
  const url = await serveOrigin(inspect(provider).console().listener())
  expect(await statusFor(`${url}/console/`, {})).toBe(200)
  for (const headers of [
    { host: 'console.example.com' },
    { 'x-forwarded-for': '9.9.9.9' },
    { forwarded: 'for=9.9.9.9' },
  ]) {
    expect(await statusFor(`${url}/console/`, headers as never)).toBe(403)
    expect(await statusFor(`${url}/console/payments.csv`, headers as never)).toBe(403)
  }
})

test.for([
  ['https://console.example.com', 'https://console.example.com/console'],
  ['https://console.example.com/', 'https://console.example.com/console'],
  ['https://example.com/shops/console/', 'https://example.com/shops/console'],
  [undefined, 'https://checkout.example.com/console'],
])('the console on the server %s', ([url, at]) => {
  const provider = createProvider({
    ...production,
    publicUrl: 'https://checkout.example.com',
    rates: { name: 'door', quote: () => [] },
    console: { ...(url && { url }) },
  })
  expect(inspect(provider).console().url).toBe(at)
})
