import { ContentSeal, developmentSecret, pageKeyRow, sealContent } from '../../src/shops/seal.ts'
import type { StorePort } from '../../src/store-port.ts'
import { seal } from '../../src/stores/seal.ts'
import { fileStart as now } from '../file-start.ts'
import { again, delivered, failed, minute, open, openOwed, redirect } from '../stores/cases/store-case.ts'
import { commandsIn, folderWith, inStore } from './command.ts'

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
const hour = 60 * minute

export { now }

/** A provider's folder with shop `red`, whose store `fill` prepares, and commands to run in it. */
export async function folderWithOrders(fill: (store: StorePort) => Promise<unknown>) {
  const cwd = folderWith({ 'provider.ts': source })
  const run = commandsIn(cwd, { NODE_ENV: 'development' })
  await run('shop add red')
  await inStore(cwd, fill)
  return { cwd, run }
}

/** Starts a payment that the service knows by `reference`. */
export async function started(store: StorePort, orderId: string, reference: string): Promise<void> {
  const { attempt } = await store.openAttempt(open({ shopId: 'red', orderId, now }))
  const times = { expiresAt: now + hour, checkAt: now + minute }
  await store.noteStart(attempt, { ...redirect, reference }, times)
}

/** Owes the shop the news that an order is paid. */
export const owe = (store: StorePort, orderId: string, host: string, shopId = 'red', at = now) =>
  openOwed(store, { shopId, orderId, orderNumber: `ORD${orderId}`, webhookUrl: `https://${host}/x`, now: at })

const claimAt = (at: number) => ({ limit: 99, perLane: 99, owner: 'a', now: at, leaseUntil: at + minute })

/** The servers of a shop answer all webhooks that are due with `status`. */
export async function failAll(
  store: StorePort,
  status: number,
  dueAt = now + hour,
  shopId = 'red',
): Promise<void> {
  const call = { ...failed(now), status, failure: `status ${status}` }
  for (const one of await store.claimWebhooks(claimAt(now)))
    if (one.shopId === shopId) await store.postponeWebhook(one, call, again(dueAt))
}

/** The shops accept all webhooks that are due at this time. */
export async function deliverAll(store: StorePort, at = now): Promise<void> {
  for (const one of await store.claimWebhooks(claimAt(at))) await store.settleWebhook(one, delivered(at))
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
  const failure = 'no answer within 2000 ms'
  for (const one of await store.claimPushes({ ...claimAt(now), adapter: 'psp' }))
    await store.postponePush(one, { dueAt: now + hour, failure, aboutPush: false }, now)
}
