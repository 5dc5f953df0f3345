import { expect, test } from 'vitest'
import { reportPayment } from '../../src/payments/learn-payment.ts'
import { paid, paymentsWith } from '../helpers/provider.ts'

const back = { amount: '5.00', currency: 'eur' } as const

test('what goes back of an order is reported of the attempt that was paid, and other words of the newest', async () => {
  const { start, stored, report, workings, facts, anomalies } = paymentsWith({})
  await start()
  await start({ price_incl: 20 })
  const [first] = (await stored()).attempts
  await reportPayment(workings, { attemptId: first!.id }, { ...paid, event: 'tr_1' })
  await report({ status: 'refunded', ...back, event: 're_1' })
  await report({ status: 'refund_failed', ...back, event: 're_1' })
  await report({ status: 'charged_back', ...back, event: 'dp_1' })
  await report({ status: 'cancelled' })
  expect(await facts()).toEqual([['paid', 'refunded', 'refund_failed', 'charged_back'], ['cancelled']])
  expect(await anomalies()).toEqual(['overpaid', 'charged_back'])
})

test('an anomaly is logged with the money at stake', async () => {
  const { start, report, lines } = paymentsWith({})
  await start()
  await report({ ...paid, event: 'tr_1' })
  await report({ status: 'charged_back', ...back, event: 'dp_1' })
  expect(lines.find(({ message }) => message === 'payment needs review')?.fields).toMatchObject({
    anomaly: 'charged_back',
    ...{ stake: '5.00', received: '29.34', expected: '29.34', currency: 'eur' },
  })
})

test('a report of a payment whose shop was removed is refused with a code', async () => {
  const { start, stored, workings, world } = paymentsWith({})
  await start()
  const [attempt] = (await stored()).attempts
  await workings.store.ensureShop('default', { tokenHash: 'h', sealedToken: 's', now: world.now() })
  await workings.store.removeShop('default', world.now())
  for (const ref of [{ attemptId: attempt!.id }, { orderId: 1001 }, { adapter: 'psp', reference: 'tr_1' }])
    await expect(reportPayment(workings, ref, paid)).rejects.toMatchObject({ code: 'UNKNOWN_PAYMENT' })
})
