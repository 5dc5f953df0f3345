// One of two processes on one store that remove shops beside everything that is written for them. It answers what came of each round.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { AnyPaymentAdapter } from '../../src/any-adapter.ts'
import { systemWorld } from '../../src/network/system-world.ts'
import { reportPayment } from '../../src/payments/learn-payment.ts'
import { moveMoney } from '../../src/payments/move-money.ts'
import { cancelPage } from '../../src/payments/pages/leave-page.ts'
import { takePush } from '../../src/payments/pushes/take-push.ts'
import { readStatus } from '../../src/payments/read-status.ts'
import { removeShop } from '../../src/payments/removal.ts'
import type { Shop } from '../../src/shops/shop.ts'
import { StoreUnavailable } from '../../src/store.ts'
import { storeOf } from '../../src/stores/open.ts'
import { checkAttempts, processPushes } from '../background.ts'
import { payment } from '../http/messages.ts'
import { noLog } from '../quiet-world.ts'
import { startBy } from '../start-by.ts'
import { testWorkings } from '../workings.ts'
import { Random } from './random.ts'
import type { Round, RoundReport } from './removals.ts'

const node = process.argv[3]!
const store = storeOf(process.argv[2]!)
await store.open()
const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn++) await new Promise(setImmediate)
}
/** Whether the shop of a write was removed before it began. */
const isLate = new AsyncLocalStorage<boolean>()
let lateStarts = 0
const paid = { status: 'paid', amount: '29.34', currency: 'eur' } as const
const psp: AnyPaymentAdapter = {
  name: 'psp',
  methods: () => [],
  idempotency: { ttl: 3_600_000 },
  async start({ idempotencyKey }) {
    if (isLate.getStore()) lateStarts++
    await turns(3)
    return { redirect: `https://psp.example/${idempotencyKey}`, reference: idempotencyKey }
  },
  status: () => ({ status: 'pending' }),
  cancel: () => ({ status: 'cancelled' }),
  refund: () => ({ status: 'refunded' }) as never,
  push: {
    verify: () => true,
    read: ({ query }: { query: string }) => ({ reference: query, report: paid }),
  } as never,
}
const world = systemWorld(noLog, { loopback: true })
const workings = testWorkings({ world, store, payments: [psp], development: true })
const random = (most: number) => Math.floor(Math.random() * most)

/** Everything that is written for a shop, by the shop as this process knows it. */
const writes = (shop: Shop, order: number): Record<string, () => Promise<unknown>> => {
  const { id: shopId } = shop
  const now = Date.now()
  const attempt = async () => (await store.payment(shopId, String(order)))?.attempts[0]
  const times = { firstAt: now, lastAt: now }
  const drift = { message: 'payment', path: 'x', kind: 'text', became: 'ignored', count: 1 }
  const later = { since: now, nextTry: now + 60_000, lastFailure: 'away', shopId, adapter: 'courier' }
  const failed = { kind: 'start', adapter: 'psp', okAt: undefined, calls: 1, failure: 'x' } as const
  const failure = { ...times, ...failed, shopId }
  const picture = { name: `${shopId}.png`, type: 'image/png', width: 1, height: 1, content: '' } as const
  const image = { ...picture, shopId, source: 'https://a.example/a.png', fetchedAt: now }
  return {
    start: () => startBy(workings, payment({ id: order }), shop),
    restart: () => startBy(workings, payment({ id: order, price_incl: 20 }), shop),
    async report() {
      const one = await attempt()
      if (one) await reportPayment(workings, { attemptId: one.id }, { ...paid, event: 'p1' })
      if (one) await moveMoney(workings, 'refund', { attemptId: one.id }, { amount: '1.00' })
    },
    read: () => readStatus(workings, shopId, String(order)),
    async page() {
      const one = await attempt()
      if (one) await cancelPage(workings, one)
    },
    push: async () =>
      takePush(workings, shopId, psp, {
        body: Buffer.from(`${order}`),
        headers: {},
        query: (await attempt())?.started?.reference ?? 'none',
      }),
    pushes: () => processPushes(workings),
    checks: () => checkAttempts(workings),
    async deliver() {
      const lease = { now, leaseUntil: now + 60_000, limit: 20, perLane: 5, owner: node }
      const owed = await store.claimWebhooks(lease)
      const call = { at: now, ms: 1, status: 200, failure: undefined, answer: 'ok' }
      await turns(random(20))
      await store.settleWebhooks(owed.map((one) => ({ owed: one, call: { ...call, version: one.version } })))
    },
    replay: () => store.replayWebhook(shopId, String(order), now),
    drift: () => store.noteDrifts([{ ...drift, ...times, shopId }]),
    breaker: () => store.noteBreakers(node, [later], now, [{ ...later, adapter: 'post', endedAt: now }]),
    failure: () => store.noteServiceFailures(node, [failure]),
    image: () => store.keepImage(image),
    address: () => store.ensurePushAddress(shopId, 'psp', address(shopId)),
    rotate: () => store.rotateEndpoint(shopId, address(shopId), now),
    key: () =>
      store.ensureWebhookKey(shopId, { id: `${shopId}.${workings.world.token(9)}`, sealed: 's', now }),
    hosts: () => store.changeHosts(shopId, { add: [`h${order}.example`] }, now),
    bind: () => store.noteShop(shopId, { platformId: `${order}` }, now),
    settings: () =>
      store.saveSettings(shopId, { sealed: 's', changed: [], version: shop.settingsVersion }, now),
    lane: () => store.openLane({ kind: 'push', shopId, to: 'psp' }, now, 'a person'),
  }
}

const address = (shopId: string) => ({
  tokenHash: `${shopId} ${workings.world.token(12)}`,
  sealedToken: 's',
  now: Date.now(),
})

async function run({ seed, shopIds, removes }: Round): Promise<RoundReport> {
  const seeded = new Random(seed)
  const report: RoundReport = { written: 0, refused: 0, away: 0, late: 0, added: [] }
  const gone = new Set<string>()
  const found = await Promise.all(shopIds.map((id) => patiently(() => store.shop(id))))
  const shops = found.filter((shop) => shop !== undefined)
  const write = async (shop: Shop, name: string, order: number, after: number) => {
    await turns(after)
    await isLate.run(gone.has(shop.id), writes(shop, order)[name]!).then(
      () => report.written++,
      (error: unknown) => {
        report.refused++
        if (error instanceof StoreUnavailable) report.away++
      },
    )
  }
  const names = Object.keys(writes(shops[0]!, 1))
  await Promise.all(
    shops.flatMap((shop) => {
      const all = Array.from({ length: 12 }, () =>
        write(shop, seeded.pick(names), seeded.between(1, 3), seeded.between(0, 60)),
      )
      // A call that comes in any case, and one with a shop that was looked up long ago.
      const starts = [0, 10, 20, 40, 80].map((after, order) => write(shop, 'start', order + 1, after))
      const isRemoved = shopIds.indexOf(shop.id) % 2 === removes
      const removed = isRemoved ? [remove(shop, seeded.between(0, 50), seeded.between(0, 3) === 0)] : []
      return [...all, ...starts, ...removed]
    }),
  )
  return { ...report, late: lateStarts }

  async function remove(shop: Shop, after: number, asked: boolean): Promise<void> {
    await turns(after)
    await patiently<unknown>(() =>
      asked ? removeShop(workings, shop.id, 'a person', true) : store.removeShop(shop.id, Date.now()),
    )
    gone.add(shop.id)
    const [id] = await again(() => store.shopIdsOf([shop.id.split('.')[0]!]))
    const { shop: next } = await patiently(() => store.ensureShop(id!, address(id!)))
    // What the next shop of the name reads, and calls for the one before that come now.
    const read = await again(async () => [
      ...(await store.payments({ shopId: next.id, limit: 1 })),
      ...(await store.webhooks({ shopId: next.id, limit: 1 })),
      ...(await store.pushes({ shopId: next.id, limit: 1 })),
      ...(await store.webhookKeys(next.id, 0)),
      ...(await store.drifts({ shopId: next.id, limit: 1 })),
      ...next.hosts.names,
      ...(next.sealedSettings ?? next.platformId ?? ''),
    ])
    report.added.push({ id: next.id, read: read.length })
    for (const name of ['start', 'push', 'drift', 'deliver', 'breaker']) await write(shop, name, 1, 0)
  }
}

/** Repeats what a store that is away does not do: a busy machine has no time for it now. */
const again = <T>(work: () => Promise<T>): Promise<T> =>
  work().catch((error: unknown) => {
    if (error instanceof StoreUnavailable) return again(work)
    throw error
  })

let changing: Promise<unknown> = Promise.resolve()
/** One change of shops after the other, as long as it takes: two processes make them in turns. */
function patiently<T>(change: () => Promise<T>): Promise<T> {
  const changed = changing.then(() => again(change))
  changing = changed.catch(() => {})
  return changed
}

process.on('message', async (round: Round) => {
  process.send!(await run(round).catch((error: unknown) => ({ error: String((error as Error).stack) })))
})
process.on('disconnect', () => process.exit())
process.send!('ready')
