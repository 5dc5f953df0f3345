import assert from 'node:assert/strict'
import { mostHosts, newShop } from '../../../src/shops/shop.ts'
import { Gone, ShopsExist } from '../../../src/store.ts'
import { processOf } from '../process-of.ts'
import {
  cancelled,
  deliverAll,
  each,
  endpoint,
  minute,
  open,
  openOwed,
  redirect,
  type StoreCases,
  start,
  times,
  webhookKey,
} from './store-case.ts'

const day = 24 * 3_600_000
const sealed = (text: string | undefined, version: number) => ({ sealed: text, changed: [], version })

/** The rules of every store for shops and for erasure. */
export const shopCases: StoreCases = {
  async 'a shop is added once, and its first endpoint stays'(store) {
    const first = await store.ensureShop('default', endpoint('h1'))
    const second = await store.ensureShop('default', endpoint('h2'))
    assert.equal(first.added, true)
    assert.deepEqual(second, { ...first, added: false })
    assert.deepEqual(first.shop, newShop('default'))
    assert.equal(first.sealedToken, 'sealed h1')
    assert.deepEqual(await store.shopByEndpoint('h1', start), first.shop)
    assert.equal(await store.shopByEndpoint('h2', start), undefined)
  },
  async 'a shop has from the start what it is added with, and is not changed by being added again'(store) {
    const start = { platformId: '7', hosts: ['b.example', 'a.example'], sealedSettings: 'sealed' }
    const { shop } = await store.ensureShop('one', endpoint('h1'), start)
    assert.deepEqual(
      [shop.platformId, shop.hosts, shop.sealedSettings],
      ['7', { names: ['a.example', 'b.example'], confirmed: true }, 'sealed'],
    )
    const again = { platformId: '8', hosts: ['c.example'], sealedSettings: 'other' }
    assert.deepEqual((await store.ensureShop('one', endpoint('h2'), again)).shop, shop)
  },
  async 'many shops are added together as each would be alone'(store) {
    const hosts = ['b.example', 'a.example']
    const given = { platformId: '7', hosts, sealedSettings: 'sealed', settings: ['units'], by: 'ann' }
    const { shop } = await store.ensureShop('alone', endpoint('h'), given)
    const many = Array.from({ length: 1_500 }, (_, number) => ({
      id: `shop${number}`,
      endpoint: endpoint(`h${number}`),
      start: number === 7 ? given : {},
    }))
    await store.addShops(many)
    assert.equal((await store.shops()).length, 1_501)
    assert.equal(await store.countShops(), 1_501)
    assert.deepEqual(await store.shops(3), (await store.shops()).slice(0, 3))
    assert.deepEqual(await store.shops(0), [])
    const live = await store.liveEndpoints(start)
    assert.equal(live.length, 1_501)
    const { shopId, ...one } = live.find(({ tokenHash }) => tokenHash === 'h7')!
    assert.deepEqual([shopId, [one]], ['shop7', await store.endpoints('shop7', start)])
    assert.deepEqual(await store.shop('shop7'), { ...shop, id: 'shop7' })
    const plain = await store.ensureShop('plain', endpoint('plain'))
    assert.deepEqual(await store.shop('shop1499'), { ...plain.shop, id: 'shop1499' })
    assert.deepEqual(await store.shopByEndpoint('h1499', start), await store.shop('shop1499'))
    const entry = async (shopId: string) =>
      (await store.auditTrail({ shopId, limit: 9 })).map(({ shop: _, ...one }) => one)
    assert.deepEqual(await entry('shop7'), await entry('alone'))
    assert.deepEqual(await entry('shop8'), await entry('plain'))
    await store.addShops([])
  },
  async 'of many shops none is added where one is there already, nor where two calls race'(store) {
    await store.ensureShop('there', endpoint('h'))
    const before = await store.shops()
    const shops = (ids: readonly string[], hash = 'h') =>
      ids.map((id) => ({ id, endpoint: endpoint(`${hash} ${id}`), start: {} }))
    const adding = store.addShops(shops(['new', 'there', 'newer']))
    await assert.rejects(adding, { name: ShopsExist.name, shopIds: ['there'] })
    assert.deepEqual(await store.shops(), before)
    assert.equal(await store.shopByEndpoint('h new', start), undefined)
    assert.deepEqual(await store.auditTrail({ shopId: 'new', limit: 9 }), [])
    const racing = await Promise.allSettled(
      Array.from({ length: 8 }, (_, racer) => store.addShops(shops(['a', 'b', 'c'], `h${racer}`))),
    )
    assert.equal(racing.filter(({ status }) => status === 'fulfilled').length, 1)
    assert.equal((await store.shops()).length, 4)
    for (const shopId of ['a', 'b', 'c']) assert.equal((await store.endpoints(shopId, start)).length, 1)
  },
  async 'a shop keeps the first platform id that it was seen with'(store) {
    await store.ensureShop('default', endpoint('h1'))
    await store.noteShop('default', { platformId: '7' }, start)
    const shop = await store.noteShop('default', { platformId: '8' }, start)
    assert.deepEqual(shop, { ...newShop('default'), platformId: '7' })
  },
  async 'of twenty platform ids that race for a shop one stays, and it is replaced by hand alone'(store) {
    await store.ensureShop('default', endpoint('h1'))
    const racers = await Promise.all(
      Array.from({ length: 20 }, (_, id) => store.noteShop('default', { platformId: `${id}` }, start)),
    )
    assert.equal(new Set(racers.map((shop) => shop?.platformId)).size, 1)
    assert.equal((await store.bindShop('default', '4711', start))?.platformId, '4711')
    assert.equal((await store.noteShop('default', { platformId: '7' }, start))?.platformId, '4711')
    assert.equal((await store.bindShop('default', undefined, start))?.platformId, undefined)
    assert.equal((await store.noteShop('default', { platformId: '7' }, start))?.platformId, '7')
    assert.equal(await store.bindShop('nobody', '7', start), undefined)
    assert.equal(await store.noteShop('nobody', { platformId: '7' }, start), undefined)
  },
  async 'two endpoints of a shop are live at a time, and the older one ends on its day'(store) {
    await store.ensureShop('one', endpoint('h1'))
    await store.ensureShop('two', endpoint('other'))
    await store.rotateEndpoint('one', endpoint('h2', start + 1), start + day)
    await store.rotateEndpoint('one', endpoint('h3', start + 2), start + 2 * day)
    const live = async (now: number) => {
      const found = []
      for (const hash of ['h1', 'h2', 'h3', 'other'])
        if (await store.shopByEndpoint(hash, now)) found.push(hash)
      return found
    }
    assert.deepEqual(await live(start + 3), ['h2', 'h3', 'other'])
    await store.ensurePushAddress('two', 'psp', endpoint('push'))
    const known = async (limit: number) => (await store.knownTokens(start + 3, limit)).sort()
    assert.deepEqual(await known(9), ['h2', 'h3', 'other', 'push'])
    assert.equal((await known(1)).length, 2)
    const ofOne = await store.endpoints('one', start + 3)
    assert.deepEqual(each(ofOne, 'tokenHash'), ['h3', 'h2'])
    assert.deepEqual(each(ofOne, 'expiresAt'), [undefined, start + 2 * day])
    const ends = async (hash: string) => (await store.shopByEndpoint(hash, start + 3))?.endpointEndsAt
    assert.deepEqual([await ends('h2'), await ends('h3')], [start + 2 * day, undefined])
    assert.deepEqual(await live(start + 2 * day), ['h3', 'other'])
    assert.equal((await store.endpoints('one', start + 2 * day)).length, 1)
  },
  async 'a webhook key is made once, two are live while one is changed, and they go with their shop'(store) {
    await store.ensureShop('one', endpoint('h1'))
    await store.ensureShop('two', endpoint('h2'))
    const live = async (shopId: string, now: number) =>
      (await store.webhookKeys(shopId, now)).map(({ id, expiresAt }) => [id, expiresAt])
    assert.deepEqual(await live('one', start), [])
    const [first, second] = await Promise.all([
      store.ensureWebhookKey('one', webhookKey('one.1')),
      store.ensureWebhookKey('one', webhookKey('one.2')),
    ])
    assert.equal(first.length, 1)
    assert.deepEqual(first, second)
    assert.equal(first[0]?.sealed, `sealed ${first[0]?.id}`)
    assert.deepEqual(await live('two', start), [])
    await store.rotateWebhookKey('one', webhookKey('one.3', start + 1), start + day)
    await store.rotateWebhookKey('one', webhookKey('one.4', start + 2), start + 2 * day)
    assert.deepEqual(await live('one', start + 3), [
      ['one.4', undefined],
      ['one.3', start + 2 * day],
    ])
    assert.deepEqual(await live('one', start + 2 * day), [['one.4', undefined]])
    assert.deepEqual(await store.ensureWebhookKey('nobody', webhookKey('nobody.1')), [])
    await store.rotateWebhookKey('nobody', webhookKey('nobody.1'), start)
    assert.deepEqual(await live('nobody', start), [])
    await store.ensureWebhookKey('two', webhookKey('two.1'))
    await store.removeShop('one', start)
    assert.deepEqual(await live('one', start + 3), [])
    assert.deepEqual(await live('two', start), [['two.1', undefined]])
  },
  async 'a disabled shop is found by its id and not by its endpoint, until it is enabled'(store) {
    await store.ensureShop('one', endpoint('h1'))
    assert.equal((await store.setDisabled('one', true, start))?.disabled, true)
    assert.equal(await store.shopByEndpoint('h1', start), undefined)
    assert.equal((await store.shop('one'))?.disabled, true)
    await store.setDisabled('one', false, start)
    assert.equal((await store.shopByEndpoint('h1', start))?.id, 'one')
    assert.equal(await store.setDisabled('nobody', true, start), undefined)
  },
  async 'settings of a shop are replaced as a whole, and each change counts'(store) {
    await store.ensureShop('one', endpoint('h1'))
    const first = await store.saveSettings('one', sealed('sealed 1', 0), start)
    const second = await store.saveSettings('one', sealed('sealed 2', first!.settingsVersion), start)
    assert.equal(second?.sealedSettings, 'sealed 2')
    assert.ok(second.settingsVersion > first!.settingsVersion)
    // Of two changes of one version the first counts.
    const late = sealed('sealed 3', first!.settingsVersion)
    assert.equal(await store.saveSettings('one', late, start), undefined)
    assert.equal((await store.shop('one'))?.sealedSettings, 'sealed 2')
    const none = await store.saveSettings('one', sealed(undefined, second.settingsVersion), start)
    assert.deepEqual([none?.id, none?.sealedSettings], ['one', undefined])
    assert.equal(await store.saveSettings('nobody', sealed('sealed', 0), start), undefined)
  },
  async 'hosts are noted of one shop, up to a hundred, until the list is confirmed'(store) {
    await store.ensureShop('one', endpoint('h1'))
    await store.ensureShop('two', endpoint('h2'))
    await store.changeHosts('one', { add: ['b.example', 'a.example', 'b.example'] }, start)
    const noted = { names: ['a.example', 'b.example'], confirmed: false }
    assert.deepEqual((await store.shop('one'))?.hosts, noted)
    assert.deepEqual((await store.shop('two'))?.hosts.names, [])
    const many = Array.from({ length: 2 * mostHosts }, (_, number) => `${number}.example`)
    assert.equal((await store.changeHosts('one', { add: many }, start))?.hosts.names.length, mostHosts)
    const remove = many.slice(0, 99)
    const closed = await store.changeHosts('one', { remove, add: ['c.example'], confirm: true }, start)
    assert.equal(closed?.hosts.confirmed, true)
    assert.ok(closed.hosts.names.includes('c.example'))
    assert.equal((await store.changeHosts('one', { remove: ['c.example'] }, start))?.hosts.confirmed, true)
    assert.equal(await store.changeHosts('nobody', { add: ['a.example'] }, start), undefined)
  },
  async 'what is sealed is listed, and sealed anew unless it has changed meanwhile'(store) {
    await store.ensureShop('one', endpoint('h1'))
    await store.ensurePushAddress('one', 'psp', endpoint('h2'))
    await store.ensureKey('pages', { sealed: 'sealed key', now: start })
    await store.ensureWebhookKey('one', webhookKey('one.1'))
    const saved = await store.saveSettings('one', sealed('sealed settings', 0), start)
    const before = await store.sealed()
    assert.deepEqual(before.map(({ kind, sealed }) => `${kind}: ${sealed}`).sort(), [
      'endpoint: sealed h1',
      'key: sealed key',
      'push address: sealed h2',
      'shop: sealed settings',
      'webhook key: sealed one.1',
    ])
    await store.saveSettings('one', sealed('newer', saved!.settingsVersion), start)
    const anew = before.map((was) => ({ was, sealed: `anew ${was.kind}` }))
    const others = anew.slice(2)
    await store.reseal(anew.slice(0, 2))
    assert.equal(await store.countSealedOtherwise('anew '), 3)
    assert.equal((await store.sealedOtherwise('anew ', 2)).length, 2)
    const rest = each(await store.sealedOtherwise('anew ', 9), 'sealed')
    const left = others.map(({ was }) => (was.kind === 'shop' ? 'newer' : was.sealed))
    assert.deepEqual(rest.sort(), left.sort())
    await store.reseal(others)
    assert.equal(await store.countSealedOtherwise('anew '), 1)
    const kinds = ['endpoint', 'key', 'push address', 'webhook key'].map((kind) => `anew ${kind}`)
    assert.deepEqual(each(await store.sealed(), 'sealed').sort(), [...kinds, 'newer'])
  },
  async 'nodes are seen while they say so, with the secrets that they open'(store) {
    const url = 'http://127.0.0.1:4000'
    const runs = { host: 'web-1', pid: 71, mainPid: 70, version: '0.1.0', build: '', since: start, url }
    const [one, two] = [
      { id: 'one', opens: ['old'], runs: processOf('web-1', start) },
      { id: 'two', opens: ['new', 'old'], runs },
    ] as const
    const seen = { ...one, seenAt: start }
    assert.deepEqual(await store.noteNode(one, { now: start, since: start - minute }), [seen])
    const since = start
    const next = { ...two, seenAt: start + minute }
    assert.deepEqual(await store.noteNode(two, { now: start + minute, since }), [seen, next])
    assert.deepEqual(await store.nodes(start + 1), [next])
    const later = { now: start + 2 * minute, since: start + 1 }
    const right = { ...two, runs: { ...runs, url: 'http://127.0.0.1:4001' } }
    assert.deepEqual(await store.noteNode(right, later), [{ ...right, seenAt: start + 2 * minute }])
    await store.forgetNode('two')
    assert.deepEqual(await store.nodes(0), [])
  },
  async 'a key is added once'(store) {
    assert.equal(await store.key('pages'), undefined)
    const [first, second] = await Promise.all([
      store.ensureKey('pages', { sealed: 'first', now: start }),
      store.ensureKey('pages', { sealed: 'second', now: start }),
    ])
    assert.equal(first, second)
    assert.equal(await store.key('pages'), first)
    assert.equal(await store.key('others'), undefined)
  },
  async 'a shop is removed with everything of it, and nothing of another shop'(store) {
    for (const shopId of ['one', 'two']) {
      await store.ensureShop(shopId, endpoint(`h ${shopId}`))
      await store.ensurePushAddress(shopId, 'psp', endpoint(`p ${shopId}`))
      await store.changeHosts(shopId, { add: ['a.example'] }, start)
      await openOwed(store, { shopId, attemptId: `${shopId}.1` })
    }
    assert.equal(await store.removeShop('one', start), 1)
    assert.equal(await store.removeShop('one', start), undefined)
    await assert.rejects(store.ensureShop('one', endpoint('h again')), Gone)
    const again = { id: 'one', endpoint: endpoint('h again'), start: {} }
    await assert.rejects(store.addShops([again]), ShopsExist)
    assert.deepEqual(await store.shopIdsOf(['one', 'two', 'new']), ['one.2', 'two', 'new'])
    assert.equal((await store.ensureShop('one.2', endpoint('h again'))).added, true)
    assert.deepEqual(await store.shopIdsOf(['one']), ['one.2'])
    assert.equal(await store.removeShop('one.2', start), 0)
    assert.deepEqual(await store.shopIdsOf(['one']), ['one.3'])
    assert.deepEqual(each(await store.shops(), 'id'), ['two'])
    assert.equal(await store.shopByEndpoint('h one', start), undefined)
    assert.equal(await store.shopByPushToken('psp', 'p one'), undefined)
    assert.equal(await store.payment('one', '1001'), undefined)
    assert.equal((await store.payment('two', '1001'))?.status, 'paid')
    assert.equal((await store.webhooks({ limit: 10 })).length, 1)
  },
  async 'a payment is erased with everything of it, and nothing of another order or shop'(store) {
    for (const attemptId of ['one.1', 'one.2', 'two.1']) {
      const [shopId, orderId] = attemptId.split('.')
      await openOwed(store, { shopId, orderId, attemptId, pageHash: `page ${attemptId}` })
    }
    assert.equal(await store.erasePayment('one', '1', start), true)
    assert.equal(await store.erasePayment('one', '1', start), false)
    assert.equal(await store.payment('one', '1'), undefined)
    assert.equal(await store.attempt('one', 'one.1'), undefined)
    assert.equal(await store.attemptByPage('page one.1'), undefined)
    assert.equal((await store.payments({ limit: 10 })).length, 2)
    assert.equal((await store.webhooks({ limit: 10 })).length, 2)
  },
  async 'payments at rest are pruned: not what is pending, is owed or has an open anomaly'(store) {
    await openOwed(store, { orderId: 'rests' })
    await openOwed(store, { orderId: 'ended' }, cancelled)
    const wrong = await openOwed(store, { orderId: 'wrong' })
    await deliverAll(store)
    const anomaly = { kind: 'double_paid', attemptId: wrong.id, event: '' } as const
    await store.openAnomaly('default', 'wrong', anomaly, start)
    await store.openAttempt(open({ orderId: 'pending' }))
    await openOwed(store, { orderId: 'owed' })
    const prune = { before: start + day, limit: 10, dryRun: false }
    assert.equal(await store.prunePayments({ ...prune, before: start }), 0)
    assert.equal(await store.prunePayments({ ...prune, dryRun: true }), 2)
    assert.equal(await store.prunePayments({ ...prune, limit: 1 }), 1)
    assert.equal(await store.prunePayments(prune), 1)
    const left = await store.payments({ limit: 10 })
    assert.deepEqual(each(left, 'orderId').sort(), ['owed', 'pending', 'wrong'])
  },
  async 'a form of a page is handled by one caller at a time, who stores what became of it'(store) {
    const { attempt } = await store.openAttempt(open())
    const state = async () => (await store.attempt('default', attempt.id))?.pageState
    const lease = (now: number, seen: string | undefined, left: string | undefined) =>
      store.leasePage('default', attempt.id, { now, until: now + 10, seen, state: left })
    const release = (until: number, left: string | undefined) =>
      store.releasePage('default', attempt.id, { until, state: left })
    assert.equal(await lease(start, undefined, 'one'), true)
    assert.equal(await state(), 'one')
    assert.equal(await lease(start + 9, 'one', 'two'), false)
    // The lease is over, and another caller takes it: the first one stores nothing any more.
    assert.equal(await lease(start + 10, 'one', 'two'), true)
    assert.equal(await release(start + 10, 'late'), false)
    assert.equal(await state(), 'two')
    assert.equal(await release(start + 20, 'three'), true)
    // A caller who has seen an older state does not get the page.
    assert.equal(await lease(start + 11, 'two', 'four'), false)
    assert.equal(await lease(start + 11, undefined, 'four'), false)
    assert.equal(await lease(start + 11, 'three', undefined), true)
    assert.equal(await state(), undefined)
    assert.equal(await release(start + 21, undefined), true)
    const elsewhere = { now: start + 99, until: start + 99, seen: undefined, state: 'five' }
    assert.equal(await store.leasePage('other', attempt.id, elsewhere), false)
    await store.noteStart(attempt, { ...redirect, how: 'page', paymentUrl: undefined }, times(60))
    assert.equal(await lease(start + 100, undefined, 'six'), true)
  },
  async 'drifts are counted by shop, newest first, and forgotten by time and with their shop'(store) {
    const drift = { message: 'payment', kind: 'text', became: 'ignored' }
    const at = (shopId: string, count: number, now: number, path = 'order.colour') => ({
      ...{ ...drift, path, shopId, count, firstAt: now, lastAt: now },
    })
    await store.ensureShop('bikes', endpoint('e1'))
    await store.noteDrifts([at('bikes', 2, start), at('boats', 1, start + 1)])
    await store.noteDrifts([at('bikes', 3, start + 2), at('bikes', 1, start, 'order.size')])
    assert.deepEqual(await store.drifts({ limit: 9 }), [
      { ...at('bikes', 5, start), lastAt: start + 2 },
      at('boats', 1, start + 1),
      at('bikes', 1, start, 'order.size'),
    ])
    assert.deepEqual(await store.drifts({ shopId: 'boats', limit: 9 }), [at('boats', 1, start + 1)])
    assert.equal((await store.drifts({ limit: 1 })).length, 1)
    await store.forget(start + 1)
    assert.deepEqual(each(await store.drifts({ limit: 9 }), 'shopId'), ['bikes', 'boats'])
    await store.removeShop('bikes', start + 3)
    assert.deepEqual(each(await store.drifts({ limit: 9 }), 'shopId'), ['boats'])
  },
}
