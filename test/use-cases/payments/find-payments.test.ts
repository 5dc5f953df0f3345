import { expect, test } from 'vitest'
import { findPayments } from '../../../src/use-cases/payments/find-payments.ts'
import { delivered } from '../../stores/cases/store-case.ts'
import { paid, paymentsWith } from '../provider.ts'

test('what a payment waits for follows its state: its service, then its webhook, then the shop, then nothing', async () => {
  const { start, report, workings, world } = paymentsWith({})
  const { store } = workings
  const waitsFor = async () => {
    const { payments } = await findPayments(store, '1001', {
      publicUrl: workings.publicUrl,
      now: world.now(),
      contents: workings.contents,
    })
    return payments.map((found) => found.waitsFor)
  }
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
