import assert from 'node:assert/strict'
import type { Statement } from '../../../src/payments/ledger/report.ts'
import type { AskedRates, Minute, StorePort } from '../../../src/store-port.ts'
import {
  again,
  at,
  deliverAll,
  delivered,
  each,
  endpoint,
  failed,
  keep,
  minute,
  open,
  openOwed,
  paid,
  type StoreCases,
  start,
} from './store-case.ts'

const hour = 60 * minute
const day = 24 * hour

/** Opens an order, and learns each fact a minute after the one before. */
async function orderWith(
  store: StorePort,
  shopId: string,
  orderId: string,
  now: number,
  ...facts: Statement[]
) {
  const { attempt } = await store.openAttempt(open({ shopId, orderId, now }))
  for (const [place, fact] of facts.entries())
    await store.learn(shopId, orderId, attempt.id, [fact], {
      source: 'push',
      now: now + (place + 1) * minute,
    })
  return attempt
}

const money = (word: 'paid' | 'refunded' | 'charged_back', amount: string, event = word): Statement => ({
  ...{ word, amount, currency: 'eur', event },
})

async function listed(store: StorePort, filter: Parameters<StorePort['payments']>[0]): Promise<string[]> {
  const [payments, summaries] = [await store.payments(filter), await store.paymentSummaries(filter)]
  assert.deepEqual(
    summaries.map(({ orderId, lastAt }) => [orderId, lastAt]),
    payments.map(({ orderId, lastAt }) => [orderId, lastAt]),
  )
  return each(summaries, 'orderId')
}

const row = (label: string, changes: Partial<Minute> = {}): Minute => ({
  ...{ what: 'request', label, count: 10, failed: 1, p50: 5, p95: 20, p99: 30 },
  ...changes,
})

const who = { at: start, by: 'root' }
const delivery = row('d', { what: 'delivery' })

const asked = (id: string, changes: Partial<AskedRates> = {}): AskedRates => ({
  ...{ id, shopId: 'one', at: start, kind: 'checkout', country: 'nl', weight: '4.2 kg', lines: 2 },
  ...{ value: '61.20', currency: 'eur', ms: 12, methods: 1, missing: false },
  explanation: { adapters: [], fallback: false, deadline: 2_500 },
  ...changes,
})

/** What the console reads and writes, of every store. */
export const consoleCases: StoreCases = {
  async 'payments are listed by their latest event: a fact, a read, an anomaly or its end'(store) {
    const a = await orderWith(store, 'one', 'a', start)
    await orderWith(store, 'two', 'b', start + minute)
    await orderWith(store, 'one', 'c', start + 2 * minute)
    assert.deepEqual(await listed(store, { limit: 9 }), ['c', 'b', 'a'])
    await store.learn('one', 'a', a.id, [paid], { source: 'push', now: start + 3 * minute })
    assert.deepEqual(await listed(store, { limit: 9 }), ['a', 'c', 'b'])
    await store.noteRead('two', 'b', 1, start + 4 * minute)
    assert.deepEqual(await listed(store, { limit: 9 }), ['b', 'a', 'c'])
    const anomaly = { kind: 'unknown_status', attemptId: 'one.x', event: 'odd' } as const
    await store.openAnomaly('one', 'c', anomaly, start + 5 * minute)
    assert.deepEqual(await listed(store, { limit: 9 }), ['c', 'b', 'a'])
    await store.learn('one', 'a', a.id, [money('refunded', '1.00')], {
      source: 'push',
      now: start + 6 * minute,
    })
    const [found] = await store.anomalies({ shopId: 'one', orderId: 'c', limit: 1 })
    await store.closeAnomaly(found!.id, 'seen', start + 7 * minute)
    assert.deepEqual(await listed(store, { limit: 9 }), ['c', 'a', 'b'])
    assert.deepEqual(await listed(store, { shopId: 'one', limit: 9 }), ['c', 'a'])
    assert.deepEqual(await listed(store, { shopId: 'one', status: 'paid', limit: 9 }), ['a'])
    assert.deepEqual(await listed(store, { since: start + 6 * minute, limit: 9 }), ['c', 'a'])
    assert.deepEqual(await listed(store, { since: start + 6 * minute + 1, limit: 9 }), ['c'])
  },

  async 'a repeat changes no place in the list'(store) {
    const a = await orderWith(store, 'one', 'a', start, paid)
    await orderWith(store, 'one', 'b', start + 2 * minute)
    await store.learn('one', 'a', a.id, [paid], { source: 'push', now: start + 3 * minute })
    await store.noteRead('one', 'a', 1, start + 3 * minute)
    await store.noteRead('one', 'b', 0, start + 4 * minute)
    await store.noteRead('one', 'b', 1, start + 5 * minute)
    await store.noteRead('one', 'a', 1, start + 6 * minute)
    assert.deepEqual(await listed(store, { limit: 9 }), ['b', 'a'])
  },

  async 'pages of the list show each payment once, also those of one moment, with a shop and without'(store) {
    for (const shopId of ['one', 'two'])
      for (let order = 0; order < 7; order++)
        await orderWith(store, shopId, `${order}`, start + Math.floor(order / 3))
    for (const shopId of [undefined, 'two']) {
      const seen: string[] = []
      for (let after: Parameters<StorePort['payments']>[0]['after']; ; ) {
        const page = await store.paymentSummaries({ shopId, limit: 3, after })
        seen.push(...page.map((one) => `${one.shop} ${one.orderId}`))
        const last = page.at(-1)
        if (page.length < 3) break
        after = { lastAt: last!.lastAt, shopId: last!.shop, orderId: last!.orderId }
      }
      assert.deepEqual([seen.length, new Set(seen).size], shopId ? [7, 7] : [14, 14])
      const all = await store.paymentSummaries({ shopId, limit: 99 })
      assert.deepEqual(
        seen,
        all.map((one) => `${one.shop} ${one.orderId}`),
      )
    }
  },

  async 'the filter for review lists payments with an open anomaly, once each, and those alone'(store) {
    for (const [shopId, order] of [
      ['one', 'a'],
      ['two', 'b'],
      ['one', 'c'],
      ['two', 'd'],
    ] as const)
      await orderWith(store, shopId, order, start)
    const odd = (event: string) => ({ kind: 'unknown_status', attemptId: 'x', event }) as const
    await store.openAnomaly('one', 'a', odd('1'), start + minute)
    await store.openAnomaly('one', 'a', odd('2'), start + 2 * minute)
    await store.openAnomaly('two', 'b', odd('3'), start + 3 * minute)
    await store.openAnomaly('two', 'd', odd('4'), start + 4 * minute)
    const [ended] = await store.anomalies({ orderId: 'd', limit: 1 })
    await store.closeAnomaly(ended!.id, 'seen', start + 5 * minute)
    const review = async (filter: object = {}) =>
      each(await store.paymentSummaries({ review: true, limit: 9, ...filter }), 'orderId')
    assert.deepEqual(await review(), ['b', 'a'])
    assert.deepEqual(await review({ limit: 1 }), ['b'])
    assert.deepEqual(await review({ shopId: 'one' }), ['a'])
    assert.deepEqual(await review({ shopId: 'three' }), [])
    assert.deepEqual(await review({ status: 'paid' }), [])
    const after = { lastAt: start + 3 * minute, shopId: 'two', orderId: 'b' }
    assert.deepEqual(await review({ after }), ['a'])
    const [a] = await store.summariesOf([{ shopId: 'one', orderId: 'a' }])
    assert.deepEqual(a?.review, ['unknown_status'])
  },

  async 'a summary says whether the shop knows the status, what moved and what needs review'(store) {
    const of = async (orderId: string) => (await store.summariesOf([{ shopId: 'one', orderId }]))[0]!
    await orderWith(store, 'one', 'a', start)
    assert.equal((await of('a')).webhook, 'none')
    const b = await orderWith(store, 'one', 'b', start, money('paid', '29.34'))
    assert.equal((await of('b')).webhook, 'owed')
    await deliverAll(store, start + minute)
    assert.equal((await of('b')).webhook, 'accepted')
    await store.noteRead('one', 'b', 1, start + 2 * minute)
    assert.equal((await of('b')).webhook, 'read')
    await orderWith(store, 'one', 'c', start, money('paid', '29.34'))
    const [owed] = await store.claimWebhooks(at(start + minute))
    await store.postponeWebhook(owed!, failed(), again())
    assert.equal((await of('c')).webhook, 'dead')
    for (const word of ['refunded', 'charged_back'] as const)
      await store.learn('one', 'b', b.id, [money(word, '9.00')], { source: 'push', now: start + hour })
    const { moved, review, orderNumber, method, lastAt } = await of('b')
    assert.deepEqual([moved.toSorted(), review], [['charged_back', 'refunded'], ['charged_back']])
    assert.deepEqual([orderNumber, method, lastAt], ['ORD1001', 'card', start + hour])
    const orders = ['c', 'nowhere', 'b'].map((orderId) => ({ shopId: 'one', orderId }))
    assert.deepEqual(each(await store.summariesOf(orders), 'orderId'), ['c', 'b'])
    assert.deepEqual(await store.summariesOf([]), [])
  },

  async 'the latest changes are read back from the end, by shop and kind, and each has its cursor'(store) {
    await orderWith(store, 'one', 'a', start, money('paid', '29.34'), money('refunded', '9.00'))
    await orderWith(store, 'two', 'b', start + hour, money('paid', '29.34'))
    const kinds = async (filter: object = {}) =>
      (await store.latestChanges({ limit: 9, ...filter })).map(({ orderId, kind }) => `${orderId} ${kind}`)
    const all = ['b paid', 'b opened', 'a refunded', 'a paid', 'a opened']
    assert.deepEqual(await kinds(), all)
    assert.deepEqual(await kinds({ shopId: 'one' }), all.slice(2))
    assert.deepEqual(await kinds({ kind: 'paid' }), ['b paid', 'a paid'])
    assert.deepEqual(await kinds({ kind: 'paid', shopId: 'two' }), ['b paid'])
    const seen: string[] = []
    for (let before: number | undefined; ; ) {
      const page = await store.latestChanges({ limit: 2, before })
      seen.push(...page.map(({ orderId, kind }) => `${orderId} ${kind}`))
      if (page.length < 2) break
      before = Number(page.at(-1)!.cursor)
    }
    assert.deepEqual(seen, all)
    const [newest] = await store.latestChanges({ limit: 1 })
    assert.equal(await store.lastChange(), Number(newest!.cursor))
    assert.deepEqual(
      [newest!.shop, newest!.amount, newest!.currency, newest!.status],
      ['two', '29.34', 'eur', 'paid'],
    )
  },

  async 'the last change grows with every event of a payment, and with nothing else'(store) {
    assert.equal(await store.lastChange(), 0)
    const { id } = await orderWith(store, 'one', 'a', start)
    const opened = await store.lastChange()
    assert.ok(opened > 0)
    await store.noteAudit('one', { at: start, by: 'jan' }, { action: 'shop.disabled' })
    await store.noteMinutes('n', start, [row('x')])
    assert.equal(await store.lastChange(), opened)
    await store.learn('one', 'a', id, [paid], { source: 'push', now: start })
    assert.ok((await store.lastChange()) > opened)
  },

  async 'the money at stake of a cause is summed by currency, to the cent, and without what has none'(store) {
    const stake = async (orderId: string, amount: string | undefined, currency: string, now: number) => {
      const attempt = await orderWith(store, orderId < 'c' ? 'one' : 'two', orderId, now)
      const { shopId } = attempt
      const figures =
        amount === undefined ? {} : { expected: '1.00', received: '2.00', stake: amount, currency }
      const anomaly = { kind: 'overpaid', attemptId: attempt.id, event: orderId, ...figures } as never
      await store.openAnomaly(shopId, orderId, anomaly, now)
    }
    await stake('a', '0.10', 'eur', start)
    await stake('b', '0.20', 'eur', start + minute)
    await stake('c', '1000000000.07', 'eur', start + 2 * minute)
    await stake('d', '20.00', 'gbp', start + 3 * minute)
    await stake('e', '700', 'jpy', start + 4 * minute)
    await stake('f', undefined, '', start + 5 * minute)
    await stake('g', '5.00', 'eur', start + 90 * minute)
    const filter = { within: 30 * minute, limit: 9 }
    const [first, second, ...others] = await store.anomalyCauses(filter)
    const sums = (cause = first) =>
      Object.fromEntries(cause!.stakes.map(({ currency, amount }) => [currency, amount]))
    assert.deepEqual(sums(), { eur: '1000000000.37', gbp: '20.00', jpy: '700' })
    assert.deepEqual([first?.count, first?.shops, first?.shopId, first?.id], [6, 2, undefined, undefined])
    assert.deepEqual(sums(second), { eur: '5.00' })
    assert.deepEqual(
      [second?.count, second?.orderId, second?.stake, second?.currency],
      [1, 'g', '5.00', 'eur'],
    )
    assert.deepEqual(others, [])
    const [ofShop] = await store.anomalyCauses({ ...filter, shopId: 'one' })
    assert.deepEqual(sums(ofShop), { eur: '0.30' })
  },

  async 'the audit trail of all shops is searched back from the end'(store) {
    const note = (shopId: string, by: string, action: object) =>
      store.noteAudit(shopId, { at: start, by }, action as never)
    await note('one', 'ada', { action: 'shop.disabled' })
    await note('two', 'jan', { action: 'shop.enabled' })
    await note('', 'ada', { action: 'console.signed_in', role: 'admin' })
    await note('one', 'ada', { action: 'hosts.added', hosts: ['a.example'] })
    const search = async (filter: object = {}) =>
      (await store.searchAuditTrail({ limit: 9, ...filter })).map(
        ({ entry }) => `${entry.shop} ${entry.action}`,
      )
    const all = ['one hosts.added', ' console.signed_in', 'two shop.enabled', 'one shop.disabled']
    assert.deepEqual(await search(), all)
    assert.deepEqual(await search({ shopId: '' }), [all[1]])
    assert.deepEqual(await search({ shopId: 'one' }), [all[0], all[3]])
    assert.deepEqual(await search({ by: 'jan' }), [all[2]])
    assert.deepEqual(await search({ action: 'shop' }), [all[2], all[3]])
    assert.deepEqual(await search({ action: 'shop.enabled' }), [all[2]])
    for (const action of ['sho', 'sh%', 'shop.', '%', '_hop'])
      assert.deepEqual(await search({ action }), [], action)
    const [first, second] = await store.searchAuditTrail({ limit: 2 })
    assert.ok(first!.number > second!.number)
    assert.deepEqual(await search({ before: second!.number }), all.slice(2))
    // Of a node whose clock is behind.
    await store.noteAudit('two', { at: start - 1, by: 'jan' }, { action: 'shop.removed' })
    assert.deepEqual(await search(), [...all, 'two shop.removed'])
    assert.deepEqual(await search({ before: second!.number }), [...all.slice(2), 'two shop.removed'])
    assert.deepEqual(await search({ since: start, shopId: 'two' }), [all[2]])
  },

  async 'what persons did about one order is found, and nothing of an order with a similar name'(store) {
    for (const order of ['1001', '100', '1001%', 'a"b', 'a\\b', '_001'])
      await openOwed(store, { orderId: order })
    await deliverAll(store)
    const replay = async (order: string) => void (await store.replayWebhook('default', order, start, 'jan'))
    for (const order of ['1001', '1001%', 'a"b', 'a\\b']) await replay(order)
    const entries = async (order: string) =>
      (await store.auditOfOrder('default', order)).map((one) => ('order' in one ? one.order : ''))
    for (const order of ['1001', '1001%', 'a"b', 'a\\b']) assert.deepEqual(await entries(order), [order])
    for (const order of ['100', '_001', '%', '']) assert.deepEqual(await entries(order), [])
    assert.deepEqual(await store.auditOfOrder('other', '1001'), [])
  },

  async 'minutes of all nodes are summed, and their highest percentiles stand for all of them'(store) {
    const half = start + 17 * minute
    await store.noteMinutes('one', half, [row('a'), row('b', { count: 1, failed: 0 })])
    await store.noteMinutes('two', half, [row('a', { count: 5, failed: 5, p50: 9, p95: 10, p99: 90 })])
    await store.noteMinutes('one', half, [row('a', { count: 2, failed: 0, p95: 25 })])
    await store.noteMinutes('one', half + minute, [row('a'), row('x', { what: 'adapter' })])
    const sum = { what: 'request', label: 'a', minute: half, count: 17, failed: 6 }
    const figures = { p50: 9, p95: 25, p99: 90 }
    const found = await store.minutes('request', 1, half)
    assert.deepEqual(
      found.find(({ label, minute: of }) => label === 'a' && of === half),
      { ...sum, ...figures },
    )
    assert.deepEqual(each(found, 'minute'), [half, half, half + minute])
    assert.deepEqual(each(await store.minutes('request', 1, half + 1), 'minute'), [half + minute])
    assert.deepEqual(each(await store.minutes('adapter', 1, 0), 'label'), ['x'])
    // Of half hours a page shows the deliveries alone.
    assert.deepEqual(await store.minutes('request', 30, 0), [])
    await store.noteMinutes('one', half, [delivery])
    await store.noteMinutes('two', half + minute, [delivery])
    const halves = await store.minutes('delivery', 30, 0)
    assert.deepEqual(
      halves.map(({ label, minute: of, count }) => [label, of, count]),
      [['d', start, 20]],
    )
    await store.noteMinutes('one', half, [])
  },

  async 'minutes go after 48 hours, half hours after 30 days, and links when they are over'(store) {
    await store.noteMinutes('one', start, [delivery])
    await store.addConsoleLink(
      {
        tokenHash: 't',
        name: 'mila',
        role: 'reader',
        expiresAt: start + minute,
      },
      who,
    )
    const left = async () => [
      (await store.minutes('delivery', 1, 0)).length,
      (await store.minutes('delivery', 30, 0)).length,
    ]
    await store.forgetMinutes(start + 2 * day)
    assert.deepEqual(await left(), [1, 1])
    await store.forgetMinutes(start + 2 * day + 1)
    assert.deepEqual(await left(), [0, 1])
    assert.equal(await store.spendConsoleLink('t', start), undefined)
    await store.forgetMinutes(start + 30 * day + 1)
    assert.deepEqual(await left(), [0, 0])
  },

  async 'questions for rates are kept as they were asked, the newest first, and go after their time'(store) {
    const explanation = {
      ...{ fallback: true, deadline: 2_500 },
      adapters: [{ adapter: 'domestic', ms: 8, notes: ['Ünïcode "quoted"'] }],
    } as never
    const full = asked('q-1', { missing: true, methods: 0, weight: undefined, country: '', explanation })
    await store.noteQuestions([
      full,
      asked('q-2', { at: start + 2, shopId: 'two' }),
      asked('q-3', { at: start + 3, kind: 'estimate' }),
    ])
    await store.noteQuestions([asked('q-1', { at: start + 9 })])
    await store.noteQuestions([])
    const filter = { since: 0, missing: false, limit: 9 }
    const ids = async (changes: object = {}) => each(await store.questions({ ...filter, ...changes }), 'id')
    assert.deepEqual(await ids(), ['q-3', 'q-2', 'q-1'])
    assert.deepEqual(await ids({ shopId: 'one' }), ['q-3', 'q-1'])
    assert.deepEqual(await ids({ missing: true }), ['q-1'])
    assert.deepEqual(await ids({ missing: true, shopId: 'two' }), [])
    assert.deepEqual(await ids({ before: 'q-3' }), ['q-2', 'q-1'])
    assert.deepEqual(await ids({ before: 'q-3', shopId: 'one' }), ['q-1'])
    assert.deepEqual(await ids({ before: 'q-9' }), [])
    assert.deepEqual(await ids({ since: start + 2 }), ['q-3', 'q-2'])
    assert.deepEqual(await ids({ limit: 1 }), ['q-3'])
    assert.deepEqual((await store.questions(filter)).at(-1), full)
    // Those of one moment at the edge of a page: each is on one of the pages.
    await store.noteQuestions(['q-6', 'q-4', 'q-5'].map((id) => asked(id, { at: start + 4 })))
    assert.deepEqual(await ids({ limit: 2 }), ['q-6', 'q-5'])
    assert.deepEqual(await ids({ limit: 2, before: 'q-5' }), ['q-4', 'q-3'])
    await store.forgetQuestions(start + 4)
    assert.deepEqual(await ids(), ['q-6', 'q-5', 'q-4'])
  },

  async 'the state of a shop is the same alone and in pages, by its calls and its registration'(store) {
    const ids = ['works', 'edge', 'silent', 'new', 'differs', 'disabled', 'both']
    for (const id of ids) await store.ensureShop(id, endpoint(id), { platformId: `P-${id}` })
    const now = start + 10 * day
    await store.noteCalls(['works', 'disabled', 'both', 'differs'], now - minute)
    await store.noteCalls(['edge'], now - day)
    await store.noteCalls(['silent'], now - day - 1)
    await store.noteCalls(['nobody'], now)
    await store.noteComparison('differs', 'door is switched off', now)
    await store.noteComparison('works', '', now)
    await store.noteComparison('both', 'another address', now)
    for (const id of ['disabled', 'both']) await store.setDisabled(id, true, start)
    const expected = { works: 'works', edge: 'works', silent: 'silent', new: 'new', differs: 'differs' }
    const states: Record<string, string> = { ...expected, disabled: 'disabled', both: 'disabled' }
    const page = async (changes: object = {}) => store.shopPage({ now, limit: 99, ...changes })
    assert.deepEqual(each(await page(), 'id'), ids.toSorted())
    for (const one of await page()) {
      assert.deepEqual([one.id, one.state], [one.id, states[one.id]])
      assert.deepEqual(await store.shopStanding(one.id, now), one)
    }
    for (const state of new Set(Object.values(states)))
      assert.deepEqual(
        each(await page({ state }), 'id'),
        ids.filter((id) => states[id] === state).toSorted(),
        state,
      )
    assert.equal(await store.shopStanding('nobody', now), undefined)
    const works = await store.shopStanding('works', now)
    assert.deepEqual(
      [works?.calledAt, works?.comparedAt, works?.compared, works?.platformId],
      [now - minute, now, '', 'P-works'],
    )
    assert.deepEqual(each(await page({ limit: 2, after: 'differs' }), 'id'), ['disabled', 'edge'])
    assert.deepEqual(each(await page({ q: 'P-SILENT' }), 'id'), ['silent'])
    assert.deepEqual(each(await page({ q: 'EDG' }), 'id'), ['edge'])
    for (const q of ['%', '_', '!', 'e_g', "'"]) assert.deepEqual(await page({ q }), [], q)
  },

  async 'a link into the console is spent once and in time, and a sign-out stays the last one'(store) {
    const link = {
      tokenHash: 'h',
      name: 'mila',
      role: 'support',
      expiresAt: start + minute,
    }
    await store.addConsoleLink(link, who)
    await store.addConsoleLink({ ...link, tokenHash: 'late' }, who)
    assert.equal(await store.spendConsoleLink('other', start), undefined)
    const spent = await Promise.all(Array.from({ length: 5 }, () => store.spendConsoleLink('h', start)))
    assert.deepEqual(spent.filter(Boolean), [link])
    assert.equal(await store.spendConsoleLink('late', start + minute), undefined)
    assert.equal(await store.spendConsoleLink('late', start), undefined)
    assert.equal(await store.signedOutAt('mila'), 0)
    await store.signOutOfConsole('mila', start, 'ada')
    await store.signOutOfConsole('mila', start + 1, 'mila')
    const made = { shop: '', ...who, action: 'console.link_made', name: 'mila', role: 'support' }
    const out = { shop: '', at: start, action: 'console.signed_out' }
    assert.deepEqual(await store.auditTrail({ limit: 9 }), [
      ...[made, made],
      { ...out, by: 'ada', name: 'mila' },
      { ...out, at: start + 1, by: 'mila' },
    ])
    assert.deepEqual([await store.signedOutAt('mila'), await store.signedOutAt('nina')], [start + 1, 0])
  },

  async 'payments that changed their status since a moment are counted by status'(store) {
    await orderWith(store, 'one', 'a', start, paid)
    await orderWith(store, 'one', 'b', start + hour, paid)
    await orderWith(store, 'two', 'c', start + hour, { word: 'cancelled' })
    await orderWith(store, 'two', 'd', start + 2 * hour)
    assert.deepEqual(await store.countChanged(0), { paid: 2, cancelled: 1, pending: 1 })
    assert.deepEqual(await store.countChanged(start + hour), { paid: 1, cancelled: 1, pending: 1 })
    assert.deepEqual(await store.countChanged(start + 3 * hour), {})
  },

  async 'closed lanes of webhooks and pushes are counted until they open'(store) {
    assert.equal(await store.countClosedLanes(), 0)
    for (let order = 0; order < 5; order++) await openOwed(store, { orderId: `${order}` })
    const claimed = await store.claimWebhooks(at(start))
    for (const [place, one] of claimed.slice(0, 4).entries()) {
      assert.equal(await store.countClosedLanes(), 0)
      await store.postponeWebhook(one, failed(start + place), again(start + hour))
    }
    assert.equal(await store.countClosedLanes(), 1)
    await keep(store, ['1', '2', '3', '4'])
    assert.equal(await store.countClosedLanes(), 1)
    await store.settleWebhook(claimed[4]!, delivered(start + minute))
    assert.equal(await store.countClosedLanes(), 0)
  },
}
