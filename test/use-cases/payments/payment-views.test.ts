import { expect, test } from 'vitest'
import { paymentsOf } from '../../../src/use-cases/payments/payments.ts'
import { paymentsWith } from '../provider.ts'

test('the code of a provider reads a payment with its ledger, lists, follows and closes', async () => {
  const { start, report, workings } = paymentsWith({ start: () => ({ later: true, reference: 'tr_1' }) })
  const payments = paymentsOf(workings)
  await start()
  expect(await payments.get({ orderId: 999 })).toBeUndefined()
  await report({ status: 'paid', amount: '29.34', currency: 'eur', event: 't1' })
  await report({ status: 'refunded', amount: 5, currency: 'eur', event: 're_1' })
  await report({ status: 'charged_back', amount: 10, currency: 'eur', event: 'du_1' })
  const view = (await payments.get({ orderId: 1001 }))!
  expect(view).toMatchObject({
    shop: 'default',
    orderId: '1001',
    status: 'paid',
    amount: '29.34',
    ledger: {
      currency: 'eur',
      received: '29.34',
      refunded: '5.00',
      chargedBack: '10.00',
      chargebackWon: '0.00',
      net: '14.34',
      others: [],
    },
    attempts: [{ reference: 'tr_1', movements: [{ event: 't1' }, { event: 're_1' }, { event: 'du_1' }] }],
    anomalies: [{ kind: 'charged_back', stake: '10.00', closedAt: undefined }],
  })
  for (const q of ['1001', 'tr_1', '29.34', view.attempts[0]!.id])
    expect((await payments.list({ q })).payments.map(({ orderId }) => orderId)).toEqual(['1001'])
  expect((await payments.list({ q: 'tr_1', status: 'pending' })).payments).toEqual([])
  expect((await payments.list({ q: 'tr_1', shop: 'other' })).payments).toEqual([])

  expect((await payments.changes()).map(({ kind }) => kind)).toEqual([
    'opened',
    'paid',
    'refunded',
    'charged_back',
  ])
  await expect(payments.changes({ after: 'x' })).rejects.toMatchObject({ code: 'ARGUMENT_INVALID' })
  await payments.closeAnomaly(view.anomalies[0]!.id, 'answered')
  await report({ status: 'charged_back', amount: 10, currency: 'eur', event: 'du_1' })
  await report({ status: 'charged_back', amount: 4, currency: 'eur', event: 'du_2' })
  const { anomalies } = (await payments.get({ orderId: 1001 }))!
  expect(anomalies.map(({ stake, closedAt }) => [stake, closedAt === undefined])).toEqual([
    ['10.00', false],
    ['4.00', true],
  ])
  expect(await payments.redeliver({ orderId: 1001 })).toBe(true)
  expect(await payments.redeliver({ orderId: 999 })).toBe(false)
})

test('a list goes on behind its cursor, and a wrong one is refused', async () => {
  const { start, workings } = paymentsWith({ start: () => ({ later: true }) })
  const payments = paymentsOf(workings)
  for (let id = 1; id <= 5; id++) await start({ id })
  const first = await payments.list({ limit: 3 })
  const rest = await payments.list({ limit: 3, cursor: first.cursor! })
  expect([...first.payments, ...rest.payments].map(({ orderId }) => orderId).sort()).toEqual([
    '1',
    '2',
    '3',
    '4',
    '5',
  ])
  expect(rest.cursor).toBeUndefined()
  await expect(payments.list({ cursor: 'x' })).rejects.toMatchObject({ code: 'ARGUMENT_INVALID' })
})
