import { once } from 'node:events'
import { Agent, get, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { createProvider, html } from '../../src/index.ts'
import { keptLog, listening } from '../listening.ts'
import { lastingStore, production } from '../production-store.ts'
import { serveOrigin } from '../serve-origin.ts'
import { stillClock } from '../still-clock.ts'
import { payment } from './messages.ts'
import { paymentUrl } from './post.ts'

/** A provider whose clock stands still, and the pages of two orders. Pages of an order in `hangs` wait for their adapter. */
async function provide() {
  const clock = stillClock()
  const { lines, logger } = keptLog('debug')
  const hanging = Promise.withResolvers<void>()
  const hangs = new Set<string>()
  const { provider, endpoint, url, port } = await listening({
    clock,
    logger,
    rates: { name: 'a', quote: () => [] },
    payments: {
      name: 'page',
      methods: () => [],
      start: () => ({ page: true }),
      page: {
        async render({ attempt }) {
          if (hangs.has(attempt.orderId)) await hanging.promise
          return html`<p>Pay</p>`
        },
        submit: () => ({ status: 'pending' as const }),
      },
    },
  })
  onTestFinished(() => hanging.resolve())
  const pageOf = (id: number) => paymentUrl(endpoint, payment({ id }))
  const pages = [await pageOf(1), await pageOf(2)] as const
  return { provider, url, port, clock, lines, hangs, pages }
}

test('a page is opened 60 times in one go and 20 times a second, then answered 429 with a page', async () => {
  const { provider, clock, pages } = await provide()
  const [page, other] = pages
  /** How many of so many visits at once are answered with the page. */
  const opened = async (visits: number) => {
    const answers = await Promise.all(Array.from({ length: visits }, () => fetch(page)))
    const statuses = answers.map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([200, 429]))
    return statuses.filter((status) => status === 200).length
  }
  expect(await opened(90)).toBe(60)
  const answer = await fetch(page, { headers: { 'accept-language': 'nl' } })
  expect(answer.status).toBe(429)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': expect.stringContaining("style-src 'sha256-"),
    'referrer-policy': 'same-origin',
    'retry-after': '1',
    'x-frame-options': 'SAMEORIGIN',
  })
  expect(await answer.text()).toContain('<html lang="nl"')
  expect((await fetch(other)).status).toBe(200)
  clock.advance(1_000)
  expect(await opened(40)).toBe(20)
  expect(await provider.metrics()).toContain('purveyor_refused_total{code="TOO_MANY_VISITS"} 51')
})

test('visits that wait for a payment service take no place of others, and 60 of one page wait at most', async () => {
  const { hangs, pages } = await provide()
  const [page, other] = pages
  hangs.add('1')
  const agent = new Agent({ keepAlive: true })
  onTestFinished(() => agent.destroy())
  const statuses: number[] = []
  for (let visit = 0; visit < 70; visit++)
    get(page, { agent }, (res) => statuses.push(res.statusCode ?? 0)).on('error', () => {})
  await expect.poll(() => statuses).toEqual(Array(10).fill(429))
  expect((await fetch(other)).status).toBe(200)
})

test('the access lines of a page are one for each second', async () => {
  const { lines, pages } = await provide()
  const began = performance.now()
  for (let visit = 0; visit < 20; visit++) await (await fetch(pages[0])).text()
  const seconds = Math.ceil((performance.now() - began) / 1_000)
  const visits = () => lines.filter(({ req }) => req?.route === '/p/:token')
  await expect.poll(() => visits().length).toBe(20)
  const written = visits().filter(({ level }) => level === 30)
  expect(written.length).toBeGreaterThan(0)
  expect(written.length).toBeLessThanOrEqual(seconds + 1)
  // Those of another page are its own.
  await (await fetch(pages[1])).text()
  await expect.poll(() => visits().length).toBe(21)
  expect(visits().at(-1)).toMatchObject({ level: 30, order: '2' })
})

test('an answer that no cache stores is never 304', async () => {
  const { url, pages, port } = await provide()
  for (const path of [pages[0], `${url}/health/live`, `${url}/metrics`]) {
    const req = get(path, { port, headers: { 'if-none-match': '*' } })
    const [res] = await once(req, 'response')
    expect([res.statusCode, res.headers['cache-control']], path).toEqual([200, 'no-store'])
    expect(await text(res)).not.toBe('')
  }
})

const paths = ['/health/live', '/p/unknown', '/metrics']

/** A server of the app's own: the router gets a request once `middleware` calls `next`. */
async function mounted(middleware: (req: IncomingMessage, res: ServerResponse, next: () => void) => void) {
  const { lines, logger } = keptLog('error')
  const rates = { name: 'a', quote: () => [] }
  const provider = createProvider({ ...production, logger, store: lastingStore(), rates })
  await provider.start()
  onTestFinished(() => provider.stop())
  const url = await serveOrigin((req, res) => middleware(req, res, () => provider.router(req, res)))
  return { url, lines }
}

test('a caller who leaves before a mounted router sees the request keeps no place', async () => {
  let left = 0
  const { url } = await mounted((req, res, next) => {
    if (req.headers['x-leaves'] === undefined) return next()
    res.once('close', () => {
      next()
      left++
    })
    req.socket.destroy()
  })
  for (const path of paths) {
    for (let caller = 0; caller < 5; caller++)
      get(url + path, { headers: { 'x-leaves': '1' } }).on('error', () => {})
  }
  await expect.poll(() => left).toBe(15)
  const statuses = paths.map(async (path) => (await fetch(url + path)).status)
  expect(await Promise.all(statuses)).toEqual([200, 404, 404])
})

test('a request that the app answers while it waits for a place is left as it is', async () => {
  const { url, lines } = await mounted((_req, res, next) => {
    next()
    res.end('of the app')
  })
  for (const path of paths) expect(await (await fetch(url + path)).text(), path).toBe('of the app')
  expect(lines).toEqual([])
})
