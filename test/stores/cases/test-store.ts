import assert from 'node:assert/strict'
import type { StorePort } from '../../../src/store-port.ts'
import { auditCases } from './audit.ts'
import { batchCases } from './batch.ts'
import { breakerCases } from './breaker.ts'
import { consoleCases } from './console.ts'
import { laneCases, oweMany } from './lane.ts'
import { laneHistoryCases } from './lane-history.ts'
import { moneyCases } from './money.ts'
import { onCallCases } from './on-call.ts'
import { pushCases } from './push.ts'
import { serviceFailureCases } from './service-failure.ts'
import { shopCases } from './shop.ts'
import {
  again,
  asReported,
  at,
  cancelled,
  claim,
  deliverAll,
  delivered,
  each,
  endpoint,
  failed,
  minute,
  open,
  openOwed,
  paid,
  redirect,
  type StoreCases,
  start,
  times,
} from './store-case.ts'

const nothingOwed = { owed: 0, dead: 0, owedSince: undefined }

/** The rules of every store, as data: a test runner and a command line run the same list. */
const storeCases: StoreCases = {
  ...shopCases,
  ...auditCases,
  ...moneyCases,
  ...laneCases,
  ...batchCases,
  ...laneHistoryCases,
  ...breakerCases,
  ...serviceFailureCases,
  ...pushCases,
  ...onCallCases,
  ...consoleCases,
  async 'the first call for an order opens an attempt and the payment is pending'(store) {
    const { outcome, payment, attempt } = await store.openAttempt(open())
    assert.deepEqual([outcome, payment.status], ['opened', 'pending'])
    assert.deepEqual(await store.payment('default', '1001'), payment)
    assert.deepEqual(await store.attempt('default', attempt.id), attempt)
    assert.equal((await store.countWebhooks()).owed, 0)
  },
  async 'a repeated call finds the live attempt, with its key, and brings the addresses up to date'(store) {
    const first = await store.openAttempt(open())
    const again = await store.openAttempt(open({ webhookUrl: 'https://shop.example/new' }))
    assert.equal(again.outcome, 'repeated')
    assert.equal(again.attempt.idempotencyKey, first.attempt.idempotencyKey)
    assert.equal((await store.payment('default', '1001'))?.webhookUrl, 'https://shop.example/new')
  },
  async 'an order has 100 attempts at most, also when calls race, and is answered all the same'(store) {
    const other = (attempt: number, changes = {}) =>
      store.openAttempt(open({ amount: `${attempt}.00`, webhookUrl: 'https://shop.example/1', ...changes }))
    for (let attempt = 1; attempt <= 95; attempt++) await other(attempt)
    const racers = await Promise.all(Array.from({ length: 20 }, (_, racer) => other(1000 + racer)))
    assert.equal(racers.filter(({ outcome }) => outcome === 'opened').length, 5)
    assert.equal(racers.filter(({ outcome }) => outcome === 'full').length, 15)

    const refused = await other(2000, { webhookUrl: 'https://elsewhere.example' })
    const stored = await store.payment('default', '1001')
    assert.deepEqual([refused.outcome, refused.payment], ['full', stored])
    assert.deepEqual([stored?.attempts.length, stored?.webhookUrl], [100, 'https://shop.example/1'])
    assert.equal((await store.openAttempt(open({ shopId: 'other', attemptId: 'other.1' }))).outcome, 'opened')

    const newest = stored!.attempts.at(-1)!
    assert.equal((await store.openAttempt(open({ amount: newest.amount }))).outcome, 'repeated')
    await store.learn('default', '1001', newest.id, [{ ...paid, amount: newest.amount }], asReported)
    assert.equal((await store.openAttempt(open({ amount: newest.amount }))).outcome, 'paid')
    assert.equal((await other(2000)).outcome, 'less')
  },
  async 'racing calls for one order open one attempt'(store) {
    const racers = await Promise.all(Array.from({ length: 20 }, () => store.openAttempt(open())))
    assert.equal(racers.filter(({ outcome }) => outcome === 'opened').length, 1)
    assert.equal(new Set(racers.map(({ attempt }) => attempt.id)).size, 1)
  },
  async 'another amount, currency or method opens a new attempt'(store) {
    await store.openAttempt(open())
    for (const change of [{ amount: '100.00' }, { currency: 'usd' }, { methodId: 'ideal' }])
      assert.equal((await store.openAttempt(open(change))).outcome, 'opened')
    assert.equal((await store.payment('default', '1001'))?.attempts.length, 4)
  },
  async 'the same order id in two shops is two payments'(store) {
    await store.openAttempt(open())
    const other = await store.openAttempt(open({ shopId: 'other', attemptId: 'other_1' }))
    assert.equal(other.outcome, 'opened')
    await store.learn('other', '1001', 'other_1', [paid], asReported)
    assert.equal((await store.payment('default', '1001'))?.status, 'pending')
    assert.equal(await store.attempt('default', 'other_1'), undefined)
  },
  async 'the first start that is noted stays'(store) {
    const { attempt } = await store.openAttempt(open())
    const { attempt: one } = await store.noteStart(attempt, redirect, times(5))
    const later = { ...redirect, paymentUrl: 'https://psp.example/2' }
    const { attempt: two } = await store.noteStart(attempt, later, times(9))
    assert.equal(one.started?.paymentUrl, 'https://psp.example/1')
    assert.deepEqual(two, one)
    assert.deepEqual(await store.attemptByReference('default', 'psp', 'tr_1'), one)
    assert.deepEqual(await store.attemptByReference(undefined, 'psp', 'tr_1'), one)
    assert.equal(await store.attemptByReference('other', 'psp', 'tr_1'), undefined)
  },
  async 'a reference of two attempts names the newest one, and of two orders none'(store) {
    for (const amount of ['29.34', '40.00']) {
      const { attempt } = await store.openAttempt(open({ attemptId: `default_${amount}`, amount }))
      await store.noteStart(attempt, redirect, times(5))
    }
    assert.equal((await store.attemptByReference('default', 'psp', 'tr_1'))?.amount, '40.00')
    const { attempt } = await store.openAttempt(open({ orderId: '1002', attemptId: 'default_other' }))
    await store.noteStart(attempt, redirect, times(5))
    const found = store.attemptByReference('default', 'psp', 'tr_1')
    await assert.rejects(found, { code: 'ADAPTER_ANSWER_INVALID' })
  },
  async 'a page token finds its attempt and payment'(store) {
    const { attempt, payment } = await store.openAttempt(open())
    assert.deepEqual(await store.attemptByPage(attempt.pageHash), { attempt, payment })
    assert.equal(await store.attemptByPage('nobody'), undefined)
  },
  async 'a fact that changes the status owes one webhook; a repeat changes nothing'(store) {
    const { attempt } = await store.openAttempt(open())
    const { from, payment: learned } = await store.learn('default', '1001', attempt.id, [paid], asReported)
    assert.deepEqual([from, learned.status, learned.statusVersion], ['pending', 'paid', 1])
    const again = await store.learn('default', '1001', attempt.id, [paid], { ...asReported, now: start + 1 })
    assert.equal(again.added.length, 0)
    const { status, statusVersion, attempts } = (await store.payment('default', '1001'))!
    assert.deepEqual([status, statusVersion, attempts[0]?.facts.length], ['paid', 1, 1])
    assert.deepEqual(await store.countWebhooks(), { owed: 1, dead: 0, owedSince: start })
  },
  async 'a paid order opens no attempt'(store) {
    await openOwed(store)
    const { outcome, payment } = await store.openAttempt(open({ amount: '29.00' }))
    assert.deepEqual([outcome, payment.attempts.length], ['paid', 1])
  },
  async 'a new attempt after a cancelled one makes the payment pending again and owes nothing for it'(store) {
    await openOwed(store, {}, cancelled)
    await deliverAll(store)
    const { outcome, payment } = await store.openAttempt(open())
    assert.deepEqual([outcome, payment.status], ['opened', 'pending'])
    assert.deepEqual(await store.countWebhooks(), nothingOwed)
  },
  async 'an owed webhook is claimed by one owner until its lease ends'(store) {
    await openOwed(store)
    const [leased] = await store.claimWebhooks(claim)
    const { version, webhookUrl } = leased!
    assert.deepEqual([version, webhookUrl], [1, 'https://shop.example/webhook?order=1001'])
    assert.deepEqual(await store.claimWebhooks({ ...claim, owner: 'b' }), [])
    assert.equal(await store.nextWebhookDue(), start + minute)
    const [taken] = await store.claimWebhooks({ ...at(start + minute), owner: 'b' })
    assert.deepEqual([leased?.takenOver, taken?.takenOver, taken?.owner], [false, true, 'b'])
    // The first owner has lost it.
    await store.postponeWebhook(leased!, failed(), again())
    assert.deepEqual(await store.countWebhooks(), { owed: 1, dead: 0, owedSince: start })
  },
  async 'a lease that is renewed is not taken over'(store) {
    await openOwed(store)
    const leased = await store.claimWebhooks(claim)
    await store.renewLeases(leased, start + 3 * minute)
    assert.deepEqual(await store.claimWebhooks({ ...claim, owner: 'b', now: start + 2 * minute }), [])
  },
  async 'racing owners never hold the same webhook'(store) {
    await oweMany(store, 30)
    const claims = await Promise.all(
      ['a', 'b', 'c', 'd'].map((owner) => store.claimWebhooks({ ...claim, perLane: 40, owner })),
    )
    const orders = each(claims.flat(), 'orderId')
    assert.deepEqual([orders.length, new Set(orders).size], [30, 30])
  },
  async 'a delivery settles what it started at, and a status that changed meanwhile is still owed'(store) {
    const attempt = await openOwed(store, {}, cancelled)
    const [leased] = await store.claimWebhooks(claim)
    await store.learn('default', '1001', attempt.id, [paid], asReported)
    await store.settleWebhook(leased!, delivered())
    const payment = await store.payment('default', '1001')
    assert.deepEqual([payment?.statusVersion, payment?.deliveredVersion], [2, 1])
    const [next] = await store.claimWebhooks(claim)
    assert.equal(next?.version, 2)
    await store.settleWebhook(next!, delivered())
    assert.deepEqual(await store.countWebhooks(), nothingOwed)
  },
  async 'a failed delivery is due later, and without a time it is a dead letter'(store) {
    await openOwed(store)
    const [leased] = await store.claimWebhooks(claim)
    await store.postponeWebhook(leased!, failed(), again(start + 5000))
    assert.deepEqual(await store.claimWebhooks(claim), [])
    const [second] = await store.claimWebhooks({ ...claim, now: start + 5000 })
    assert.equal(second?.tries, 1)
    await store.postponeWebhook(second!, failed(), again())
    assert.equal(await store.nextWebhookDue(), undefined)
    assert.deepEqual(await store.countWebhooks(), { ...nothingOwed, dead: 1 })
  },
  async 'an attempt that is due for a look is claimed once, and not after it was paid'(store) {
    const { attempt } = await store.openAttempt(open())
    const late = { now: start + 61 * minute, leaseUntil: start + 66 * minute, limit: 10 }
    assert.deepEqual(await store.claimChecks({ ...late, now: start }), [])
    assert.deepEqual(await store.claimChecks({ ...late, without: ['other', 'psp'] }), [])
    const claimed = { ...attempt, checkAt: late.leaseUntil }
    assert.deepEqual(await store.claimChecks({ ...late, without: ['other', 'psp2'] }), [claimed])
    assert.deepEqual(await store.claimChecks(late), [])
    await store.learn('default', '1001', attempt.id, [paid], { ...asReported, now: late.now })
    assert.deepEqual(await store.claimChecks({ ...late, now: start + 120 * minute }), [])
    assert.equal((await store.payment('default', '1001'))?.status, 'paid')
  },
  async 'a later expiry that the start named counts'(store) {
    const { attempt } = await store.openAttempt(open())
    await store.noteStart(attempt, redirect, times(90))
    const claimed = { now: start + 61 * minute, leaseUntil: start + 66 * minute, limit: 10 }
    assert.deepEqual(await store.claimChecks(claimed), [])
    assert.equal((await store.claimChecks({ ...claimed, now: start + 90 * minute })).length, 1)
  },
  async 'what is owed goes to the newest address'(store) {
    await openOwed(store)
    await store.openAttempt(open({ webhookUrl: 'https://new.example/webhook', hostsListed: true }))
    const [owed] = await store.claimWebhooks(claim)
    assert.deepEqual([owed?.webhookUrl, owed?.lane], ['https://new.example/webhook', 'default new.example'])
    assert.deepEqual(await store.claimWebhooks({ ...claim, owner: 'b' }), [])
  },
  async 'a dead letter is sent again when a person asks for it, and its calls are kept for 30 days'(store) {
    await openOwed(store)
    const [first] = await store.claimWebhooks(claim)
    await store.postponeWebhook(first!, failed(), again())
    assert.equal((await store.webhooks({ limit: 5 }))[0]?.state, 'dead')
    assert.equal(await store.replayWebhook('default', '9999', start), false)
    assert.equal(await store.replayWebhook('default', '1001', start + minute), true)
    const [second] = await store.claimWebhooks({ ...claim, now: start + minute })
    await store.settleWebhook(second!, delivered(start + minute))
    assert.deepEqual(await store.webhooks({ limit: 5 }), [])
    const [state] = await store.webhooks({ since: start, limit: 5 })
    assert.deepEqual([state?.state, state?.confirmed], ['delivered', false])
    await store.noteRead('default', '1001', 1, start + minute)
    assert.equal((await store.webhooks({ since: start, limit: 5 }))[0]?.confirmed, true)
    const calls = { version: 1, calls: 2, first: failed(), last: delivered(start + minute) }
    assert.deepEqual(await store.deliveries('default', '1001'), [calls])
    await store.forget(start + minute)
    assert.deepEqual(await store.deliveries('default', '1001'), [calls])
    await store.forget(start + minute + 1)
    assert.deepEqual(await store.deliveries('default', '1001'), [])
  },
  async 'an anomaly of an event is opened once; closing it mutes no later one'(store) {
    const { attempt } = await store.openAttempt(open())
    const anomaly = { kind: 'webhook_gone', attemptId: attempt.id, event: 'one' } as const
    assert.equal(await store.openAnomaly('default', '1001', anomaly, start), true)
    assert.equal(await store.openAnomaly('default', '1001', anomaly, start + 1), false)
    const [opened] = await store.anomalies({ limit: 5 })
    assert.deepEqual([opened?.kind, opened?.event, opened?.openedAt], ['webhook_gone', 'one', start])
    assert.equal(await store.closeAnomaly('nobody', 'x', start), undefined)
    assert.deepEqual([await store.anomaly(opened!.id), await store.anomaly('nobody')], [opened, undefined])
    const closed = await store.closeAnomaly(opened!.id, 'called the shop', start + minute)
    assert.equal(closed?.note, 'called the shop')
    assert.deepEqual(await store.anomalies({ limit: 5 }), [])
    assert.deepEqual(await store.countAnomalies(), {})
    assert.equal((await store.anomalies({ closed: true, limit: 5 })).length, 1)
    const later = start + 2 * minute
    assert.equal(await store.openAnomaly('default', '1001', anomaly, later), false)
    const money = { expected: '29.34', received: '5.00', stake: '5.00', currency: 'eur' }
    const other = { ...anomaly, ...money, event: 'two' }
    assert.equal(await store.openAnomaly('default', '1001', other, later), true)
    assert.equal((await store.anomalies({ shopId: 'other', limit: 5 })).length, 0)
    const [second] = await store.anomalies({ limit: 5 })
    assert.deepEqual({ ...second, ...money }, second)
    assert.deepEqual(await store.countAnomalies(), { webhook_gone: 1 })
  },
  async 'facts that disagree open their anomalies in the same commit'(store) {
    const attempt = await openOwed(store, {}, cancelled)
    await store.learn('default', '1001', attempt.id, [paid], { ...asReported, now: start + 1 })
    const [anomaly, ...others] = await store.anomalies({ orderId: '1001', limit: 5 })
    assert.deepEqual([anomaly?.kind, anomaly?.attemptId, others], ['late_paid', attempt.id, []])
  },
  async 'the address for pushes stays, and leads to one shop and adapter'(store) {
    await store.ensureShop('default', endpoint('h'))
    const first = await store.ensurePushAddress('default', 'psp', endpoint('p1'))
    assert.deepEqual(await store.ensurePushAddress('default', 'psp', endpoint('p2')), first)
    assert.equal((await store.shopByPushToken('psp', 'p1'))?.id, 'default')
    assert.equal(await store.shopByPushToken('other', 'p1'), undefined)
    assert.equal(await store.shopByPushToken('psp', 'p2'), undefined)
  },
  async 'payments are listed by their last change, newest first, by shop and status'(store) {
    for (let order = 1; order <= 3; order++)
      await store.openAttempt(open({ orderId: `${order}`, now: start + order }))
    const [newest] = await store.payments({ limit: 1 })
    assert.equal(newest?.orderId, '3')
    await store.learn('default', '3', newest!.attempts[0]!.id, [paid], { ...asReported, now: start + 4 })
    const pending = await store.payments({ status: 'pending', limit: 5 })
    assert.deepEqual(each(pending, 'orderId'), ['2', '1'])
    assert.deepEqual(await store.payments({ shopId: 'other', limit: 5 }), [])
    assert.equal((await store.payments({ since: start + 4, limit: 5 })).length, 1)
    await store.openAttempt(open({ orderId: '2', amount: '40.00', adapter: 'bank', now: start + 5 }))
    const all = {
      ...{ shop: 'default', orderId: '2', status: 'pending', amount: '40.00', currency: 'eur' },
      ...{ adapter: 'bank', method: 'card', orderNumber: 'ORD1001', review: [], moved: [], webhook: 'none' },
    }
    const [summary, ...others] = await store.paymentSummaries({ status: 'pending', limit: 5 })
    assert.deepEqual(
      [summary, each(others, 'orderId')],
      [{ ...all, openedAt: start + 2, changedAt: start + 2, lastAt: start + 5 }, ['1']],
    )
  },
  async 'a command that fails undoes only itself'(store) {
    const [good, bad, alsoGood] = await Promise.allSettled([
      store.openAttempt(open({ orderId: '1' })),
      store.learn('default', 'nowhere', 'default.0', [paid], asReported),
      store.openAttempt(open({ orderId: '2' })),
    ])
    assert.deepEqual(each([good, bad, alsoGood], 'status'), ['fulfilled', 'rejected', 'fulfilled'])
    assert.ok(await store.payment('default', '1'))
    assert.ok(await store.payment('default', '2'))
  },
}

/**
 * Registers every case with a test runner: `testStore({ test, open: () => sqliteStore({ file }) })`. `test` is vitest's or
 * node:test's; every case gets a store of its own.
 */
export function testStore(options: {
  test: (name: string, run: () => Promise<void>) => unknown
  open: () => StorePort | Promise<StorePort>
}): void {
  for (const [name, run] of Object.entries(storeCases)) {
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
