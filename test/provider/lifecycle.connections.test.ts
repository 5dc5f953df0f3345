import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createProvider } from '../../src/index.ts'
import { checkoutBody } from '../../src/testing/index.ts'
import { postJson } from '../http/post.ts'
import { listening } from '../listening.ts'
import { openServer } from '../serve-origin.ts'

/** A carrier that would keep an idle connection for ten minutes. */
async function carrier() {
  const { origin, open } = await openServer(
    createServer({ keepAliveTimeout: 600_000 }, (_req, res) => void res.end('[]')),
  )
  return { url: `${origin}/rates`, open }
}

test('a provider that stopped leaves no connection to a carrier open', async () => {
  const { url, open } = await carrier()
  const { provider, endpoint } = await listening({
    rates: {
      name: 'carrier',
      async quote(_shipment, { fetch }) {
        await (await fetch(url)).text()
        return []
      },
    },
  })
  expect((await postJson(`${endpoint}/shipment_methods`, checkoutBody())).status).toBe(201)
  expect(open.size).toBe(1)
  await provider.stop()
  await expect.poll(() => open.size).toBe(0)
})

test('a start that fails leaves no connection open either', async () => {
  const { url, open } = await carrier()
  let prepared = 0
  const provider = createProvider({
    logger: pino({ level: 'silent' }),
    // A folder is no store.
    store: `sqlite:${tmpdir()}`,
    development: true,
    rates: {
      name: 'carrier',
      async prepare({ fetch }) {
        await (await fetch(url)).text()
        prepared = open.size
      },
      quote: () => [],
    },
  })
  await expect(provider.listen({ port: 0 })).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
  expect(prepared).toBe(1)
  await expect.poll(() => open.size).toBe(0)
})
