import assert from 'node:assert/strict'
import { codeOf } from '../../../src/payments/ledger/payment.ts'
import { failAll } from './lane.ts'
import {
  asReported,
  at,
  deliverAll,
  each,
  endpoint,
  failed,
  keep,
  minute,
  open,
  openOwed,
  paid,
  redirect,
  type StoreCases,
  start,
  times,
} from './store-case.ts'

/** The rules of every store for the commands of a person on call. */
export const onCallCases: StoreCases = {
  async 'what waits is counted by the state of its lane, and only open lanes are late'(store) {
    const none = { open: 0, closed: 0, dueSince: undefined, lanesClosed: 0 }
    const kinds = ['webhook', 'push', 'check'].map((kind) => ({ ...none, kind }))
    assert.deepEqual(await store.countWaiting(start), kinds)
    const checkAt = start + 2 * minute
    for (const orderId of ['1', '2', '3', '4']) await openOwed(store, { orderId, checkAt })
    await failAll(store, start, failed(), minute)
    await openOwed(store, { shopId: 'other', orderId: '5', checkAt })
    const later = start + 10 * minute
    const [webhooks, , checks] = await store.countWaiting(later)
    assert.deepEqual(webhooks, { kind: 'webhook', open: 1, closed: 4, dueSince: start, lanesClosed: 1 })
    assert.equal(checks?.dueSince, checks?.open === 0 ? undefined : checkAt)
    // A call that is being made is not late.
    await store.claimWebhooks({ ...at(later), limit: 100 })
    assert.equal((await store.countWaiting(later))[0]?.dueSince, undefined)

    await keep(store, ['a'])
    const waits = { ...none, kind: 'push', open: 1, dueSince: start }
    assert.deepEqual((await store.countWaiting(later))[1], waits)
    await store.openAnomaly('default', '1', { kind: 'webhook_gone', attemptId: 'a', event: '' }, start)
    assert.deepEqual(await store.countAll(later), {
      webhooks: await store.countWebhooks(),
      anomalies: { webhook_gone: 1 },
      causes: { webhook_gone: 1 },
      unread: await store.countUnread(later),
      waiting: await store.countWaiting(later),
    })
  },
  async 'anomalies of a kind and adapter that follow each other have one cause, closed as one'(store) {
    for (const id of ['default', 'other']) await store.ensureShop(id, endpoint(id))
    const anomalyOf = async (shopId: string, orderId: string, adapter: string, at: number) => {
      const { attempt } = await store.openAttempt(open({ shopId, orderId, adapter, now: at }))
      const anomaly = { kind: 'start_unknown', attemptId: attempt.id, event: '' } as const
      await store.openAnomaly(shopId, orderId, anomaly, at)
    }
    for (let order = 0; order < 5; order++)
      await anomalyOf(order % 2 ? 'other' : 'default', `${order}`, 'psp', start + order * minute)
    await anomalyOf('default', '7', 'bank', start + minute)
    await anomalyOf('default', '8', 'psp', start + 90 * minute)
    const filter = { within: 30 * minute, limit: 10 }
    const shown = (await store.anomalyCauses(filter)).map(({ id: _, remedy: __, ...cause }) => cause)
    const single = (orderId: string, adapter: string, at: number) => ({
      ...{ kind: 'start_unknown', shopId: 'default', count: 1, shops: 1 },
      ...{ orderId, adapter, openedAt: at, lastOpenedAt: at, stakes: [] },
    })
    const ofAll = { shopId: undefined, orderId: undefined, count: 5, shops: 2 }
    assert.deepEqual(shown, [
      { ...single('', 'psp', start), ...ofAll, lastOpenedAt: start + 4 * minute },
      single('7', 'bank', start + minute),
      single('8', 'psp', start + 90 * minute),
    ])
    await store.openAnomaly('default', '1', { kind: 'webhook_gone', attemptId: 'none', event: '' }, start)
    const among = { within: filter.within, newest: 100 }
    assert.deepEqual(await store.countCauses(among), { start_unknown: 3, webhook_gone: 1 })
    assert.deepEqual(await store.countCauses({ ...among, newest: 1 }), { start_unknown: 1 })
    const every = { start_unknown: 7, webhook_gone: 1 }
    assert.deepEqual(await store.countCauses({ ...among, within: minute / 2 }), every)
    assert.deepEqual(await store.countAnomalies(), every)
    const ofOrder = await store.anomalies({ shopId: 'default', orderId: '1', limit: 10 })
    await store.closeAnomaly(ofOrder.find(({ kind }) => kind === 'webhook_gone')!.id, 'seen', start)
    assert.deepEqual(await store.countCauses(among), { start_unknown: 3 })
    const [ofShop] = await store.anomalyCauses({ ...filter, shopId: 'other' })
    assert.deepEqual([ofShop?.count, ofShop?.shopId], [2, 'other'])

    const before = start + 5 * minute
    const choice = { kind: 'start_unknown', adapter: 'psp', before, limit: 3 } as const
    assert.equal((await store.chooseAnomalies({ ...choice, limit: 10 })).length, 5)
    const later = { ...choice, since: start + 3 * minute, limit: 10 }
    assert.deepEqual(each(await store.chooseAnomalies(later), 'orderId'), ['3', '4'])
    assert.equal(await store.closeAnomalies(choice, 'outage', start, 'jan'), 3)
    assert.equal(await store.closeAnomalies(choice, 'outage', start, 'jan'), 2)
    assert.equal(await store.closeAnomalies(choice, 'outage', start, 'jan'), 0)
    const left = await store.anomalies({ limit: 10 })
    assert.deepEqual([each(left, 'orderId'), each(left, 'note')], [['7', '8'], Array(2).fill(undefined)])
    const entries = await store.auditTrail({ shopId: 'other', limit: 10 })
    const closed = entries.filter(({ action }) => action === 'anomaly.closed')
    const said = closed.map((entry) => `${entry.by} ${'order' in entry && entry.order}`)
    assert.deepEqual(said, ['jan 1', 'jan 3'])
  },
  async 'a payment of any shop is found by each of its names'(store) {
    const opening = open({ orderId: '41', orderNumber: 'ORD41', shopId: 'other' })
    const { attempt } = await store.openAttempt(opening)
    await store.noteStart(attempt, { ...redirect, reference: 'tr_41' }, times(60))
    await store.openAttempt(open({ orderId: '41', orderNumber: 'X' }))
    const anomaly = { kind: 'start_unknown', attemptId: attempt.id, event: '' } as const
    await store.openAnomaly('other', '41', anomaly, start)
    const [{ id } = { id: '' }] = await store.anomalies({ limit: 1 })
    const find = async (name: string, pageHash = '') =>
      (await store.findOrders({ name, pageHash })).map(({ shopId, by }) => `${shopId} by ${by}`).sort()
    assert.deepEqual(await find('41'), ['default by order', 'other by order'])
    assert.deepEqual(await find('ORD41'), ['other by order number'])
    assert.deepEqual(await find(attempt.id), ['other by attempt'])
    assert.deepEqual(await find('tr_41'), ['other by reference'])
    for (const read of [
      codeOf(attempt),
      codeOf(attempt).toLowerCase().replaceAll('-', ' ').replace('1', 'l'),
    ])
      assert.deepEqual(await find(read), ['default by code', 'other by code'])
    assert.deepEqual(await find(attempt.idempotencyKey), ['other by idempotency key'])
    assert.deepEqual(await find('', opening.pageHash), ['other by page'])
    assert.deepEqual(await find(id), ['other by anomaly'])
    assert.deepEqual(await find("' or 1=1 --"), [])
    await store.learn('other', '41', attempt.id, [paid], asReported)
    const [owed] = await store.webhooks({ shopId: 'other', orderId: '41', limit: 1 })
    assert.equal(owed?.state, 'owed')
  },
  async 'an order that two shops have is found in both, however many attempts one of them has since'(store) {
    await store.openAttempt(open({ orderId: '41', shopId: 'other' }))
    for (let after = 1; after <= 101; after++)
      await store.openAttempt(open({ orderId: '41', amount: `${after}.00`, now: start + after }))
    const found = await store.findOrders({ name: '41', pageHash: '' })
    const [first, second] = [{ shopId: 'default' }, { shopId: 'other' }].map((one) => ({
      ...one,
      orderId: '41',
      by: 'order',
    }))
    assert.deepEqual(found, [first, second])
  },
  async 'a payment of any shop is found by its movements, disputes and the names of its service'(store) {
    const { attempt } = await store.openAttempt(open({ orderId: '41', shopId: 'other' }))
    const money = { amount: '29.34', currency: 'eur' } as const
    const events = [
      { ...paid, event: 'pay_1' },
      { word: 'refunded', event: 're_1', ...money },
      { word: 'disputed', event: 'dp_1', ...money },
      { word: 'charged_back', event: 'dp_1', ...money },
      { word: 'named', event: 'INV-2026-17' },
    ] as const
    await store.learn('other', '41', attempt.id, events, { source: 'push', now: start })
    const find = (name: string, shopId?: string) => store.findOrders({ name, pageHash: '', shopId })
    for (const name of ['pay_1', 're_1', 'dp_1', 'INV-2026-17'])
      assert.deepEqual(await find(name), [{ shopId: 'other', orderId: '41', by: 'event' }])
    assert.deepEqual(await find('re_1', 'default'), [])
  },
  async 'what a shop accepted and did not read is shown by shop and by order, with the next reminder'(store) {
    for (const orderId of ['1', '2', '3'])
      await openOwed(store, { shopId: orderId === '3' ? 'other' : 'default', orderId })
    await deliverAll(store)
    assert.deepEqual(await store.unread({ limit: 5 }), [])
    const now = start + 16 * minute
    await store.remindUnread({ now, limit: 5 })
    await deliverAll(store, now)
    const one = { orders: 1, acceptedAt: start, remindAt: start + 60 * minute }
    const [first, second] = [
      { ...one, shopId: 'default', orders: 2, orderId: '1' },
      { ...one, shopId: 'other', orderId: '3' },
    ]
    assert.deepEqual(await store.unread({ limit: 5 }), [first, second])
    assert.deepEqual(await store.unread({ limit: 1 }), [first])
    await store.noteRead('default', '1', 1, now)
    assert.deepEqual(await store.unread({ shopId: 'default', orderId: '1', limit: 5 }), [])
    const unread = { ...one, shopId: 'default', orderId: '2' }
    assert.deepEqual(await store.unread({ shopId: 'default', limit: 5 }), [unread])
    // After a week nothing reminds the shop any more.
    await store.remindUnread({ now: start + 8 * 24 * 60 * minute, limit: 5 })
    const [last] = await store.unread({ shopId: 'other', orderId: '3', limit: 5 })
    assert.deepEqual([last?.acceptedAt, last?.remindAt], [start, undefined])
  },
}
