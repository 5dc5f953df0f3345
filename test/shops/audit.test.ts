import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { isAuthor } from '../../src/audit.ts'
import { price } from '../../src/index.ts'
import { reportPayment } from '../../src/payments/learn-payment.ts'
import { changedSettings } from '../../src/shops/audit.ts'
import { memoryStore } from '../../src/stores/memory.ts'
import { day, minute, paid, paymentsWith } from '../helpers/provider.ts'
import { runBackground } from '../helpers/run.ts'
import { payment } from '../http/messages.ts'
import { postJson } from '../http/post.ts'
import { listening } from '../listening.ts'

const courier = {
  name: 'courier',
  settings: z.object({ account: z.string(), express: z.boolean().default(false) }),
  quote: () => [{ id: 'door', title: 'Door', ...price({ excl: '5', taxRate: '0.21', currency: 'eur' }) }],
}
const psp = {
  name: 'psp',
  settings: z.record(z.string(), z.unknown()),
  methods: () => [{ id: 'card', title: 'Card' }],
  start: () => ({ later: true as const }),
}

async function open() {
  const store = memoryStore()
  const { provider, endpoint } = await listening({ store, rates: courier as never, payments: psp as never })
  const { shops } = provider
  const lines = async (id: string) =>
    (await shops.log(id)).map(({ at: _at, shop: _shop, by, action, ...rest }) => [by, action, rest])
  return { provider, store, shops, endpoint, lines }
}

const start = async (endpoint: string, id: number) => {
  const body = { ...payment({ id }), shop: { id: 7 }, redirect_url: 'http://localhost:9/return' }
  expect((await postJson(`${endpoint}/payment`, body)).status).toBe(201)
}

test('the trail of a shop says who did what, in code with `by`, in code without, and by itself', async () => {
  const { provider, shops, lines } = await open()
  const settings = { units: { weight: 'g' }, adapters: { courier: { account: 'A' } } }
  const { endpoint } = await shops.add('one', { settings, by: 'alice' })
  await start(endpoint, 1)
  await shops.saveSettings('one', { adapters: { courier: { account: 'B', express: true } } })
  const credentials = { baseUrl: 'https://api.example', language: 'nl', key: 'k', secret: 's' }
  await shops.connect('one', credentials, { by: 'bob' })
  await shops.connect('one', { ...credentials, secret: 'other' }, { by: 'bob' })
  const { oldEndsAt } = await shops.rotate('one', { by: 'bob' })
  await shops.changeHosts('one', { remove: ['localhost'], confirm: true }, { by: 'bob' })
  await shops.disable('one', { by: 'eve' })
  await shops.disable('one', { by: 'eve' })
  await shops.enable('one', { by: 'eve' })
  const money = { amount: '29.34', currency: 'eur' }
  const ref = { orderId: 1, shop: 'one' }
  await provider.payments.report(ref, { status: 'authorised', ...money })
  await provider.payments.report(ref, { status: 'paid', ...money, detail: 'a note' }, { by: 'eve' })
  await shops.erase('one', '1', { by: 'eve', force: true })
  await shops.remove('one', { by: 'eve' })
  const attempt = expect.stringMatching(/^one\./)
  const ofCourier = ['units.weight', 'adapters.courier.account']
  const all = ['baseUrl', 'language', 'key', 'secret'].map((name) => `credentials.${name}`)
  expect(await lines('one')).toEqual([
    ['alice', 'shop.added', { settings: ofCourier }],
    ['provider', 'platform.bound', { platformId: '7' }],
    ['provider', 'hosts.added', { hosts: ['127.0.0.1', 'localhost'] }],
    ['code', 'settings.saved', { changed: [...ofCourier, 'adapters.courier.express'] }],
    ['bob', 'settings.saved', { changed: all }],
    ['bob', 'settings.saved', { changed: ['credentials.secret'] }],
    ['bob', 'endpoint.rotated', { oldEndsAt }],
    ['bob', 'hosts.removed', { hosts: ['localhost'] }],
    ['bob', 'hosts.confirmed', {}],
    ['eve', 'shop.disabled', {}],
    ['eve', 'shop.enabled', {}],
    ['eve', 'payment.reported', { order: '1', attempt, status: 'paid', ...money }],
    ['eve', 'payment.erased', { order: '1' }],
    ['eve', 'shop.removed', {}],
  ])
})

test('a name that is none is refused with its code, and nothing is changed', async () => {
  const { provider, store, shops, endpoint } = await open()
  await start(endpoint, 1)
  const stored = async () => [
    await store.shops(),
    await shops.log('default'),
    await store.payments({ limit: 9 }),
  ]
  const before = await stored()
  for (const name of ['', '  ', 'a\nb', 'a\u0000', 'a\u202eb', 'a\u2028b', 'x'.repeat(201), 5, null, {}]) {
    const by = name as string
    const report = provider.payments.report({ orderId: 1 }, { status: 'cancelled' }, { by })
    for (const change of [
      shops.add('two', { by }),
      shops.rotate('default', { by }),
      shops.disable('default', { by }),
      shops.enable('default', { by }),
      shops.remove('default', { by, force: true }),
      shops.saveSettings('default', {}, { by }),
      shops.connect('default', {} as never, { by }),
      shops.changeHosts('default', { add: ['a.example'] }, { by }),
      shops.erase('default', '1', { by, force: true }),
      report,
    ])
      await expect(change).rejects.toMatchObject({ name: 'PurveyorError', code: 'AUTHOR_INVALID' })
  }
  expect(await stored()).toEqual(before)
  expect(['a', 'Zoë van Dam', 'job 7 <ops@example.org>', '运营', 'x'.repeat(200)].every(isAuthor)).toBe(true)
})

test('the log of a shop takes a moment and a number, and knows no shop that never was', async () => {
  const { shops } = await open()
  await shops.add('one')
  for (const host of ['a.example', 'b.example', 'c.example']) await shops.changeHosts('one', { add: [host] })
  const last = await shops.log('one', { limit: 2 })
  expect(last).toMatchObject([{ hosts: ['b.example'] }, { hosts: ['c.example'] }])
  const later = Date.now() + day
  expect(await shops.log('one', { since: later })).toEqual([])
  await shops.remove('one')
  expect(await shops.log('one', { since: later })).toEqual([])
  expect((await shops.log('one')).at(-1)?.action).toBe('shop.removed')
  await expect(shops.log('nobody')).rejects.toMatchObject({ code: 'UNKNOWN_SHOP' })
  for (const limit of [0, -1, 1.5, Number.NaN])
    await expect(shops.log('one', { limit })).rejects.toThrow(/limit/)
  await expect(shops.log('one', { since: Number.NaN })).rejects.toThrow(/since/)
})

test('a path names what the provider and its schemas name, and nothing that a shop has chosen', () => {
  const adapters = { rates: { adapters: [courier] }, payments: { adapters: [psp] } } as never
  const secret = fc.string({ minLength: 1 }).map((text) => `Canary${text}`)
  const value = fc.oneof(secret, fc.dictionary(secret, secret), fc.array(secret))
  const settings = fc.record(
    {
      units: fc.record({ weight: fc.constantFrom('g', 'kg') }, { requiredKeys: [] }),
      fallback: fc.array(fc.record({ id: secret, title: secret })),
      adapters: fc.record({ courier: fc.dictionary(secret, value), psp: value }, { requiredKeys: [] }),
      credentials: fc.record({ baseUrl: secret, language: secret, key: secret, secret }),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(settings, settings, (before, after) => {
      const changed = changedSettings(adapters, before as never, after as never)
      expect(changed.join()).not.toContain('Canary')
      expect(changedSettings(adapters, after as never, structuredClone(after) as never)).toEqual([])
    }),
  )
  const of = (before: object, after: object) => changedSettings(adapters, before, after)
  const units = { weight: 'g', volume: 'l', length: 'mm', products: 'piece' }
  const credentials = { baseUrl: 'https://a.example', language: 'nl', key: 'k', secret: 's' }
  for (const [part, all] of Object.entries({ units, credentials }))
    for (const name of Object.keys(all)) {
      expect(of({ [part]: all }, { [part]: { ...all, [name]: 'other' } })).toEqual([`${part}.${name}`])
      expect(of({ [part]: { ...all, [name]: undefined } }, { [part]: all })).toEqual([`${part}.${name}`])
    }
  expect(of({}, { adapters: { psp: { sk_live_1: true } } })).toEqual(['adapters.psp'])
  expect(of({ adapters: { gone: { key: 1 } } }, {})).toEqual(['adapters.gone'])
  expect(of({ units: { weight: 'g', volume: 'l' } }, { units: { volume: 'l', weight: 'g' } })).toEqual([])
})

test('the trail is kept as long as payments are, and forgotten after that', async () => {
  const { workings, start, move } = paymentsWith({})
  workings.retention = 90 * day
  const { store, world } = workings
  const workForAMinute = async () => {
    runBackground(workings)
    await move(minute)
  }
  await start()
  const { shop } = await store.ensureShop('default', { tokenHash: 'h', sealedToken: 's', now: world.now() })
  for (let number = 0; number < 450; number++) {
    const settings = { sealed: undefined, changed: [], version: shop.settingsVersion + number }
    await store.saveSettings('default', settings, world.now())
  }
  await move(89 * day)
  await workForAMinute()
  await store.rotateEndpoint('default', { tokenHash: 'i', sealedToken: 's', now: world.now() }, world.now())
  const actions = async () =>
    (await store.auditTrail({ shopId: 'default', limit: 1000 })).map(({ action }) => action)
  expect(await actions()).toHaveLength(452)
  await move(2 * day)
  await workForAMinute()
  expect(await actions()).toEqual(['endpoint.rotated'])
})

test('a report by hand is listed when it is new, under the word that was reported', async () => {
  const { workings, start, report } = paymentsWith({})
  await start()
  await report(paid)
  for (const status of ['refunded', 'refunded', 'a word of mine']) {
    const said = { status, amount: '5', currency: 'EUR', detail: 'secret' } as never
    await reportPayment(workings, { orderId: 1001 }, said, { by: 'eve' })
  }
  const trail = await workings.store.auditTrail({ shopId: 'default', limit: 9 })
  expect(trail.map((entry) => 'status' in entry && [entry.status, entry.amount, entry.currency])).toEqual([
    ['refunded', '5.00', 'eur'],
    ['unknown', undefined, undefined],
  ])
  expect(JSON.stringify(trail)).not.toMatch(/secret|mine/)
})
