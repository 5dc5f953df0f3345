import assert from 'node:assert/strict'
import { readChanges } from '../../../src/payments/payment-timeline.ts'
import type { PaymentChange } from '../../../src/store.ts'
import type { StorePort } from '../../../src/store-port.ts'
import { each, minute, open, redirect, type StoreCases, start, times } from './store-case.ts'

const part = (event: string, amount: string) => ({ word: 'paid', event, amount, currency: 'eur' }) as const
const refund = { word: 'refunded', event: 're_1', amount: '5.00', currency: 'eur' } as const
const hour = 60 * minute
const how = { source: 'push', now: start } as const

const learn = (store: StorePort, orderId: string, attemptId: string, statement: ReturnType<typeof part>) =>
  store.learn('default', orderId, attemptId, [statement], how)

/** The rules of every store for money: what is on record, and the feed of what changed. */
export const moneyCases: StoreCases = {
  async 'movements are on record once each, with event, times and a conflict that counts as nothing'(store) {
    const { attempt } = await store.openAttempt(open())
    const first = { ...part('t1', '20.00'), happenedAt: start - hour, mode: 'live' } as const
    for (let times = 0; times < 2; times++)
      await store.learn('default', '1001', attempt.id, [first, part('t2', '9.34'), refund], how)
    await learn(store, '1001', attempt.id, part('t1', '99.00'))
    const payment = await store.payment('default', '1001')
    assert.deepEqual([payment?.status, payment?.paidBy], ['paid', attempt.id])
    const facts = payment?.attempts[0]?.facts ?? []
    assert.deepEqual(
      facts.map((one) => [one.kind, one.event, one.amount, one.happenedAt, one.conflicts]),
      [
        ['paid', 't1', '20.00', start - hour, undefined],
        ['paid', 't2', '9.34', undefined, undefined],
        ['refunded', 're_1', '5.00', undefined, undefined],
        ['paid', 't1', '99.00', undefined, true],
      ],
    )
    const [{ kind, expected, received } = {} as never] = await store.anomalies({ limit: 5 })
    assert.deepEqual([kind, expected, received], ['event_changed', '20.00', '99.00'])
  },
  async 'the anomaly of a dispute has its time to answer, and ends in one commit with the dispute'(store) {
    const { attempt } = await store.openAttempt(open())
    const money = { event: 'd1', amount: '29.34', currency: 'eur' }
    const answerBy = start + 48 * hour
    const disputed = { word: 'disputed', ...money, answerBy } as const
    await store.learn('default', '1001', attempt.id, [disputed], how)
    const filter = { orderId: '1001', limit: 5, closed: true }
    const [opened] = await store.anomalies(filter)
    assert.deepEqual(
      [opened?.kind, opened?.stake, opened?.answerBy, opened?.closedAt],
      ['disputed', '29.34', answerBy, undefined],
    )
    assert.equal((await store.payment('default', '1001'))?.attempts[0]?.facts[0]?.answerBy, answerBy)
    const won = { word: 'chargeback_won', ...money } as const
    for (const now of [start + 5, start + 6])
      await store.learn('default', '1001', attempt.id, [won], { ...how, now })
    const [closed, ...others] = await store.anomalies(filter)
    const note = 'ended by chargeback_won #d1'
    assert.deepEqual([closed?.closedAt, closed?.note, others], [start + 5, note, []])
  },
  async 'what a payment service says last of an attempt is kept, and its expiry is never shortened'(store) {
    const { attempt } = await store.openAttempt(open())
    const expiresAt = start + 48 * hour
    const said = { word: 'pending', expiresAt } as const
    await store.learn('default', '1001', attempt.id, [said], how)
    const later = { ...redirect, how: 'later', paymentUrl: undefined } as const
    const { attempt: started } = await store.noteStart(attempt, later, times(60))
    assert.deepEqual([started.expiresAt, started.lastWord], [expiresAt, { is: 'working', at: start }])
    const stored = await store.attempt('default', attempt.id)
    assert.deepEqual([stored?.expiresAt, stored?.lastWord?.is], [expiresAt, 'working'])
  },
  async 'the feed has every change once, in the order of commits, and goes on behind a cursor'(store) {
    assert.deepEqual(await readChanges(store), [])
    const orders = Array.from({ length: 8 }, (_, order) => `${order}`)
    await Promise.all(
      orders.map(async (orderId) => {
        const { attempt } = await store.openAttempt(open({ orderId }))
        await store.openAttempt(open({ orderId, methodId: attempt.methodId }))
        for (const event of ['t1', 't2', 't2', 't3'])
          await learn(store, orderId, attempt.id, part(event, '9.78'))
      }),
    )
    const read: PaymentChange[] = []
    for (let after = '0'; ; ) {
      const page = await readChanges(store, { after, limit: 7 })
      read.push(...page)
      after = page.at(-1)?.cursor ?? after
      if (page.length < 7) break
    }
    assert.equal(new Set(read.map(({ cursor }) => cursor)).size, 32)
    for (const orderId of orders) {
      const own = read.filter((change) => change.orderId === orderId)
      const said = own.map(({ kind, event, amount, status }) => `${kind} ${event} ${amount}: ${status}`)
      const parts = ['t1 9.78: pending', 't2 9.78: pending', 't3 9.78: paid'].map((one) => `paid ${one}`)
      assert.deepEqual(said, ['opened undefined 29.34: pending', ...parts])
    }
    const last = read.at(-1)!.cursor
    assert.deepEqual(await readChanges(store, { after: last }), [])
    await store.erasePayment('default', '7', start)
    assert.equal((await readChanges(store)).length, 28)
    await store.openAttempt(open({ orderId: 'new' }))
    const [next] = await readChanges(store, { after: last })
    assert.deepEqual([next?.orderId, Number(next?.cursor) > Number(last)], ['new', true])
  },
  async 'payments are listed page by page, also of one moment, and found by their amount'(store) {
    for (let order = 1; order <= 9; order++) {
      const now = start + (order > 6 ? 1 : 0)
      await store.openAttempt(open({ orderId: `${order}`, amount: `${order}.00`, now }))
    }
    const seen: string[] = []
    for (let after: Parameters<StorePort['payments']>[0]['after']; ; ) {
      const filter = { limit: 4, ...(after && { after }) }
      const page = await store.payments(filter)
      seen.push(...each(page, 'orderId'))
      after = page.at(-1)
      if (page.length < 4) break
    }
    assert.deepEqual(seen, ['9', '8', '7', '6', '5', '4', '3', '2', '1'])
    assert.equal((await store.payments({ since: start + 1, limit: 9 })).length, 3)
    await store.openAttempt(open({ orderId: '4', amount: '40.00', adapter: 'bank', now: start + 2 }))
    const pending = await store.payments({ shopId: 'default', status: 'pending', limit: 9 })
    assert.deepEqual(each(pending[0]!.attempts, 'adapter'), ['psp', 'bank'])
    assert.deepEqual(await store.payments({ shopId: 'other', limit: 9 }), [])
    const found = [{ shopId: 'default', orderId: '4', by: 'amount' }]
    assert.deepEqual(await store.findOrders({ name: '4.00', pageHash: '' }), found)
  },
}
