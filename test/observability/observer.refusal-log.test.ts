import { gzipSync } from 'node:zlib'
import { checkoutBody } from 'purveyor/testing'
import { expect, test } from 'vitest'
import { postJson } from '../http/post.ts'
import { keptLog, listening } from '../listening.ts'
import { serveOrigin } from '../serve-origin.ts'

test('a refused caller is counted every time and logged once a minute, with code and remedy', async () => {
  const { lines, logger } = keptLog()
  const { provider, endpoint } = await listening({
    rates: { name: 'door', quote: () => [] },
    logger,
    http: { callers: { basic: { user: 'shop', password: 'right' } } },
  })
  for (let call = 0; call < 3; call++) expect((await fetch(`${endpoint}/payment/1`)).status).toBe(404)
  expect(await provider.metrics()).toContain('purveyor_refused_total{code="CALLER_REFUSED"} 3')
  const logged = lines.filter(({ code }) => code === 'CALLER_REFUSED')
  expect(logged).toMatchObject([{ shop: 'default', refused: 'user or password' }])
  expect(logged[0]?.msg).toContain('rotate the endpoint')
})

test('calls and answers that ctx.fetch refuses are counted, and logged with their adapter and shop', async () => {
  const { lines, logger } = keptLog()
  const bomb = await serveOrigin((_req, res) => {
    res.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(9 * 1024 * 1024)))
  })
  const codes: unknown[] = []
  const { provider, endpoint } = await listening({
    logger,
    rates: {
      adapters: {
        name: 'carrier',
        async quote(_request, { fetch }) {
          for (const url of ['https://10.1.2.3/', `${bomb}/`]) {
            const read = async () => (await fetch(url)).text()
            codes.push(await read().catch((error: { code?: string }) => error.code))
          }
          return []
        },
      },
      deadline: 30_000,
    },
  })
  const { status } = await postJson(`${endpoint}/shipment_methods`, checkoutBody())
  expect([status, codes]).toEqual([201, ['OUTGOING_REFUSED', 'ANSWER_TOO_LARGE']])
  const metrics = await provider.metrics()
  for (const code of ['OUTGOING_REFUSED', 'ANSWER_TOO_LARGE']) {
    expect(metrics).toContain(`purveyor_refused_total{code="${code}"} 1`)
    expect(lines.filter((line) => line.code === code)).toMatchObject([{ shop: 'default', caller: 'carrier' }])
  }
})

test('the line of a method that is left out names adapter, place and fault, without its value', async () => {
  const { lines, logger } = keptLog()
  const quote = () => [{ id: 'a', title: 'Secret street 7', price_excl: 'Damrak' }] as never
  const { endpoint } = await listening({ logger, rates: { name: 'door', quote } })
  expect((await postJson(`${endpoint}/shipment_methods`, checkoutBody())).status).toBe(201)
  const [line] = lines.filter(({ code }) => code === 'METHOD_LEFT_OUT')
  const fault = expect.stringContaining('price_excl')
  expect(line).toMatchObject({ level: 40, shop: 'default', adapter: 'door', method: 1, fault })
  expect(JSON.stringify(lines)).not.toMatch(/Damrak|Secret/)
})

test('a payment method that the contract does not allow is left out, counted, and its line names place and fault', async () => {
  const { lines, logger } = keptLog()
  const { provider, endpoint } = await listening({
    logger,
    payments: {
      name: 'hosted',
      methods: () =>
        [
          { id: 'card', title: 'Card' },
          { id: 'gift', title: { nl: ['Secret street 7'] } },
          { title: 'Damrak 1' },
          { id: 'bank', title: 'Bank' },
        ] as never,
      start: () => ({ redirect: 'https://pay.example/' }),
    },
  })
  const answer = await postJson(`${endpoint}/payment_methods`, checkoutBody())
  const { payment_methods: methods } = (await answer.json()) as { payment_methods: { id: string }[] }
  expect([answer.status, methods.map(({ id }) => id)]).toEqual([201, ['hosted:card', 'hosted:bank']])
  expect(await provider.metrics()).toContain('purveyor_refused_total{code="METHOD_LEFT_OUT"} 2')
  const [line, ...others] = lines.filter(({ code }) => code === 'METHOD_LEFT_OUT')
  expect(line).toMatchObject({
    ...{ level: 40, shop: 'default', adapter: 'hosted', method: 2 },
    fault: expect.stringMatching(/^title /),
  })
  // In development each cause has its line, and has it once.
  expect(others).toMatchObject([{ method: 3, fault: 'id is missing' }])
  expect(JSON.stringify(lines)).not.toMatch(/Damrak|Secret/)
})
