import assert from 'node:assert/strict'
import type { OpenAttempt } from '../payments/ledger.ts'
import type { DeliveryCall, Store } from '../store.ts'

export interface StoreCase {
  /** A plain sentence. */
  name: string
  run(store: Store): Promise<void>
}

const start = Date.UTC(2026, 0, 1)
const minute = 60_000

let opened = 0
const open = (changes: Partial<OpenAttempt> = {}): OpenAttempt => {
  const number = ++opened
  return {
    shopId: 'default',
    orderId: '1001',
    orderNumber: 'ORD1001',
    adapter: 'psp',
    methodId: 'card',
    amount: '29.34',
    currency: 'eur',
    mode: 'live',
    language: 'nl',
    redirectUrl: 'https://shop.example/return?order=1001',
    webhookUrl: 'https://shop.example/webhook?order=1001',
    now: start,
    attemptId: `default.${number}`,
    idempotencyKey: `key-${number}`,
    pageToken: `page-${number}`,
    expiresAt: start + 60 * minute,
    checkAt: start + 60 * minute,
    ...changes,
  }
}

const paid = { kind: 'paid', amount: '29.34', currency: 'eur', source: 'report', at: start } as const
const cancelled = { kind: 'cancelled', source: 'page', at: start } as const
const redirect = {
  how: 'redirect',
  paymentUrl: 'https://psp.example/1',
  urlExpiresAt: undefined,
  reference: 'tr_1',
} as const
const times = (minutes: number) => ({
  expiresAt: start + minutes * minute,
  checkAt: start + minutes * minute,
})
const claim = { now: start, leaseUntil: start + minute, limit: 10, perLane: 10, owner: 'a' }
const told = (at = start): DeliveryCall => ({
  at,
  ms: 0,
  version: 1,
  status: 200,
  failure: undefined,
  answer: 'ok',
})
const failed = (at = start): DeliveryCall => ({ ...told(at), status: 500, failure: 'status 500' })
const again = (dueAt?: number) => ({ dueAt, retryAfter: undefined })

/** What every store keeps to, as data: a test runner and a command line run the same list. */
export const storeCases: readonly StoreCase[] = [
  {
    name: 'a shop is added once, and its first endpoint stays',
    async run(store) {
      const first = await store.ensureShop('default', { tokenHash: 'h1', sealedToken: 's1', now: start })
      const second = await store.ensureShop('default', { tokenHash: 'h2', sealedToken: 's2', now: start })
      assert.deepEqual(second, first)
      assert.equal(first.sealedToken, 's1')
      assert.equal((await store.shopByEndpoint('h1'))?.id, 'default')
      assert.equal(await store.shopByEndpoint('h2'), undefined)
    },
  },
  {
    name: 'a shop keeps the first platform id and the newest language it was seen with',
    async run(store) {
      await store.ensureShop('default', { tokenHash: 'h1', sealedToken: 's1', now: start })
      await store.noteShop('default', { platformId: '7', language: 'nl' })
      const shop = await store.noteShop('default', { platformId: '8', language: 'de' })
      assert.deepEqual(shop, { id: 'default', platformId: '7', language: 'de' })
      assert.deepEqual(await store.noteShop('default', {}), shop)
    },
  },
  {
    name: 'the first call for an order opens an attempt and the payment is pending',
    async run(store) {
      const { outcome, payment, attempt } = await store.openAttempt(open())
      assert.equal(outcome, 'opened')
      assert.equal(payment.status, 'pending')
      assert.deepEqual(await store.payment('default', '1001'), payment)
      assert.deepEqual(await store.attempt('default', attempt.id), attempt)
      assert.equal((await store.countNotifications()).owed, 0)
    },
  },
  {
    name: 'a repeated call finds the live attempt, with its key, and brings the addresses up to date',
    async run(store) {
      const first = await store.openAttempt(open())
      const again = await store.openAttempt(open({ webhookUrl: 'https://shop.example/new' }))
      assert.equal(again.outcome, 'repeated')
      assert.equal(again.attempt.idempotencyKey, first.attempt.idempotencyKey)
      assert.equal((await store.payment('default', '1001'))?.webhookUrl, 'https://shop.example/new')
    },
  },
  {
    name: 'racing calls for one order open one attempt',
    async run(store) {
      const racers = await Promise.all(Array.from({ length: 20 }, () => store.openAttempt(open())))
      assert.equal(racers.filter(({ outcome }) => outcome === 'opened').length, 1)
      assert.equal(new Set(racers.map(({ attempt }) => attempt.id)).size, 1)
    },
  },
  {
    name: 'another amount, currency or method opens a new attempt',
    async run(store) {
      await store.openAttempt(open())
      for (const change of [{ amount: '100.00' }, { currency: 'usd' }, { methodId: 'ideal' }]) {
        assert.equal((await store.openAttempt(open(change))).outcome, 'opened')
      }
      assert.equal((await store.payment('default', '1001'))?.attempts.length, 4)
    },
  },
  {
    name: 'the same order id in two shops is two payments',
    async run(store) {
      await store.openAttempt(open())
      const other = await store.openAttempt(open({ shopId: 'other', attemptId: 'other_1' }))
      assert.equal(other.outcome, 'opened')
      await store.learn('other', '1001', 'other_1', [paid], start)
      assert.equal((await store.payment('default', '1001'))?.status, 'pending')
      assert.equal(await store.attempt('default', 'other_1'), undefined)
    },
  },
  {
    name: 'the first start that is noted stays',
    async run(store) {
      const { attempt } = await store.openAttempt(open())
      const one = await store.noteStart('default', '1001', attempt.id, redirect, times(5))
      const two = await store.noteStart(
        'default',
        '1001',
        attempt.id,
        { ...redirect, paymentUrl: 'https://psp.example/2' },
        times(9),
      )
      assert.equal(one.started?.paymentUrl, 'https://psp.example/1')
      assert.deepEqual(two, one)
      assert.deepEqual(await store.attemptByReference('default', 'psp', 'tr_1'), one)
      assert.equal(await store.attemptByReference('other', 'psp', 'tr_1'), undefined)
    },
  },
  {
    name: 'a page token finds its attempt and payment',
    async run(store) {
      const { attempt, payment } = await store.openAttempt(open())
      assert.deepEqual(await store.attemptByPageToken(attempt.pageToken), { attempt, payment })
      assert.equal(await store.attemptByPageToken('nobody'), undefined)
    },
  },
  {
    name: 'a fact that changes the status owes one notification, told twice it changes nothing',
    async run(store) {
      const { attempt } = await store.openAttempt(open())
      const learned = await store.learn('default', '1001', attempt.id, [paid], start)
      assert.equal(learned.from, 'pending')
      assert.equal(learned.payment.status, 'paid')
      assert.equal(learned.payment.statusVersion, 1)
      const again = await store.learn('default', '1001', attempt.id, [{ ...paid, at: start + 1 }], start + 1)
      assert.equal(again.added.length, 0)
      const payment = await store.payment('default', '1001')
      assert.deepEqual(
        [payment?.status, payment?.statusVersion, payment?.attempts[0]?.facts.length],
        ['paid', 1, 1],
      )
      assert.deepEqual(await store.countNotifications(), { owed: 1, dead: 0 })
    },
  },
  {
    name: 'a paid order opens no attempt',
    async run(store) {
      const { attempt } = await store.openAttempt(open())
      await store.learn('default', '1001', attempt.id, [paid], start)
      const again = await store.openAttempt(open({ amount: '100.00' }))
      assert.equal(again.outcome, 'paid')
      assert.equal(again.payment.attempts.length, 1)
    },
  },
  {
    name: 'a new attempt after a cancelled one makes the payment pending again and owes nothing for it',
    async run(store) {
      const { attempt } = await store.openAttempt(open())
      await store.learn('default', '1001', attempt.id, [cancelled], start)
      const [held] = await store.claimNotifications(claim)
      await store.settleNotification(held!, told())
      const again = await store.openAttempt(open())
      assert.equal(again.outcome, 'opened')
      assert.equal(again.payment.status, 'pending')
      assert.deepEqual(await store.countNotifications(), { owed: 0, dead: 0 })
    },
  },
  {
    name: 'an owed notification is claimed by one owner until its lease ends',
    async run(store) {
      const { attempt } = await store.openAttempt(open())
      await store.learn('default', '1001', attempt.id, [paid], start)
      const [held] = await store.claimNotifications(claim)
      assert.equal(held?.version, 1)
      assert.equal(held?.webhookUrl, 'https://shop.example/webhook?order=1001')
      assert.deepEqual(await store.claimNotifications({ ...claim, owner: 'b' }), [])
      assert.equal(await store.nextNotificationDue(), start + minute)
      const [taken] = await store.claimNotifications({
        ...claim,
        owner: 'b',
        now: start + minute,
        leaseUntil: start + 2 * minute,
      })
      assert.equal(taken?.owner, 'b')
      await store.postponeNotification(held!, failed(), again())
      assert.deepEqual(await store.countNotifications(), { owed: 1, dead: 0 }, 'the first owner has lost it')
    },
  },
  {
    name: 'a lease that is renewed is not taken over',
    async run(store) {
      const { attempt } = await store.openAttempt(open())
      await store.learn('default', '1001', attempt.id, [paid], start)
      await store.claimNotifications(claim)
      await store.renewLeases('a', start + 3 * minute)
      assert.deepEqual(await store.claimNotifications({ ...claim, owner: 'b', now: start + 2 * minute }), [])
    },
  },
  {
    name: 'racing owners never hold the same notification',
    async run(store) {
      for (let order = 0; order < 30; order++) {
        const { attempt } = await store.openAttempt(open({ orderId: `${order}` }))
        await store.learn('default', `${order}`, attempt.id, [paid], start)
      }
      const claims = await Promise.all(
        ['a', 'b', 'c', 'd'].map((owner) => store.claimNotifications({ ...claim, perLane: 40, owner })),
      )
      const orders = claims.flat().map(({ orderId }) => orderId)
      assert.equal(orders.length, 30)
      assert.equal(new Set(orders).size, 30)
    },
  },
  {
    name: 'a delivery settles what it started at, and a status that changed meanwhile is still owed',
    async run(store) {
      const { attempt } = await store.openAttempt(open())
      await store.learn('default', '1001', attempt.id, [cancelled], start)
      const [held] = await store.claimNotifications(claim)
      await store.learn('default', '1001', attempt.id, [paid], start)
      await store.settleNotification(held!, told())
      const payment = await store.payment('default', '1001')
      assert.deepEqual([payment?.statusVersion, payment?.notifiedVersion], [2, 1])
      const [next] = await store.claimNotifications(claim)
      assert.equal(next?.version, 2)
      await store.settleNotification(next!, told())
      assert.deepEqual(await store.countNotifications(), { owed: 0, dead: 0 })
    },
  },
  {
    name: 'a failed delivery is due later, and without a time it is a dead letter',
    async run(store) {
      const { attempt } = await store.openAttempt(open())
      await store.learn('default', '1001', attempt.id, [paid], start)
      const [held] = await store.claimNotifications(claim)
      await store.postponeNotification(held!, failed(), again(start + 5000))
      assert.deepEqual(await store.claimNotifications(claim), [])
      const [second] = await store.claimNotifications({ ...claim, now: start + 5000 })
      assert.equal(second?.tries, 1)
      await store.postponeNotification(second!, failed(), again())
      assert.equal(await store.nextNotificationDue(), undefined)
      assert.deepEqual(await store.countNotifications(), { owed: 0, dead: 1 })
    },
  },
  {
    name: 'an attempt that is due for a look is claimed once, and not after it was paid',
    async run(store) {
      const { attempt } = await store.openAttempt(open())
      const late = { now: start + 61 * minute, leaseUntil: start + 66 * minute, limit: 10 }
      assert.deepEqual(await store.claimChecks({ ...late, now: start }), [])
      assert.deepEqual(await store.claimChecks(late), [attempt])
      assert.deepEqual(await store.claimChecks(late), [])
      await store.learn('default', '1001', attempt.id, [paid], late.now)
      assert.deepEqual(await store.claimChecks({ ...late, now: start + 120 * minute }), [])
      assert.equal((await store.payment('default', '1001'))?.status, 'paid')
    },
  },
  {
    name: 'a later expiry that the start named counts',
    async run(store) {
      const { attempt } = await store.openAttempt(open())
      await store.noteStart('default', '1001', attempt.id, redirect, times(90))
      const claimed = { now: start + 61 * minute, leaseUntil: start + 66 * minute, limit: 10 }
      assert.deepEqual(await store.claimChecks(claimed), [])
      assert.equal((await store.claimChecks({ ...claimed, now: start + 90 * minute })).length, 1)
    },
  },
  {
    name: 'a command that fails undoes only itself',
    async run(store) {
      const [good, bad, alsoGood] = await Promise.allSettled([
        store.openAttempt(open({ orderId: '1' })),
        store.learn('default', 'nowhere', 'default.0', [paid], start),
        store.openAttempt(open({ orderId: '2' })),
      ])
      assert.equal(good.status, 'fulfilled')
      assert.equal(bad.status, 'rejected')
      assert.equal(alsoGood.status, 'fulfilled')
      assert.ok(await store.payment('default', '1'))
      assert.ok(await store.payment('default', '2'))
    },
  },
]

/**
 * Registers every case with a test runner: `testStore({ test, open: () => sqliteStore({ file }) })`. `test` is vitest's or
 * node:test's; every case gets a store of its own.
 */
export function testStore(options: {
  test: (name: string, run: () => Promise<void>) => unknown
  open: () => Store | Promise<Store>
}): void {
  for (const { name, run } of storeCases) {
    options.test(name, async () => {
      const store = await options.open()
      await store.open()
      try {
        await run(store)
      } finally {
        await store.close()
      }
    })
  }
}
