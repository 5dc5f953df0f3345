import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { anomalyKinds } from '../../../src/payments/ledger/anomalies.ts'
import { failed, open, paid } from '../../stores/cases/store-case.ts'
import { commandsIn, folderWith, inStore, saying } from '../command.ts'

const start = Date.UTC(2026, 2, 2, 10)
const later = start + 3_600_000
const order = (orderId: string) => ({
  ...open({ orderId, orderNumber: `ORD${orderId}`, attemptId: `default.${orderId}`, now: start }),
  ...{ webhookUrl: 'https://shop.example/webhook', expiresAt: later, checkAt: later },
})
const claim = { now: start, leaseUntil: start, limit: 1, perLane: 9, owner: 'a' }

const cwd = folderWith()
const run = commandsIn(cwd)

/** A store with a paid order whose shop cannot be reached, and an order that is pending. */
beforeAll(async () => {
  await run('db migrate')
  await inStore(cwd, async (store) => {
    await store.openAttempt(order('1'))
    await store.learn('default', '1', 'default.1', [paid], { source: 'push', now: start + 1000 })
    const [owed] = await store.claimWebhooks({ ...claim, now: start + 1000 })
    const call = { ...failed(start), ms: 12 }
    await store.postponeWebhook(owed!, call, { dueAt: undefined, retryAfter: undefined })
    await store.openAttempt({ ...order('2'), now: start + 5000 })
  })
})

describe('payments', () => {
  test('are listed newest first, by status too', async () => {
    const { out } = await run('payments list')
    expect(out.split('\n').map((line) => line.split(/ {2,}/).slice(1))).toEqual([
      ['shop', 'order', 'amount', 'status', 'webhook'],
      ['default', '2', '29.34 eur', 'pending', 'none due'],
      ['default', '1', '29.34 eur', 'paid', 'due'],
    ])
    const listed = await run.json('payments list --status paid')
    expect(listed).toMatchObject([{ order: '1', amount: '29.34' }])
    expect((await run('payments list --shop other')).err).toContain('There is no shop other')
  })

  test('one is shown with all that happened to it', async () => {
    const { out } = await run('payments show 1')
    expect(out).toContain('Order 1 of shop default: paid, 29.34 eur, webhook: due')
    const [, situation, ...events] = out.split('\n')
    expect(situation).toContain('The order is paid. The shop does not know it: its webhook was given up.')
    expect(events[0]).toContain('2026-03-02 10:00:00  attempt default.1 opened: 29.34 eur (live) by psp card')
    expect(events[1]).toContain('webhook for status version 1: failed: status 500 in 12 ms')
    expect(events[2]).toContain('2026-03-02 10:00:01  attempt default.1: paid 29.34 eur (push)')
    expect((await run.json('payments show 1')).events).toHaveLength(3)
  })

  test('a report counts when the amount is the order’s, and opens an anomaly when it is not', async () => {
    const wrong = await run('payments report 2 paid --amount 1 --currency eur')
    expect([wrong.code, wrong.out]).toEqual([0, 'Order 2 is pending.\nNeeds review: underpaid'])
    const [anomaly] = await run.json('payments anomalies')
    const money = { stake: '1.00', received: '1.00', expected: '29.34', currency: 'eur' }
    const { remedy } = anomalyKinds.underpaid
    expect(anomaly).toMatchObject({ kind: 'underpaid', orderId: '2', ...money, remedy })
    expect(await run.json('payments anomalies --each')).toMatchObject([{ ...money, remedy }])
    for (const one of [[], ['--each']]) {
      const { out } = await run('payments anomalies', ...one)
      expect(out).toMatch(/underpaid .*1\.00 eur +received 1\.00, expected 29\.34$/m)
      expect(out).toContain(`To do, underpaid: ${remedy}`)
    }
    const { out: shown } = await run('payments show 2')
    const review = 'Needs review: underpaid: 1.00 eur of received 1.00 eur, received 1.00, expected 29.34'
    expect(shown).toContain(review)
    expect(shown).toContain(remedy)
    const closed = await run.out('payments close-anomaly', anomaly.id, '--note', 'refunded')
    expect(closed).toBe('Closed underpaid of order 2 in shop default.')
    expect(await run.out('payments anomalies')).toBe('There are no anomalies.')
    expect(await run.out('payments anomalies --all')).toContain('refunded')
    const right = 'payments report 2 paid --amount 29.34 --currency EUR --note bank'
    const counted = { shop: 'default', order: '2', status: 'paid', anomalies: [] }
    expect(await run.json(right)).toEqual(counted)
  })
})

test('a refund whose outcome is unknown is shown with its key', async () => {
  await inStore(cwd, async (store) => {
    const asked = { shopId: 'default', orderId: '1', attemptId: 'default.1', kind: 'refund' } as const
    const ask = (key: string, amount: string) =>
      store.openMoneyRequest({ ...asked, amount, key, newKey: 'new', now: start + 9_000, by: 'anna' })
    await ask('k1', '4.00')
    const refused = await ask('k2', '5.00')
    if (refused.outcome === 'opened') await store.settleMoneyRequest(refused.request, 'refused', 'too late')
  })
  const { out } = await run('payments show 1')
  expect(out).toContain(
    '2026-03-02 10:00:09  refund of 4.00 eur of attempt default.1 asked for with key k1: its outcome',
  )
  expect(out).toContain('refund of 5.00 eur of attempt default.1 asked for with key k2: refused: too late')
})

describe('webhooks', () => {
  test('what was given up is listed, shown and sent again', async () => {
    const listed = () => run.json('webhooks list')
    const dead = expect.objectContaining({ orderId: '1', state: 'dead', confirmed: false })
    expect(await listed()).toContainEqual(dead)
    expect(await run.out('webhooks show 1')).toContain('status 500  12 ms')
    const dry = await run('webhooks replay --dry-run')
    expect(dry.out).toBe('1 webhook would be sent again:\n  shop default, order 1')
    expect((await listed())[0].state).toBe('dead')
    const replayed = [{ shop: 'default', order: '1' }]
    expect(await run.json('webhooks replay')).toEqual({ dryRun: false, replayed })
    expect(await listed()).toContainEqual(expect.objectContaining({ state: 'owed' }))
    expect((await run.json('webhooks list --since 2026-03-01'))[0]).toMatchObject({ status: 'paid' })
  })
})

test('a backup is a store of its own, and never written over', async () => {
  expect(await run.out('db backup copy.db')).toBe('./data/purveyor.db is copied to copy.db.')
  const elsewhere = commandsIn(cwd, { PURVEYOR_DATABASE_URL: 'sqlite:copy.db' })
  expect(await elsewhere.json('payments', 'list')).toHaveLength(2)
  const err = 'purveyor: copy.db exists already, and nothing was written. Name a new file.'
  expect(await run('db backup copy.db')).toMatchObject({ code: 2, err })
  const nowhere = await run('db backup no/such/folder/copy.db')
  expect([nowhere.code, existsSync(join(cwd, 'no'))]).toEqual([3, false])
})

test.each([
  ['payments show 99', 'There is no payment for order 99. To look for it'],
  ['payments list --status done', 'Allowed choices are paid, pending,'],
  ['payments list --limit 0', 'Write a whole number of 1 or more'],
  ['payments report 1 paid', 'needs --amount and --currency'],
  ['payments report 1 done', "'done' is invalid for argument 'status'"],
  ['payments report 1 paid --amount -5 --currency eur', 'must be a number of 0 or more'],
  ['payments report 1 expired --attempt x', 'has no attempt x'],
  ['payments close-anomaly nobody --note x', 'There is no anomaly nobody'],
  ['payments close-anomaly nobody', "'--note <text>' not specified"],
  ['webhooks list --since yesterday', 'Write how long ago, such as 30m'],
  ['webhooks replay 99', 'There is no payment for order 99'],
])('%s is wrong usage', async (line, words) => {
  const ended = await run(line)
  expect(ended).toMatchObject({ ...saying(2, words), out: '' })
  expect(ended.err).not.toContain('    at ')
})

test('where there is no store, none is made', async () => {
  const empty = folderWith()
  const none = saying(3, 'There is no store at ./data/purveyor.db')
  expect(await commandsIn(empty)('payments list')).toMatchObject(none)
  expect(existsSync(join(empty, 'data'))).toBe(false)
})
