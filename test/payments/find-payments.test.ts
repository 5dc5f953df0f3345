import { expect, test } from 'vitest'
import { findPayments } from '../../src/payments/find-payments.ts'
import { paid, paymentsWith } from '../helpers/provider.ts'
import { runBackground } from '../helpers/run.ts'
import { start as began, cancelled, delivered, keep, open } from '../stores/cases/store-case.ts'

test('what a payment waits for follows its state: its service, then its webhook, then the shop, then nothing', async () => {
  const { start, report, workings, world, find } = paymentsWith({})
  const { store } = workings
  const waitsFor = async () => (await find('1001')).payments.map((found) => found.waitsFor)
  expect(await waitsFor()).toEqual([])
  await start()
  expect(await waitsFor()).toEqual([
    expect.stringMatching(/^the customer or the payment service \(psp\); expires /),
  ])
  await report(paid)
  expect(await waitsFor()).toEqual([expect.stringMatching(/^its webhook to /)])

  const now = world.now()
  const claim = { now, leaseUntil: now + 1_000, limit: 1, perLane: 1, owner: 'a' }
  const [owed] = await store.claimWebhooks(claim)
  await store.settleWebhook(owed!, delivered(now))
  expect(await waitsFor()).toEqual(['the shop: it accepted the webhook and has not read the status'])
  await store.noteRead('default', '1001', owed!.version, now)
  expect(await waitsFor()).toEqual(['nothing'])
})

test('of a start that ended without an answer it says when and why, and when it is looked up', async () => {
  const { start, move, settle, workings, find } = paymentsWith({
    start: () => new Promise<never>(() => {}),
    find: () => undefined,
  })
  runBackground(workings)
  const waits = async () => (await find('1001')).payments[0]
  const call = expect(start()).rejects.toMatchObject({ code: 'PAYMENT_START_TIMEOUT' })
  await settle()
  const began = 'the payment service (psp): its start began 2026-01-01 00:00:00 and has no answer'
  const until = 'the customer may try again until it expires 2026-01-01 01:00:00'
  const next = 'purveyor payments show 1001 --shop default'
  expect(await waits()).toMatchObject({
    ...{ waitsFor: `${began}; ${until}; not asked yet; next 2026-01-01 00:01:00`, next },
  })
  await move(10_000)
  await call
  const failed = 'asked 2026-01-01 00:00:04: start failed: no answer within 4000 ms'
  expect(await waits()).toMatchObject({
    ...{ waitsFor: `${began}; ${until}; ${failed}; next 2026-01-01 00:01:00`, next },
  })
})

test('of many payments with one name twenty are shown, and how many more have it', async () => {
  const { workings, find } = paymentsWith({})
  for (let shop = 0; shop < 22; shop++) {
    const orderId = shop < 3 ? 'few' : 'many'
    await workings.store.openAttempt(
      open({ shopId: `s${shop}`, orderId, orderNumber: undefined, attemptId: `s${shop}.1` }),
    )
    await workings.store.openAttempt(open({ shopId: `s${shop}`, orderId: 'all', attemptId: `s${shop}.2` }))
  }
  const shown = async (name: string) => {
    const { payments, more } = await find(name)
    return [payments.length, more]
  }
  expect(await shown('few')).toEqual([3, 0])
  expect(await shown('all')).toEqual([20, 2])
})

test('a payment waits for its attempt that goes on, also beside a newer one that has ended', async () => {
  const { store } = paymentsWith({}).workings
  await store.openAttempt(open({ adapter: 'bank', attemptId: 'default.on' }))
  const { attempt } = await store.openAttempt(
    open({ adapter: 'psp', amount: '1.00', attemptId: 'default.over' }),
  )
  await store.learn('default', '1001', attempt.id, [cancelled], { source: 'report', now: began })
  const { payments } = await findPayments(store, '1001', began)
  expect(payments[0]!.waitsFor).toContain('the payment service (bank)')
})

test('a push that waits in a lane that fails is named with why', async () => {
  const { store } = paymentsWith({}).workings
  await store.openAttempt(open({ adapter: 'psp' }))
  await keep(store, ['a'])
  const claim = { adapter: 'psp', now: began, leaseUntil: began + 1_000, limit: 1, perLane: 1, owner: 'a' }
  const [push] = await store.claimPushes(claim)
  await store.postponePush(push!, { failure: 'no answer', dueAt: began + 60_000, aboutPush: false }, began)
  const { payments } = await findPayments(store, '1001', began)
  expect(payments[0]!.waitsFor).toContain(
    '; 1 push waits in its lane of pushes, which is open (no answer): purveyor lanes show push default psp',
  )
})
