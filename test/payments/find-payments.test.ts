import { expect, test } from 'vitest'
import { outageWords } from '../../src/payments/service-failures.ts'
import { paid, paymentsWith } from '../helpers/provider.ts'
import { runBackground } from '../helpers/run.ts'
import { delivered } from '../stores/cases/store-case.ts'

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

test('of a start that ended without an answer it says when and why, what comes next, and for how many shops it is so', async () => {
  let hangs = true
  const begin = () => (hangs ? new Promise<never>(() => {}) : { redirect: 'https://psp.example/1' })
  const { start, move, settle, workings, find } = paymentsWith({ start: begin, find: () => undefined })
  runBackground(workings)
  const waits = async () => (await find('1001')).payments[0]
  const call = expect(start()).rejects.toMatchObject({ code: 'PAYMENT_START_TIMEOUT' })
  await settle()
  expect((await waits())?.waitsFor).toBe(
    'the payment service (psp): its start began 2026-01-01 00:00:00 and has no answer yet',
  )
  await move(10_000)
  await call
  const failing =
    'starts by psp fail for 1 shop since 2026-01-01 00:00:04: 1 failed, the last 2026-01-01 00:00:04 (no answer within 4000 ms)'
  expect(await waits()).toMatchObject({
    waitsFor: `the payment service (psp); 2026-01-01 00:00:04: start failed: no answer within 4000 ms; looked up there 2026-01-01 00:01:00; the customer may try again until it expires 2026-01-01 01:00:00; ${failing}`,
    next: 'purveyor lanes show starts @all psp',
  })
  expect(outageWords((await find('psp')).failing!)).toBe(failing)

  // The service is well again: another order shows it.
  hangs = false
  await start({ id: 1002 })
  await move(120_000)
  expect(await waits()).toMatchObject({
    waitsFor: expect.stringMatching(/; 2026-01-01 00:01:.*: it has no payment of this start; .*01:00:00$/),
    next: 'purveyor payments show 1001 --shop default',
  })
  expect((await find('psp')).failing).toBeUndefined()
})
