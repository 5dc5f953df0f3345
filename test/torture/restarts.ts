import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import { createProvider } from '../../src/index.ts'
import { postgresStore } from '../../src/stores/postgres.ts'
import { payment } from '../http/messages.ts'
import type { PostgresServer } from '../postgres.ts'
import { startProxy } from '../proxy.ts'
import { open, paid, start } from '../stores/cases/store-case.ts'
import { Random } from './random.ts'

export interface RestartsReport {
  payments: number
  stops: number
  /** Calls that were answered 503 meanwhile; each was repeated. */
  unavailable: number
  /** Payments that did not end paid with one attempt, or whose end the shop never heard of. */
  wrong: number
}

const atOnce = 16
/** Payments a second, so that they meet many stops. */
const rate = 25

/** Payments while the server stops and starts: each is started, paid and delivered to the shop once it is back. */
export async function runRestarts(
  payments: number,
  server: PostgresServer,
  seed: number,
  /** From one start to the next stop, in milliseconds. */
  up: readonly [number, number],
): Promise<RestartsReport> {
  const random = new Random(seed)
  const heard = new Set<string>()
  const shop = createServer(async (req, res) => {
    heard.add(String(((await json(req)) as { order_id: number }).order_id))
    res.end()
  }).listen(0, '127.0.0.1')
  await once(shop, 'listening')
  const webhook_url = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/`
  const provider = createProvider({
    development: true,
    logger: pino({ level: 'silent' }),
    payments: {
      name: 'psp',
      methods: () => [],
      idempotency: { ttl: 24 * 3_600_000 },
      start: ({ idempotencyKey }) => ({
        redirect: `https://psp.example/${idempotencyKey}`,
        reference: idempotencyKey,
      }),
    },
    http: { limits: { perSecond: 100_000, burst: 100_000, concurrent: 1_000 } },
    store: await server.database(),
  })
  const { endpoint } = await provider.listen({ port: 0 })
  const report: RestartsReport = { payments, stops: 0, unavailable: 0, wrong: 0 }
  let next = 0
  let over = false

  const call = async (
    path: string,
    body?: object,
  ): Promise<{ status: number; body: Record<string, string> }> => {
    for (;;) {
      const answer = await fetch(`${endpoint}/${path}`, {
        ...(body && {
          method: 'POST',
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json' },
        }),
      })
      const said = (await answer.json()) as Record<string, string>
      if (answer.status !== 503) return { status: answer.status, body: said }
      report.unavailable++
      await delay(100)
    }
  }
  async function pay(id: number): Promise<void> {
    const { status, body } = await call('payment', { ...payment({ id }), webhook_url })
    if (status !== 201 || !body.payment_url) return void report.wrong++
    for (;;) {
      const outcome = await provider.payments
        .report({ orderId: id }, { status: 'paid', amount: '29.34', currency: 'eur' })
        .catch((error: { code?: string }) => error.code)
      if (outcome === 'paid') break
      if (outcome !== 'STORE_UNAVAILABLE') return void report.wrong++
      await delay(100)
    }
  }
  const stopping = (async () => {
    while (!over) {
      await delay(random.between(...up))
      if (over) break
      report.stops++
      await server.stop()
      await delay(random.between(200, 5_000))
      await server.start()
    }
  })()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (next < payments) {
        const id = ++next
        await delay(random.between(0, (2_000 * atOnce) / rate))
        await pay(id)
      }
    }),
  )
  over = true
  await stopping
  const until = Date.now() + 60_000
  while (heard.size < payments && Date.now() < until) await delay(100)
  report.wrong += payments - heard.size
  for (let id = 1; id <= payments; id += Math.ceil(payments / 500)) {
    if ((await call(`payment/${id}`)).body.status !== 'paid') report.wrong++
  }
  await provider.stop()
  shop.close().closeAllConnections()
  return report
}

/** So many commits that are lost on their way, or their answers: each is asked for, and none is done twice or not at all. */
export async function runLostCommits(
  commits: number,
  server: PostgresServer,
): Promise<{ lost: number; repeated: number }> {
  const proxy = await startProxy(server.port)
  const store = postgresStore({ url: proxy.through(await server.database()) })
  await store.open()
  let orders = 0
  while (proxy.lost < commits) {
    const orderId = `${++orders}`
    const what = orders % 2 === 0 ? 'answer' : 'question'
    proxy.loseCommits(1, what)
    const { attempt } = await store.openAttempt(open({ orderId }))
    proxy.loseCommits(1, what)
    await store.learn('default', orderId, attempt.id, [paid], { source: 'report', now: start })
    proxy.loseCommits(1, what)
    const push = { shopId: 'default', adapter: 'psp', key: orderId, sealed: 's' }
    await store.keepPush({ ...push, receivedAt: start }, start)
  }
  const payments = await store.payments({ limit: orders })
  const pushes = await store.pushes({ limit: orders })
  const once = payments.filter(
    ({ attempts, statusVersion, status }) =>
      attempts.length === 1 && statusVersion === 1 && status === 'paid',
  )
  const repeated =
    orders - once.length + pushes.filter(({ times }) => times !== 1).length + orders - pushes.length
  await store.close()
  await proxy.close()
  return { lost: proxy.lost, repeated }
}
