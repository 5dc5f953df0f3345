import { readdirSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { createProvider, html } from 'purveyor'
import { beforeAll, describe, expect, test } from 'vitest'
import { explanations } from '../../src/cli/explain/explain.ts'
import { problems } from '../../src/contract/index.ts'
import { refusals } from '../../src/errors/refusals.ts'
import { refusalOf } from '../../src/http/server.ts'
import { checkout, payment, shopUrls } from '../http/messages.ts'
import { repository } from '../journey/project.ts'
import { lastingStore } from '../production-store.ts'

const finer = { ...checkout, quote: { ...checkout.quote, price_incl: 41.285 } }
const swapped = { id: 'swapped', title: 'Swapped', price_incl: 5, price_excl: 6.05, tax_rate: 0.21 }

const refused = [
  ...Object.keys(refusals),
  ...Object.entries(problems).flatMap(([code, { status }]) => (status < 500 ? [code] : [])),
]

describe('every refusal', () => {
  const src = join(repository, 'src')
  const source = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && file !== 'refusals.ts' && file !== 'contract/problems.ts')
    .map((file) => readFileSync(join(src, file), 'utf8'))
    .join('\n')

  test.each(refused)('%s is in use, and has a page with place, reason and remedy', (code) => {
    expect(source).toContain(`'${code}'`)
    const page = explanations().find((one) => one.code === code)
    expect(page).toMatchObject({
      where: expect.stringMatching(/^.{8,}/),
      why: expect.stringMatching(/^.{10,}\.$/),
      remedy: expect.stringMatching(/^.{10,}\.$/),
    })
  })

  test('the documentation names the number that counts them', () => {
    expect(readFileSync(join(repository, 'docs/metrics.md'), 'utf8')).toContain(
      '| `purveyor_refused_total{code}` ',
    )
  })
})

describe('what a running provider refuses is counted under its code', () => {
  const tried = new Set<string>()
  /** The newest one, of shop one. */
  let attemptId = ''
  let port = 0
  let metrics: () => Promise<string>
  const paths = { shop: '', other: '', push: '', shared: '', page: '' }

  const numberOf = async (code: string) =>
    Number(new RegExp(`purveyor_refused_total\\{code="${code}"\\} (\\d+)`).exec(await metrics())?.[1] ?? 0)

  const paying = (id = 1001) => ({ ...payment({ id }), ...shopUrls })

  interface Sent {
    method?: string
    headers?: Record<string, string>
    body?: unknown
  }
  const send = (path: string, { method = 'POST', headers = {}, body }: Sent = {}) =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      const sent = typeof body === 'string' ? body : JSON.stringify(body)
      const json = { 'content-type': 'application/json', ...headers }
      const out = request({ port, host: '127.0.0.1', path, method, headers: json }, (res) => {
        text(res).then((body) => resolve({ status: res.statusCode ?? 0, text: body }), reject)
      })
      out.on('error', reject)
      out.end(sent)
    })

  const post = (path: string, body: unknown) => send(path, { body })
  const get = (path: string) => send(path, { method: 'GET' })

  /** The first line of the answer to these bytes. */
  const sendBytes = async (bytes: string) => {
    const socket = connect(port, '127.0.0.1').end(bytes)
    return { status: Number((await text(socket)).split(' ')[1]) }
  }

  beforeAll(async () => {
    const provider = createProvider({
      store: lastingStore(),
      port: 0,
      publicUrl: 'https://provider.example',
      secret: 'kJ2s-9dXq.41mZ_pw7Rt3uYbV8c0aLfe',
      logger: pino({ level: 'silent' }),
      rates: { name: 'carrier', quote: () => [{ id: 'free', title: 'No price' } as never, swapped] },
      payments: {
        name: 'psp',
        methods: () => [swapped],
        start(attempt) {
          attemptId = attempt.id
          return { page: true }
        },
        page: { render: () => html`Pay`, submit: () => ({ status: 'pending' }) },
        push: {
          verify: ({ headers }) => headers.signature === 'right',
          read: ({ body }) => JSON.parse(body.toString()),
          owner: ({ body }) => JSON.parse(body.toString()),
        },
      },
      http: { limits: { burst: 60, perSecond: 0.001 }, metricsToken: 'nM3-vq8Zr.27kTy_xw5Lb1uHdE9c6oAsg' },
    })
    port = (await provider.listen({ host: '127.0.0.1' })).port
    metrics = () => provider.metrics()
    const added = async (id: string) => new URL((await provider.shops.add(id)).endpoint).pathname
    paths.shop = await added('one')
    paths.other = await added('two')
    const { pushAddresses } = await provider.shops.show('two', { reveal: true })
    paths.push = new URL(pushAddresses![0]!.url).pathname
    paths.shared = new URL(pushAddresses!.find(({ ofAllShops }) => ofAllShops)!.url).pathname
    const started = await post(`${paths.shop}/payment`, paying())
    paths.page = new URL((JSON.parse(started.text) as { payment_url: string }).payment_url).pathname
    return () => provider.stop()
  })

  test.each<[code: string, status: number, how: () => Promise<{ status: number }>]>([
    [
      'REQUEST_UNREADABLE',
      400,
      () =>
        sendBytes('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n'),
    ],
    [
      'REQUEST_UNREADABLE',
      431,
      () => sendBytes(`GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`),
    ],
    ['CONNECT_REFUSED', 405, () => sendBytes('CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n')],
    ['NOT_FOUND', 404, () => send('/e/unknown/payment_methods')],
    ['METHOD_NOT_ALLOWED', 405, () => get(`${paths.shop}/payment_methods`)],
    ['BODY_UNREADABLE', 400, () => post(`${paths.shop}/payment_methods`, '{')],
    ['BODY_INVALID', 422, () => post(`${paths.shop}/payment`, {})],
    ['BODY_TOO_LARGE', 413, () => post(`${paths.shop}/payment`, `"${'x'.repeat(1024 * 1024)}"`)],
    [
      'MEDIA_TYPE_UNSUPPORTED',
      415,
      () => send(`${paths.shop}/payment`, { headers: { 'content-type': 'text/html' }, body: '{}' }),
    ],
    [
      'HOST_NOT_ALLOWED',
      422,
      () => post(`${paths.shop}/payment`, { ...paying(5), webhook_url: 'https://127.0.0.1/hook' }),
    ],
    [
      'SHOP_ID_INVALID',
      404,
      () => send(`${paths.shop}/shipment_methods`, { headers: { 'x-shop-id': 'EVIL' }, body: checkout }),
    ],
    [
      'OTHER_SHOP',
      404,
      async () => {
        await send(`${paths.other}/shipment_methods`, { headers: { 'x-shop-id': '7' }, body: checkout })
        const body = { ...checkout, shop: { ...checkout.shop, id: 8 } }
        return send(`${paths.other}/shipment_methods`, { headers: { 'x-shop-id': '8' }, body })
      },
    ],
    [
      'OTHER_HOST',
      201,
      () => post(`${paths.shop}/payment`, { ...paying(), redirect_url: 'https://elsewhere.example/back' }),
    ],
    ['METHOD_LEFT_OUT', 201, () => post(`${paths.shop}/shipment_methods`, checkout)],
    ['PRICES_DISAGREE', 201, () => post(`${paths.shop}/shipment_methods`, checkout)],
    ['PRICES_DISAGREE', 201, () => post(`${paths.shop}/payment_methods`, checkout)],
    ['AMOUNT_ROUNDED', 201, () => post(`${paths.shop}/payment_methods`, finer)],
    ['PUSH_NOT_VERIFIED', 401, () => post(paths.push, {})],
    ['PUSH_WITHOUT_SHOP', 404, () => post(paths.shared, { shop: 'gone' })],
    [
      'PUSH_OTHER_SHOP',
      204,
      async () => {
        // The payment is shop one's; the address is shop two's.
        const body = { attemptId, report: { status: 'paid', amount: '1', currency: 'eur' } }
        const answer = await send(paths.push, { headers: { signature: 'right' }, body })
        await expect.poll(() => numberOf('PUSH_OTHER_SHOP')).toBe(1)
        return answer
      },
    ],
    [
      'PAGE_FORM_FOREIGN',
      403,
      () =>
        send(paths.page, {
          headers: { origin: 'https://evil.example', 'content-type': 'application/x-www-form-urlencoded' },
          body: 'outcome=paid',
        }),
    ],
    ['MEDIA_TYPE_UNSUPPORTED', 415, () => post(paths.page, { outcome: 'paid' })],
    ['METRICS_REFUSED', 404, () => get('/metrics')],
    [
      'TOO_MANY_REQUESTS',
      429,
      async () => {
        for (let call = 0; call < 60; call++) await get(`${paths.other}/payment_methods`)
        return get(`${paths.other}/payment_methods`)
      },
    ],
  ])('%s, answered %i', async (code, status, how) => {
    tried.add(code)
    const before = await numberOf(code)
    expect((await how()).status).toBe(status)
    await expect.poll(() => numberOf(code)).toBeGreaterThan(before)
  })

  test('a slow request is one code, and a peer that goes away is none', () => {
    expect(refusalOf({ code: 'ERR_HTTP_REQUEST_TIMEOUT' } as never)).toBe('REQUEST_TOO_SLOW')
    for (const code of ['ECONNRESET', 'EPIPE', 'HPE_INVALID_EOF_STATE', undefined])
      expect(refusalOf({ code } as never)).toBeUndefined()
    tried.add('REQUEST_TOO_SLOW')
  })

  test('every code is tried here, or by the test of its part', () => {
    const folder = join(repository, 'test')
    const elsewhere = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.includes('refusal-codes'))
      .map((file) => readFileSync(join(folder, file), 'utf8'))
      .join('\n')
    expect(refused.filter((code) => !tried.has(code) && !elsewhere.includes(code))).toEqual([])
  })
})
