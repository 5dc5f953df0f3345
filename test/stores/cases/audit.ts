import assert from 'node:assert/strict'
import type { AuditEntry } from '../../../src/audit.ts'
import { mostHosts } from '../../../src/shops/shop.ts'
import type { StorePort } from '../../../src/store-port.ts'
import {
  asReported,
  cancelled,
  deliverAll,
  endpoint,
  minute,
  open,
  openOwed,
  paid,
  type StoreCases,
  start,
  webhookKey,
} from './store-case.ts'

const by = 'alice'
const trail = (store: StorePort, shopId = 'one') => store.auditTrail({ shopId, limit: 1000 })
const done = ({ by, action }: AuditEntry) => `${by} ${action}`

/** The entries that a command adds, without where and when. */
async function addedBy(store: StorePort, command: () => Promise<unknown>): Promise<object[]> {
  const before = (await trail(store)).length
  await command().catch(() => {})
  return (await trail(store)).slice(before).map(({ shop: _shop, at: _at, ...entry }) => entry)
}

/** The rules of every store for the audit trail: each change has its entry, and each entry its change. */
export const auditCases: StoreCases = {
  async 'each change of a shop has an entry that says who made it and what it was'(store) {
    const hosts = ['a.example', 'b.example']
    const settings = ['units.weight']
    const from = { platformId: '7', hosts, sealedSettings: 'sealed', settings, by }
    const now = start + 1
    const check = async (command: () => Promise<unknown>, ...expected: object[]) =>
      assert.deepEqual(
        await addedBy(store, command),
        expected.map((one) => ({ by, ...one })),
      )
    const added = { action: 'shop.added', platformId: '7', hosts, settings }
    await check(() => store.ensureShop('one', endpoint('h1'), from), added)
    await check(() => store.setDisabled('one', true, now, by), { action: 'shop.disabled' })
    await check(() => store.setDisabled('one', false, now, by), { action: 'shop.enabled' })
    const ends = start + minute
    const rotated = (what: string) => ({ action: `${what}.rotated`, oldEndsAt: ends })
    await check(() => store.rotateEndpoint('one', endpoint('h2', now), ends, by), rotated('endpoint'))
    const key = (number: number) => webhookKey(`one.${number}`, now)
    await check(() => store.ensureWebhookKey('one', key(1), by), { action: 'webhook_secret.added' })
    await check(() => store.ensureWebhookKey('one', key(2), by))
    await check(() => store.rotateWebhookKey('one', key(3), ends, by), rotated('webhook_secret'))
    const changed = ['fallback']
    const newer = { sealed: 'newer', changed, version: (await store.shop('one'))!.settingsVersion }
    await check(() => store.saveSettings('one', newer, now, by), { action: 'settings.saved', changed })
    const other = { add: ['b.example', 'c.example'], remove: ['a.example', 'x.example'] }
    await check(
      () => store.changeHosts('one', other, now, by),
      { action: 'hosts.removed', hosts: ['a.example'] },
      { action: 'hosts.added', hosts: ['c.example'] },
    )
    const push = { action: 'push_address.added', adapter: 'psp', by: 'provider' }
    await check(() => store.ensurePushAddress('one', 'psp', endpoint('p1', now)), push)
    await check(() => store.removeShop('one', now, by), { action: 'shop.removed' })
    const [first, ...others] = await trail(store)
    assert.deepEqual([first?.shop, first?.at], ['one', start])
    assert.ok(others.every(({ at }) => at === now))
  },
  async 'what the provider notes by itself has an entry of its own, once'(store) {
    await store.ensureShop('one', endpoint('h1'))
    await Promise.all(['7', '8', '7'].map((platformId) => store.noteShop('one', { platformId }, start)))
    await store.changeHosts('one', { add: ['a.example'] }, start)
    await store.changeHosts('one', { add: ['a.example'] }, start)
    await store.changeHosts('one', { confirm: true }, start, by)
    await store.changeHosts('one', { confirm: true }, start, by)
    assert.deepEqual((await trail(store)).map(done), [
      'provider shop.added',
      'provider platform.bound',
      'provider hosts.added',
      'alice hosts.confirmed',
    ])
    const bound = (await trail(store)).find(({ action }) => action === 'platform.bound')
    assert.equal((bound as { platformId?: string }).platformId, (await store.shop('one'))?.platformId)
  },
  async 'a command that changes nothing has no entry'(store) {
    await store.ensureShop('one', endpoint('h1'), { hosts: [], by })
    const none = (command: () => Promise<unknown>) =>
      addedBy(store, command).then((entries) => assert.deepEqual(entries, []))
    await none(() => store.ensureShop('one', endpoint('h2'), { hosts: ['x.example'], by }))
    await none(() => store.setDisabled('one', false, start, by))
    await none(() => store.saveSettings('one', { sealed: 's', changed: [], version: 7 }, start, by))
    await none(() => store.changeHosts('one', { remove: ['x.example'], confirm: true }, start, by))
    await none(() => store.erasePayment('one', '1', start, by))
    await none(() => store.replayWebhook('one', '1', start, by))
    await none(() => store.closeAnomaly('nobody', 'note', start, by))
    await none(() =>
      store.learn('one', '1', 'one.1', [paid], { ...asReported, byHand: { by, status: 'paid' } }),
    )
    for (const shopId of ['nobody', 'no-one']) {
      await store.setDisabled(shopId, true, start, by)
      await store.saveSettings(shopId, { sealed: 'sealed', changed: [], version: 0 }, start, by)
      await store.changeHosts(shopId, { add: ['a.example'] }, start, by)
      await store.removeShop(shopId, start, by)
      await store.noteShop(shopId, { platformId: '7' }, start).catch(() => {})
      assert.deepEqual(await trail(store, shopId), [])
    }
  },
  async 'what a person does to a payment has an entry: reports, anomalies, webhooks, erasures'(store) {
    await store.ensureShop('one', endpoint('h1'))
    const { attempt } = await store.openAttempt(open({ shopId: 'one', attemptId: 'one.1' }))
    const order = '1001'
    const report = { by, status: 'paid' } as const
    const learn = (hand?: typeof report) =>
      store.learn('one', order, attempt.id, [hand ? paid : cancelled], { ...asReported, byHand: hand })
    const check = async (command: () => Promise<unknown>, ...expected: object[]) =>
      assert.deepEqual(
        await addedBy(store, command),
        expected.map((one) => ({ by, order, ...one })),
      )
    await check(() => learn())
    const money = { amount: '29.34', currency: 'eur' }
    const reported = { action: 'payment.reported', attempt: attempt.id, status: 'paid', ...money }
    await check(() => learn(report), reported)
    // It is known already.
    await check(() => learn(report))
    const [{ id } = { id: '' }] = await store.anomalies({ shopId: 'one', limit: 1 })
    const closed = { action: 'anomaly.closed', attempt: attempt.id, kind: 'late_paid', anomaly: id }
    await check(() => store.closeAnomaly(id, 'a note', start, by), closed)
    await check(() => store.replayWebhook('one', order, start, by), { action: 'webhook.replayed' })
    await check(() => store.erasePayment('one', order, start, by), { action: 'payment.erased' })
  },
  async 'payments that a person prunes are counted by shop, those past their retention are not'(store) {
    for (const shopId of ['one', 'two'])
      for (const orderId of ['1', '2']) await openOwed(store, { shopId, orderId }, cancelled)
    await deliverAll(store)
    const before = start + minute
    const prune = { before, limit: 1, dryRun: false }
    assert.equal(await store.prunePayments(prune), 1)
    assert.deepEqual([...(await trail(store)), ...(await trail(store, 'two'))], [])
    const byHand = { by, now: before }
    await store.prunePayments({ ...prune, limit: 10, dryRun: true, byHand })
    assert.equal(await store.prunePayments({ ...prune, limit: 10, byHand }), 3)
    const entries = [...(await trail(store)), ...(await trail(store, 'two'))]
    assert.deepEqual(
      entries.map((entry) => `${done(entry)} ${entry.action === 'payments.pruned' && entry.count}`).sort(),
      ['alice payments.pruned 1', 'alice payments.pruned 2'],
    )
  },
  async 'the trail of a shop outlives it, is listed newest last, and is forgotten from its old end'(store) {
    await store.ensureShop('one', endpoint('h1'), { by })
    await store.ensureShop('two', endpoint('h2'), { by })
    for (let day = 1; day <= 5; day++) {
      const settings = { sealed: 'sealed', changed: [`${day}`], version: day - 1 }
      await store.saveSettings('one', settings, start + day * minute, by)
    }
    await store.removeShop('one', start + 6 * minute, by)
    const changed = async (since?: number, limit = 100) =>
      (await store.auditTrail({ shopId: 'one', since, limit })).map((entry) =>
        entry.action === 'settings.saved' ? entry.changed[0] : entry.action,
      )
    const whole = ['shop.added', '1', '2', '3', '4', '5', 'shop.removed']
    assert.deepEqual(await changed(), whole)
    assert.deepEqual(await changed(undefined, 3), ['4', '5', 'shop.removed'])
    assert.deepEqual(await changed(start + 5 * minute), ['5', 'shop.removed'])
    assert.deepEqual(await changed(start + 2 * minute, 1), ['shop.removed'])
    assert.deepEqual((await trail(store, 'two')).map(done), ['alice shop.added'])
    assert.equal(await store.pruneAuditTrail({ before: start + 2 * minute, limit: 2 }), 2)
    assert.equal(await store.pruneAuditTrail({ before: start + 2 * minute, limit: 2 }), 1)
    assert.deepEqual(await changed(), whole.slice(2))
    assert.deepEqual(await trail(store, 'two'), [])
  },
  async 'changes of one moment have an entry each, in their order'(store) {
    await store.ensureShop('one', endpoint('h1'))
    const names = Array.from({ length: 40 }, (_, number) => `name-${number}`)
    await Promise.all(
      names.map((name, number) =>
        store.saveSettings('one', { sealed: name, changed: [name], version: number }, start, name),
      ),
    )
    const saved = (await trail(store)).filter(({ action }) => action === 'settings.saved')
    assert.deepEqual(saved.map((entry) => entry.by).sort(), [...names].sort())
    assert.equal((await store.shop('one'))?.sealedSettings, saved.at(-1)?.by)
  },
  async 'hosts that the provider notes beyond a hundred have no entry'(store) {
    await store.ensureShop('one', endpoint('h1'))
    for (let batch = 0; batch < 3; batch++) {
      const add = Array.from({ length: 70 }, (_, number) => `${batch}-${number}.example`)
      await store.changeHosts('one', { add }, start)
    }
    const noted = (await trail(store)).flatMap((entry) => (entry.action === 'hosts.added' ? entry.hosts : []))
    assert.equal(noted.length, mostHosts)
    assert.deepEqual([...noted].sort(), [...(await store.shop('one'))!.hosts.names].sort())
  },
}
