import { expect, test } from 'vitest'
import type { AnyPaymentAdapter } from '../../src/any-adapter.ts'
import type { PaymentReport } from '../../src/payments/ledger/report.ts'
import { moveMoney } from '../../src/payments/move-money.ts'
import { paymentsOf } from '../../src/payments/payments.ts'
import { day, hour, minute, paymentsWith } from '../helpers/provider.ts'
import { runBackground } from '../helpers/run.ts'

const part = (amount: string, event: string): PaymentReport => ({
  ...{ status: 'paid', amount, currency: 'eur', event },
})
const order = { orderId: 1001 }

/** An order of 29.34 at a service with refunds, whose clock and background the test moves on. */
async function running(adapter: Partial<AnyPaymentAdapter> = {}) {
  const setup = paymentsWith({
    refund: (_attempt, { amount, currency, idempotencyKey: event }) => ({
      ...{ status: 'refunded', amount, currency, event },
    }),
    ...adapter,
  })
  runBackground(setup.workings)
  await setup.start()
  const { workings } = setup
  const waits = async () => (await setup.find('1001')).payments[0]!
  const close = async () => {
    for (const { id } of await workings.store.anomalies({ limit: 9 }))
      await paymentsOf(workings, async () => {}).closeAnomaly(id, 'the customer keeps it', { by: 'anna' })
  }
  return { ...setup, waits, close }
}

test('a part that is sent back ends the payment once its time is over, and the shop is called', async () => {
  const { workings, report, move, stored, calls, anomalies } = await running()
  await report(part('29.00', 'tr_1'))
  await move(60 * day, hour)
  expect([(await stored()).status, await anomalies(), calls.length]).toEqual(['pending', ['underpaid'], 0])
  await moveMoney(workings, 'refund', order, { amount: '28.99' })
  await move(minute)
  expect([(await stored()).status, calls.length]).toEqual(['pending', 0])
  await moveMoney(workings, 'refund', order)
  await move(minute)
  expect([(await stored()).status, calls.length]).toEqual(['expired', 1])
})

test('a part that is sent back before its time is over leaves the customer the rest of the time', async () => {
  const { workings, report, move, stored, anomalies } = await running()
  await report(part('29.00', 'tr_1'))
  await moveMoney(workings, 'refund', order)
  await move(50 * minute)
  expect((await stored()).status).toBe('pending')
  await move(11 * minute)
  expect([(await stored()).status, await anomalies()]).toEqual(['expired', []])
})

test('the payment ends when a person closes what is short, each part of it, and no earlier', async () => {
  const { report, move, stored, calls, close, workings, world } = await running()
  await report(part('29.00', 'tr_1'))
  await move(2 * hour)
  await close()
  await report(part('0.10', 'tr_2'))
  await move(minute)
  expect((await stored()).status).toBe('pending')
  const choice = { kind: 'underpaid', before: world.now() + 1, limit: 9 } as const
  expect(await workings.store.closeAnomalies(choice, 'a voucher covers it', world.now())).toBe(1)
  await move(minute)
  expect([(await stored()).status, calls.length]).toEqual(['expired', 1])
  // The rest may come all the same.
  await report(part('0.24', 'tr_3'))
  expect((await stored()).status).toBe('paid')
})

test('an older attempt that holds a part is refunded and ended by the order alone', async () => {
  const { workings, start, report, move, stored, waits, calls } = await running()
  await report(part('29.00', 'tr_1'))
  await start({ price_incl: 40 })
  await move(2 * hour)
  expect(await waits()).toMatchObject({
    status: 'pending',
    waitsFor: expect.stringMatching(/^a person: underpaid /),
    next: 'purveyor payments show 1001 --shop default',
  })
  const moved = await moveMoney(workings, 'refund', order)
  expect([moved.amount, moved.ledger.net]).toEqual(['29.00', '0.00'])
  expect(await moveMoney(workings, 'refund', order, { key: moved.key })).toMatchObject({ amount: '29.00' })
  await expect(moveMoney(workings, 'refund', order)).rejects.toMatchObject({ code: 'MONEY_UNAVAILABLE' })
  await move(minute)
  expect([(await stored()).status, calls.length]).toEqual(['expired', 1])
})

test('where several attempts hold money, a refund of the order names them', async () => {
  const { workings, start, report, stored } = await running()
  await report(part('10.00', 'tr_1'))
  await start({ price_incl: 40 })
  await start({ price_incl: 50 })
  const [first, second] = (await stored()).attempts
  const { store, world } = workings
  const statements = [{ word: 'paid', amount: '12.00', currency: 'eur', event: 'tr_2' }] as const
  await store.learn('default', '1001', second!.id, statements, { source: 'push', now: world.now() })
  const refund = moveMoney(workings, 'refund', order)
  await expect(refund).rejects.toMatchObject({ code: 'MONEY_UNAVAILABLE' })
  await expect(refund).rejects.toThrow(
    `10.00 eur of attempt ${first?.id}, 12.00 eur of attempt ${second?.id}`,
  )
})

test('money of another currency that a person settled, and a refund that fails after the end, hold nothing up', async () => {
  const { workings, report, move, stored, anomalies, close } = await running()
  await report({ ...part('20.00', 'tr_1'), currency: 'usd' } as PaymentReport)
  expect(await anomalies()).toEqual(['paid_other_currency'])
  await close()
  await move(61 * minute)
  expect((await stored()).status).toBe('expired')

  await report(part('20.00', 'tr_2'))
  await move(minute)
  const { key } = await moveMoney(workings, 'refund', order)
  await close()
  await report({ status: 'refund_failed', amount: '20.00', currency: 'eur', event: key })
  expect(await anomalies()).toEqual(['underpaid'])
})

test('a small difference is let pass where the adapter or the shop says so, and the ledger shows it', async () => {
  for (const underpaidBy of ['0.50', () => '0.50']) {
    const { report, stored, start, workings, anomalies } = await running({ underpaidBy })
    await report(part('28.83', 'tr_1'))
    expect((await stored()).status).toBe('pending')
    await report(part('0.01', 'tr_2'))
    expect((await stored()).status).toBe('paid')
    const view = await paymentsOf(workings, async () => {}).get(order)
    expect(view?.ledger).toMatchObject({ received: '28.84', underpaid: '0.50', net: '28.84' })
    await start()
    await report({ status: 'expired' })
    expect(await anomalies()).toEqual([])
  }
})

test('a tolerance of half of the order is the largest one', async () => {
  const { report, stored } = await running({ underpaidBy: '14.67' })
  await report(part('14.67', 'tr_1'))
  expect((await stored()).status).toBe('paid')
})

test('a tolerance of more than half of the order lets nothing pass', async () => {
  const { report, stored, lines } = await running({ underpaidBy: '14.68' })
  await report(part('29.33', 'tr_1'))
  expect((await stored()).status).toBe('pending')
  expect(lines.map(({ message }) => message)).toContain(
    'underpaidBy is more than half of the order, so it is ignored',
  )
})

test('a tolerance in another form starts no payment', async () => {
  for (const answer of ['100%', '-0.50', 0.5]) {
    const { start } = paymentsWith({ underpaidBy: () => answer as string })
    await expect(start()).rejects.toMatchObject({ code: 'PAYMENT_START_FAILED' })
  }
})
