import { expect, test } from 'vitest'
import { type AnyPaymentAdapter, sqliteStore } from '../../src/index.ts'
import { Background } from '../../src/provider/background.ts'
import { folderWith } from '../folder.ts'
import { day, minute, paid, paymentsWith } from '../helpers/provider.ts'
import { payment } from '../http/messages.ts'
import { postJson } from '../http/post.ts'
import { listening } from '../listening.ts'

const psp: AnyPaymentAdapter = {
  name: 'psp',
  methods: () => [],
  start: ({ order }) => ({ redirect: 'http://127.0.0.1:9/pay', reference: `tr_${order.id}` }),
  push: { verify: () => true, read: () => ({ reference: 'tr_1', report: { status: 'open' } }) },
}
const start = async (endpoint: string, id: number) =>
  (await postJson(`${endpoint}/payment`, payment({ id }))).status

test('a shop that another process removes starts nothing, takes no push, and gives the next of its name nothing', async () => {
  const file = `${folderWith()}/shops.db`
  const node = () => listening({ payments: psp, store: sqliteStore({ file }) })
  const [one, two] = [await node(), await node()]
  expect(await start(one.endpoint, 1)).toBe(201)
  const { pushAddresses } = await one.provider.shops.show('default', { reveal: true })
  const push = async () => (await postJson(pushAddresses![0]!.url, {})).status
  expect(await push()).toBe(204)
  const before = await one.provider.payments.get({ orderId: 1 })
  await two.provider.shops.remove('default', { force: true })
  const gone = [await start(one.endpoint, 1), await start(one.endpoint, 2), await push()]
  const { shop, endpoint } = await two.provider.shops.add('default')
  gone.push(await start(one.endpoint, 1), await start(one.endpoint, 2), await push())
  expect(gone).toEqual(Array(6).fill(404))
  expect(shop).toBe('default.2')
  expect((await two.provider.payments.list()).payments).toEqual([])
  expect(await start(endpoint.replace(/^.*(?=\/e\/)/, new URL(two.url).origin), 1)).toBe(201)
  const reporting = one.provider.payments.report({ attemptId: before!.attempts[0]!.id }, paid)
  await expect(reporting).rejects.toMatchObject({ code: 'UNKNOWN_PAYMENT' })
  const second = await two.provider.payments.get({ orderId: 1 })
  expect(second).toMatchObject({ shop: 'default.2', status: 'pending' })
  // Its name finds it.
  expect(await two.provider.shops.show('default')).toMatchObject({ id: 'default.2' })
  expect((await two.provider.shops.log('default')).at(-1)).toMatchObject({ action: 'shop.removed' })
})

test('a forced removal cancels what is under way, also a start that has no answer yet, and says where money may come', async () => {
  const { promise: waiting, resolve: answer } = Promise.withResolvers<void>()
  const cancelled: unknown[] = []
  const { provider, endpoint } = await listening({
    payments: {
      ...psp,
      async start({ order }) {
        if (order.id === '3') await waiting
        return { redirect: 'http://127.0.0.1:9/pay', reference: `tr_${order.id}` }
      },
      cancel({ reference }) {
        cancelled.push(reference)
        if (reference === 'tr_2') throw new Error('the customer is at the bank')
      },
    } as AnyPaymentAdapter,
  })
  for (const id of [1, 2]) expect(await start(endpoint, id)).toBe(201)
  const third = start(endpoint, 3)
  await expect.poll(() => provider.payments.get({ orderId: 3 })).toBeDefined()
  const removing = provider.shops.remove('default', { force: true })
  await expect.poll(async () => (await provider.shops.show('default')).disabled).toBe(true)
  answer()
  expect(await third).toBe(201)
  const { shop, owed, open } = await removing
  expect(shop).toBe('default')
  expect(owed).toBeGreaterThan(0)
  expect(cancelled.sort()).toEqual(['tr_1', 'tr_2', 'tr_3'])
  const left = { orderId: '2', adapter: 'psp', reference: 'tr_2', amount: '29.34', currency: 'eur' }
  expect(open).toMatchObject([left])
  expect(await provider.shops.list()).toEqual([])
})

test('a removal names an attempt beside a paid order, and an authorisation that is not captured, which it leaves alone', async () => {
  const cancelled: unknown[] = []
  const { provider, endpoint } = await listening({
    payments: {
      ...psp,
      authorisedIsPaid: true,
      start: ({ order, amount }) => ({
        redirect: 'http://127.0.0.1:9/pay',
        reference: `tr_${order.id}_${amount}`,
      }),
      cancel({ reference }) {
        cancelled.push(reference)
        throw new Error('the customer is at the bank')
      },
    } as AnyPaymentAdapter,
  })
  const report = async (orderId: number, status: 'paid' | 'authorised') => {
    const { attempts } = (await provider.payments.get({ orderId }))!
    const { id: attemptId, amount, currency } = attempts.at(-1)!
    await provider.payments.report({ attemptId }, { status, amount, currency })
  }
  expect(await start(endpoint, 1)).toBe(201)
  const dearer = await postJson(`${endpoint}/payment`, payment({ id: 1, price_incl: 99 }))
  expect(dearer.status).toBe(201)
  await report(1, 'paid')
  expect(await start(endpoint, 2)).toBe(201)
  await report(2, 'authorised')
  await expect.poll(() => cancelled.length).toBeGreaterThan(0)
  const [first] = (await provider.payments.get({ orderId: 1 }))!.attempts
  cancelled.length = 0
  const { open } = await provider.shops.remove('default', { force: true })
  expect(cancelled).toEqual([first!.reference])
  expect(open.map(({ orderId }) => orderId).sort()).toEqual(['1', '2'])
})

/** Runs what a provider does in the background for a minute. */
async function workForAMinute({ workings, move }: ReturnType<typeof paymentsWith>) {
  const background = new Background(workings)
  background.start()
  await move(minute)
  await background.stop()
}

test('a payment that has come to rest is kept as long as it is set, and erased after that', async () => {
  const provider = paymentsWith({})
  const { workings, start, report, move } = provider
  workings.retention = 90 * day
  await start()
  await report(paid)
  await workForAMinute(provider)
  await move(89 * day)
  await start({ id: 1002 })
  await workForAMinute(provider)
  expect((await workings.store.payment('default', '1001'))?.status).toBe('paid')
  await move(2 * day)
  await workForAMinute(provider)
  expect(await workings.store.payment('default', '1001')).toBeUndefined()
  expect(await workings.store.payment('default', '1002')).toBeDefined()
})

test('the deliveries of a payment are listed for 30 days, however long the payment is kept', async () => {
  const provider = paymentsWith({})
  const { workings, start, report, status, move, calls } = provider
  const listed = async () => (await workings.store.deliveries('default', '1001')).length
  workings.retention = 90 * day
  await start()
  await report(paid)
  await workForAMinute(provider)
  expect([await status(), calls.length, await listed()]).toEqual(['paid', 1, 1])
  await move(29 * day)
  await workForAMinute(provider)
  expect(await listed()).toBe(1)
  await move(day)
  await workForAMinute(provider)
  expect(await listed()).toBe(0)
  expect((await workings.store.payment('default', '1001'))?.status).toBe('paid')
})
