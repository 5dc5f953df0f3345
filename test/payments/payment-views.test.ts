import { expect, test } from 'vitest'
import { paymentsOf } from '../../src/payments/payments.ts'
import { minute, paid, paymentsWith } from '../helpers/provider.ts'
import { open } from '../stores/cases/store-case.ts'

/** A provider whose payments are started without an address, and what its code reads of them. */
function setUp(reference?: string) {
  const setup = paymentsWith({ start: () => ({ later: true, reference }) })
  return { ...setup, payments: paymentsOf(setup.workings, async () => {}) }
}

test('the code of a provider reads a payment with its ledger, lists, follows and closes', async () => {
  const { start, report, payments } = setUp('tr_1')
  await start()
  expect(await payments.get({ orderId: 999 })).toBeUndefined()
  await report({ status: 'paid', amount: '29.34', currency: 'eur', event: 't1' })
  await report({ status: 'refunded', amount: 5, currency: 'eur', event: 're_1' })
  await report({ status: 'charged_back', amount: 10, currency: 'eur', event: 'du_1' })
  const view = (await payments.get({ orderId: 1001 }))!
  expect(view).toMatchObject({
    ...{ shop: 'default', orderId: '1001', status: 'paid', amount: '29.34' },
    ledger: {
      ...{ currency: 'eur', received: '29.34', refunded: '5.00', net: '14.34', others: [] },
      ...{ chargedBack: '10.00', chargebackWon: '0.00' },
    },
    attempts: [{ reference: 'tr_1', movements: [{ event: 't1' }, { event: 're_1' }, { event: 'du_1' }] }],
    anomalies: [{ kind: 'charged_back', stake: '10.00', closedAt: undefined }],
  })
  for (const q of ['1001', 'tr_1', '29.34', view.attempts[0]!.id])
    expect((await payments.list({ q })).payments.map(({ orderId }) => orderId)).toEqual(['1001'])
  expect((await payments.list({ q: 'tr_1', status: 'pending' })).payments).toEqual([])
  expect((await payments.list({ q: 'tr_1', shop: 'other' })).payments).toEqual([])

  const kinds = ['opened', 'paid', 'refunded', 'charged_back']
  expect((await payments.changes()).map(({ kind }) => kind)).toEqual(kinds)
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
  const { start, payments } = setUp()
  for (let id = 1; id <= 5; id++) await start({ id })
  const first = await payments.list({ limit: 3 })
  const rest = await payments.list({ limit: 3, cursor: first.cursor! })
  const listed = [...first.payments, ...rest.payments].map(({ orderId }) => orderId)
  expect(listed.sort().join()).toBe('1,2,3,4,5')
  expect(rest.cursor).toBeUndefined()
  await expect(payments.list({ cursor: 'x' })).rejects.toMatchObject({ code: 'ARGUMENT_INVALID' })
})

test('a list has the payments of a status, of a shop, or since a moment alone', async () => {
  const { start, report, move, world, payments } = setUp()
  await start({ id: 1001 })
  await start({ id: 1002 })
  await move(minute)
  await report(paid)
  const listed = async (query: Parameters<typeof payments.list>[0]) =>
    (await payments.list(query)).payments.map(({ orderId }) => orderId).sort()
  expect(await listed({ status: 'paid' })).toEqual(['1001'])
  expect(await listed({ status: 'pending' })).toEqual(['1002'])
  expect(await listed({ since: new Date(world.now()) })).toEqual(['1001'])
  expect(await listed({ shop: 'default' })).toEqual(['1001', '1002'])
  expect(await listed({ shop: 'other' })).toEqual([])
})

test('what is found by a name is filtered before it is cut, and goes on behind its cursor', async () => {
  const { start, report, payments } = setUp()
  for (let id = 1; id <= 130; id++) await start({ id })
  await start({ id: 1001, price_incl: 5 })
  await report({ status: 'paid', amount: 5, currency: 'eur' })
  const found: string[] = []
  let cursor: string | undefined
  do {
    const page = await payments.list({ q: '29.34', limit: 30, ...(cursor !== undefined && { cursor }) })
    found.push(...page.payments.map(({ orderId }) => orderId))
    cursor = page.cursor
  } while (cursor !== undefined)
  expect(new Set(found).size).toBe(100)
  expect(found).toHaveLength(100)
  expect((await payments.list({ q: '29.34', status: 'paid' })).payments).toEqual([])
})

test('a name that many shops use finds the payment of one shop', async () => {
  const { start, workings, world, payments } = setUp()
  await workings.store.ensureShop('other', { tokenHash: 'h', sealedToken: 's', now: world.now() })
  const before = { shopId: 'other', orderId: '7', amount: '29.34', now: world.now() - 1 }
  await workings.store.openAttempt(open(before))
  for (let id = 1; id <= 120; id++) await start({ id })
  expect((await payments.list({ q: '29.34', shop: 'other' })).payments).toMatchObject([{ orderId: '7' }])
})

test.each([
  ['list', { limit: Number.NaN }, 'limit'],
  ['list', { limit: 0 }, 'limit'],
  ['list', { status: 'done' }, 'status'],
  ['list', { since: '2026-03-02' }, 'since'],
  ['list', { since: new Date('x') }, 'since'],
  ['list', { q: 12 }, 'q'],
  ['changes', { limit: 1.5 }, 'limit'],
  ['anomalies', { limit: 'all' }, 'limit'],
  ['list', { shopId: 'default' }, 'shopId'],
  ['get', {}, 'orderId'],
  ['timeline', { orderId: '' }, 'orderId'],
  ['refresh', {}, 'orderId'],
  ['redeliver', { orderId: {} }, 'orderId'],
])('%s(%o) is refused by name', async (member, query, name) => {
  const { payments } = setUp()
  const call = async () => (payments as never as Record<string, (of: object) => unknown>)[member]!(query)
  await expect(call()).rejects.toMatchObject({ code: 'ARGUMENT_INVALID' })
  await expect(call()).rejects.toThrow(name)
})
