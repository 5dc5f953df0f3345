import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import { listenOn } from '../../src/http/server.ts'
import { createProvider } from '../../src/index.ts'
import { postgresStore } from '../../src/stores/postgres.ts'
import { paid as paidReport } from '../helpers/provider.ts'
import { payment } from '../http/messages.ts'
import { postJson } from '../http/post.ts'
import type { PostgresServer } from '../postgres.ts'
import { startProxy } from '../proxy.ts'
import { open, paid, start } from '../stores/cases/store-case.ts'
import { together } from '../together.ts'
import { Random } from './random.ts'

const atOnce = 16
/** Payments a second, so that they meet many stops. */
const rate = 25

/** From one start to the next stop, in milliseconds: at least and at most. */
type UpTime = readonly [number, number]

/** Payments while the server stops and starts: each is started, paid and delivered to the shop once it is back. */
export async function runRestarts(payments: number, server: PostgresServer, seed: number, up: UpTime) {
  const random = new Random(seed)
  const heard = new Set<string>()
  const shop = createServer(async (req, res) => {
    heard.add(String(((await json(req)) as { order_id: number }).order_id))
    res.end()
  })
  const webhook_url = `http://127.0.0.1:${await listenOn(shop, 0, '127.0.0.1')}/`
  const provider = createProvider({
    development: true,
    logger: pino({ level: 'silent' }),
    payments: {
      name: 'psp',
      methods: () => [],
      idempotency: { ttl: 24 * 3_600_000 },
      start: ({ idempotencyKey: key }) => ({ redirect: `https://psp.example/${key}`, reference: key }),
    },
    http: { limits: { perSecond: 100_000, burst: 100_000, concurrent: 1_000 } },
    store: await server.database(),
  })
  const { endpoint } = await provider.listen({ port: 0 })
  // Answers of 503, each of which was repeated, and payments that did not end paid with one attempt, or whose end the shop never heard of.
  const report = { payments, stops: 0, unavailable: 0, wrong: 0 }
  let over = false

  const call = async (path: string, message?: object) => {
    for (;;) {
      const answer = await (message ? postJson(`${endpoint}/${path}`, message) : fetch(`${endpoint}/${path}`))
      const body = (await answer.json()) as Record<string, string>
      if (answer.status !== 503) return { status: answer.status, body }
      report.unavailable++
      await delay(100)
    }
  }
  async function pay(id: number): Promise<void> {
    const { status, body } = await call('payment', { ...payment({ id }), webhook_url })
    if (status !== 201 || !body.payment_url) return void report.wrong++
    for (;;) {
      const reported = provider.payments.report({ orderId: id }, paidReport)
      const outcome = await reported.catch((error: { code?: string }) => error.code)
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
  await together(atOnce, Array(payments).keys(), async (place) => {
    await delay(random.between(0, (2_000 * atOnce) / rate))
    await pay(place + 1)
  })
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
export async function runLostCommits(commits: number, server: PostgresServer) {
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
  const isOnce = ({ attempts, statusVersion, status }: (typeof payments)[number]) =>
    attempts.length === 1 && statusVersion === 1 && status === 'paid'
  const done = [payments.filter(isOnce), pushes.filter(({ times }) => times === 1)]
  const repeated = done.reduce((sum, { length }) => sum + orders - length, 0)
  await store.close()
  await proxy.close()
  return { lost: proxy.lost, repeated }
}
