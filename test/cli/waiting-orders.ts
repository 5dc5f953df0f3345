import { ContentSeal } from '../../src/payments/page-tokens.ts'
import { developmentSecret, pageKeyRow } from '../../src/shops/seal.ts'
import type { DeliveryCall, StorePort } from '../../src/store-port.ts'
import { seal } from '../../src/stores/seal.ts'
import { sealContent } from '../../src/use-cases/push-content.ts'
import { fileStart as now } from '../file-start.ts'
import { open, paid, redirect } from '../stores/cases/store-case.ts'
import { type Commands, commandsIn, folderWith, inStore } from './command.ts'

const source = `import { createProvider } from 'purveyor'

const answers = {
  tr_lost: { status: 'paid', amount: '29.34', currency: 'eur' },
  tr_open: { status: 'pending' },
}

export default createProvider({
  payments: {
    name: 'psp',
    methods: () => [],
    start: ({ id }) => ({ redirect: 'https://psp.example/' + id, reference: id }),
    status({ reference }) {
      if (answers[reference]) return answers[reference]
      throw new Error('psp answered 401')
    },
  },
})
`
const hour = 3_600_000

export { now }

interface Folder {
  cwd: string
  run: Commands
}

/** A provider's folder with shop `red`, whose store `fill` prepares, and commands to run in it. */
export async function folderWithOrders(fill: (store: StorePort) => Promise<void>): Promise<Folder> {
  const cwd = folderWith({ 'provider.ts': source })
  const run = commandsIn(cwd, { NODE_ENV: 'development' })
  await run('shop', 'add', 'red')
  await inStore(cwd, fill)
  return { cwd, run }
}

/** Starts a payment that the service knows by `reference`. */
export async function started(store: StorePort, orderId: string, reference: string): Promise<void> {
  const { attempt } = await store.openAttempt(open({ shopId: 'red', orderId, now }))
  const times = { expiresAt: now + hour, checkAt: now + 60_000 }
  await store.noteStart(attempt, { ...redirect, reference }, times)
}

/** Owes the shop the news that an order is paid. */
export async function owe(store: StorePort, orderId: string, host: string, shopId = 'red'): Promise<void> {
  const names = { shopId, orderId, orderNumber: `ORD${orderId}` }
  const { attempt } = await store.openAttempt(open({ ...names, webhookUrl: `https://${host}/x`, now }))
  await store.learn(shopId, orderId, attempt.id, [paid], { source: 'report', now })
}

/** The servers of a shop answer all webhooks that are due with `status`. */
export async function failAll(
  store: StorePort,
  status: number,
  dueAt = now + hour,
  shopId = 'red',
): Promise<void> {
  const claim = { limit: 99, perLane: 99, owner: 'a', now, leaseUntil: now + 60_000 }
  const call: DeliveryCall = { at: now, ms: 1, version: 1, status, failure: `status ${status}`, answer: '' }
  for (const one of await store.claimWebhooks(claim))
    if (one.shopId === shopId) await store.postponeWebhook(one, call, { dueAt, retryAfter: undefined })
}

/** Keeps a push of the payment service. */
export async function pushOf(store: StorePort, key: string, body: string): Promise<void> {
  const push = { shopId: 'red', adapter: 'psp', key, receivedAt: now }
  const content = { body: Buffer.from(body).toString('base64'), headers: {}, query: '' }
  const pageKey = seal(developmentSecret).open((await store.key(pageKeyRow.key))!, pageKeyRow)
  await store.keepPush({ ...push, sealed: sealContent(new ContentSeal(pageKey), push, content) }, now)
}

/** All pushes that are due run into the time-out. */
export async function hangPushes(store: StorePort): Promise<void> {
  const claim = { adapter: 'psp', limit: 99, perLane: 99, owner: 'a', now, leaseUntil: now + 60_000 }
  const failure = 'no answer within 2000 ms'
  for (const one of await store.claimPushes(claim))
    await store.postponePush(one, { dueAt: now + hour, failure, aboutPush: false }, now)
}
