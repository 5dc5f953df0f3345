import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { pages } from '../../src/console/console.ts'
import { type Action, actions, allows, type ConsoleRole, roles, rolesWith } from '../../src/console/roles.ts'
import { sqliteStore } from '../../src/stores/sqlite.ts'
import { folderWith } from '../folder.ts'
import { delivered } from '../stores/cases/store-case.ts'
import { inFile } from '../stores/sqlite-tables.ts'
import { House } from './house.ts'
import { consoleWith, type Person } from './people.ts'

const why = 'The customer sent it back'
const body = 'an answer of the shop, for admins alone'
const detail = 'what the payment service wrote'

/** What somebody reads who may not do it. */
const may: Partial<Record<ConsoleRole, string>> = {
  support: 'Support, finance and admin may.',
  finance: 'Finance and admin may.',
  admin: 'Admin may.',
}

async function openHouse() {
  const file = join(folderWith(), 'store.db')
  const asked: string[] = []
  const adapter = (name: string) => ({
    name,
    methods: () => [],
    start: () => ({ redirect: 'https://psp.example/1' }),
    status({ reference }: { reference: string }) {
      asked.push(reference)
      return { status: 'pending' }
    },
    refund: (_attempt: object, { amount, idempotencyKey: event }: Record<string, string>) => ({
      ...{ status: 'refunded', amount, currency: 'eur', event },
    }),
    capture: (_attempt: object, { amount, idempotencyKey: event }: Record<string, string>) => ({
      ...{ status: 'paid', amount, currency: 'eur', event },
    }),
  })
  const desk = await consoleWith({
    store: sqliteStore({ file }),
    payments: [adapter('cardpay'), adapter('bankpay')],
  })
  const { provider, store, clock } = desk
  const house = new House(store, clock.now(), (id) => provider.shops.add(id))
  await house.fill()
  await provider.shops.add('closed')
  await provider.shops.disable('closed')
  const at = clock.now()
  const authorised = await house.order({ orderId: '501', openedAt: at })
  await authorised.learn(at, { word: 'authorised', amount: '149.00', currency: 'eur', detail })
  const paidOrder = await house.order({ orderId: '502', openedAt: at })
  await paidOrder.learn(at, { word: 'paid', amount: '149.00', currency: 'eur', event: 'ch_502' })
  await store.openAnomaly('wren', '502', withoutMoney(paidOrder.id, 'odd'), at)
  for (const order of ['503', '504']) {
    const odd = await house.order({ orderId: order, openedAt: at })
    await store.openAnomaly('wren', order, withoutMoney(odd.id, 'odd'), at)
  }
  const claim = { now: at, leaseUntil: at + 1_000, limit: 1_000, perLane: 1_000, owner: 'a' }
  for (const owed of await store.claimWebhooks(claim))
    if (owed.orderId === '502')
      await store.settleWebhook(owed, { ...delivered(at), version: owed.version, answer: body })
  const people = Object.fromEntries(
    await Promise.all(roles.map(async (role) => [role, await desk.signIn(role)])),
  ) as Record<ConsoleRole, Person>
  /** All that is stored. */
  const stored = () =>
    inFile(file, (database) => {
      const tables = database.prepare("select name from sqlite_master where type = 'table'").all()
      return Object.fromEntries(
        tables.map(({ name }) => [name, database.prepare(`select * from "${name}"`).all()]),
      )
    })
  return { ...desk, house, asked, people, stored }
}

const withoutMoney = (attemptId: string, event: string) =>
  ({ kind: 'unknown_status', attemptId, event }) as never

let opened: Awaited<ReturnType<typeof openHouse>>
beforeAll(async () => {
  opened = await openHouse()
})

/** Each page of the table, as this house has it. */
const addresses: Record<string, string[]> = {
  '/': ['/'],
  '/payments': ['/payments', '/payments?q=no-such-order', '/payments?review=1&shop=wren'],
  '/payments/:shop/:order': ['/payments/wren/20481', '/payments/wren/501', '/payments/wren/502'],
  '/payments/:shop/:order/raw': ['/payments/wren/501/raw', '/payments/wren/502/raw'],
  '/anomalies': ['/anomalies', '/anomalies?by=age&closed=1'],
  '/webhooks': ['/webhooks'],
  '/webhooks/:shop/:host': ['/webhooks/loom/hooks.loom.example'],
  '/rates': ['/rates?all=1'],
  '/rates/try': ['/rates/try'],
  '/shops': ['/shops'],
  '/shops/:shop': ['/shops/wren', '/shops/closed'],
  '/changes': ['/changes'],
  '/audit': ['/audit', '/audit?action=console'],
  '/health': ['/health'],
}

/** What the buttons on a page do. */
const buttonsOf = (page: string): string[] =>
  [...page.matchAll(/name="do" value="([\w-]+)"/g)].map(([, action]) => action!)

test('the table of pages is the one that is walked here', () => {
  expect(Object.keys(addresses)).toEqual(Object.keys(pages))
})

test('each role reads each page, and finds the buttons of all that it may do and of nothing else', async () => {
  for (const role of roles) {
    const found = new Set<string>()
    for (const address of Object.values(addresses).flat()) {
      const answer = await opened.people[role].get(address)
      const isClosed = address === '/rates/try' && role === 'reader'
      expect(answer.status, `${role} ${address}`).toBe(isClosed ? 403 : 200)
      for (const action of buttonsOf(await answer.text())) found.add(action)
    }
    const allowed = Object.keys(actions).filter((action) => allows(role, actions[action as Action]))
    expect([...found].toSorted(), role).toEqual(allowed.toSorted())
    const csv = await opened.people[role].get('/payments.csv')
    expect([csv.status, (await csv.text()).slice(0, 5)]).toEqual([200, 'shop,'])
  }
})

test('somebody who is not signed in reads no page, and no list, stream or file of one', async () => {
  const all = [...Object.values(addresses).flat(), '/payments.csv', '/zone?zone=UTC', '/nowhere']
  for (const address of all) {
    const answer = await opened.nobody.get(address)
    const to = `/console/sign-in?to=${encodeURIComponent(address)}`
    expect([answer.status, answer.headers.get('location')], address).toEqual([303, to])
    expect(await answer.text()).not.toContain('20481</')
  }
  expect((await opened.nobody.get('/live')).status).toBe(401)
})

test('a case with money is closed by finance, and no other reader has a button for it', async () => {
  for (const role of roles) {
    const person = opened.people[role]
    const hasClose = async (address: string) => buttonsOf(await person.page(address)).includes('close')
    const isFinance = allows(role, 'finance')
    expect(await hasClose('/payments/wren/20481'), role).toBe(isFinance)
    expect(await hasClose('/anomalies?kind=late_paid'), role).toBe(isFinance)
    expect(await hasClose('/payments/wren/502'), role).toBe(allows(role, 'support'))
    expect(await hasClose('/anomalies?kind=unknown_status'), role).toBe(allows(role, 'support'))
  }
})

test('what a shop answered, and details in the raw JSON, are for admins alone', async () => {
  for (const role of roles) {
    const person = opened.people[role]
    const isAdmin = role === 'admin'
    expect((await person.page('/payments/wren/502')).includes(body), role).toBe(isAdmin)
    expect((await person.page('/payments/wren/501/raw')).includes(detail), role).toBe(isAdmin)
    for (const address of Object.values(addresses).flat()) {
      const page = await person.page(address)
      expect(page.includes(body) && !isAdmin, `${role} ${address}`).toBe(false)
      for (const secret of ['https://psp.example/1', 'a sealed text', 'page-'])
        expect(page.includes(secret), `${secret} for ${role} at ${address}`).toBe(false)
    }
  }
})

interface Way {
  path: string
  form?: Record<string, string>
  /** Of the answer when it is done. Default 303. */
  status?: number
  /** Whether it was done. */
  done(answer: string): Promise<boolean>
}

let made = 0

/** A new order of a new shop. */
async function newOrder(...facts: Parameters<Awaited<ReturnType<House['order']>>['learn']>[1][]) {
  const { house, provider, clock } = opened
  const shopId = `shop-${++made}`
  await provider.shops.add(shopId)
  const order = { shopId, orderId: `9${made}`, reference: `REF-${made}`, openedAt: clock.now() }
  const attempt = await house.order(order)
  if (facts.length > 0) await attempt.learn(clock.now(), ...facts)
  return { ...order, attempt: attempt.id, path: `/payments/${shopId}/${order.orderId}` }
}

const paid = { word: 'paid', amount: '149.00', currency: 'eur', event: 'ch' } as const
const audited = async (shopId: string, action: string, by: string) =>
  (await opened.store.auditTrail({ shopId, limit: 100 })).some(
    (one) => one.action === action && one.by === by,
  )

async function openCase(isMoney: boolean) {
  const order = await newOrder(
    ...(isMoney ? [paid, { word: 'charged_back', amount: '149.00', currency: 'eur' } as const] : []),
  )
  if (!isMoney)
    await opened.store.openAnomaly(
      order.shopId,
      order.orderId,
      withoutMoney(order.attempt, 'x'),
      opened.clock.now(),
    )
  const [found] = await opened.store.anomalies({ shopId: order.shopId, limit: 1 })
  const done = async () => (await opened.store.anomalies({ shopId: order.shopId, limit: 9 })).length === 0
  return { order, id: found!.id, kind: found!.kind, done }
}

/** How each action is taken, and by which role at least. */
const way = (
  ...given: [action: Action, least: ConsoleRole, way: (by: string) => Promise<Way>]
): typeof given => given

const ways = [
  way('ask', 'support', async () => {
    const { path, reference } = await newOrder()
    return { path: `${path}/ask`, done: async () => opened.asked.includes(reference) }
  }),
  way('send', 'support', async (by) => {
    const { path, shopId } = await newOrder(paid)
    return { path: `${path}/send`, done: () => audited(shopId, 'webhook.replayed', by) }
  }),
  way('open', 'support', async (by) => {
    const { shopId } = await newOrder(paid)
    const path = `/webhooks/${shopId}/hooks.${shopId}.example/open`
    return { path, form: { why }, done: () => audited(shopId, 'lane.opened', by) }
  }),
  way('try', 'support', async () => {
    const { shopId: shop } = await newOrder()
    const asked = {
      shop: { language: 'en', currency: 'eur' },
      quote: { price_excl: 41.32, price_incl: 50, weight: 1200, volume: 0, products: [] },
      shipping_address: { country: 'nl', zipcode: '1012 AB' },
    }
    const form = { shop, body: JSON.stringify(asked) }
    const done = async (page: string) => page.includes('<strong>Door</strong>')
    return { path: '/rates/try', form, status: 200, done }
  }),
  // A provider in production reaches no platform on this machine: the answer says that it went to ask.
  way('compare', 'support', async () => {
    const { shopId } = await newOrder()
    const path = `/shops/${shopId}/compare`
    return { path, status: 422, done: async (page) => page.includes('has no credentials for the API') }
  }),
  way('close', 'support', async () => {
    const { id, done } = await openCase(false)
    return { path: '/anomalies/close', form: { id, note: why }, done }
  }),
  way('close', 'support', async () => {
    const { order, kind, done } = await openCase(false)
    opened.clock.advance(1)
    const before = `${opened.clock.now()}`
    const form = { kind, shop: order.shopId, adapter: 'cardpay', before, stake: '0', note: why }
    return { path: '/anomalies/close', form, done }
  }),
  way('close', 'finance', async () => {
    const { id, done } = await openCase(true)
    return { path: '/anomalies/close', form: { id, note: why }, done }
  }),
  ...(['0', '1', ''] as const).map((stake) =>
    way('close', 'finance', async () => {
      const { order, kind, done } = await openCase(true)
      opened.clock.advance(1)
      const form = { kind, shop: order.shopId, before: `${opened.clock.now()}`, stake, note: why }
      return { path: '/anomalies/close', form, done }
    }),
  ),
  way('report', 'finance', async (by) => {
    const { path, attempt, shopId } = await newOrder()
    const form = { attempt, status: 'paid', amount: '149.00', event: 'e', why }
    return { path: `${path}/report`, form, done: () => audited(shopId, 'payment.reported', by) }
  }),
  way('refund', 'finance', async (by) => {
    const { path, attempt, shopId } = await newOrder(paid)
    return {
      ...{ path: `${path}/refund`, form: { attempt, amount: '9.00', why } },
      done: () => audited(shopId, 'money.asked', by),
    }
  }),
  way('capture', 'finance', async (by) => {
    const { path, attempt, shopId } = await newOrder({
      word: 'authorised',
      amount: '149.00',
      currency: 'eur',
    })
    return {
      ...{ path: `${path}/capture`, form: { attempt, amount: '9.00', why } },
      done: () => audited(shopId, 'money.asked', by),
    }
  }),
  way('rotate', 'admin', async (by) => {
    const { shopId } = await newOrder()
    const form = { days: '7', why }
    return { path: `/shops/${shopId}/rotate`, form, done: () => audited(shopId, 'endpoint.rotated', by) }
  }),
  way('release', 'admin', async () => {
    const adapter = `slow-${++made}`
    const now = opened.clock.now()
    const skipped = { adapter, shopId: undefined, since: now, nextTry: now, lastFailure: 'no answer' }
    await opened.store.noteBreakers(adapter, [skipped], now)
    return {
      ...{ path: '/rates/release', form: { adapter, shop: '@all' } },
      done: async () => (await opened.store.noteBreakers(adapter, [skipped], now)).length > 0,
    }
  }),
  way('disable', 'admin', async (by) => {
    const { shopId } = await newOrder()
    return {
      path: `/shops/${shopId}/disable`,
      form: { why },
      done: () => audited(shopId, 'shop.disabled', by),
    }
  }),
  way('enable', 'admin', async (by) => {
    const { shopId } = await newOrder()
    await opened.provider.shops.disable(shopId)
    return { path: `/shops/${shopId}/enable`, form: { why }, done: () => audited(shopId, 'shop.enabled', by) }
  }),
  way('sign-out', 'admin', async () => {
    const name = `somebody ${++made}`
    return {
      ...{ path: '/audit/sign-out', form: { name } },
      done: async () => (await opened.store.signedOutAt(name)) > 0,
    }
  }),
]

test('every action of the table is taken below, by the role that the table names', () => {
  expect([...new Set(ways.map(([action]) => action))].toSorted()).toEqual(Object.keys(actions).toSorted())
  for (const action of Object.keys(actions) as Action[])
    expect(ways.find(([name]) => name === action)?.[1], action).toBe(actions[action])
  expect(Object.keys(may)).toEqual(roles.slice(1))
  for (const role of roles.slice(1)) expect(`${rolesWith(role)} may.`).toBe(may[role])
})

test.for(ways)(
  '%s needs %s at least: others change nothing, and those who may can',
  async ([action, least, way]) => {
    for (const role of [undefined, ...roles]) {
      const person = role === undefined ? opened.nobody : opened.people[role]
      const token = await person.token()
      const { path, form = {}, status = 303, done } = await way(person.name)
      const before = opened.stored()
      const answer = await person.post(path, { token, do: action, ...form })
      const page = await answer.text()
      const of = `${role ?? 'nobody'} at ${path}: ${answer.status} ${page.replace(/[\s\S]*<main[^>]*>/, '').slice(0, 1500)}`
      if (role !== undefined && allows(role, least)) {
        expect(answer.status, of).toBe(status)
        expect(await done(page), of).toBe(true)
        continue
      }
      expect(answer.status, of).toBe(role === undefined ? 401 : 403)
      const needed = role !== undefined && allows(role, actions[action]) ? least : actions[action]
      expect(page).toContain(
        role === undefined ? 'nothing was changed' : `Your role (${role}) may not do this. ${may[needed]}`,
      )
      expect(opened.stored(), of).toEqual(before)
      expect(await done(page), of).toBe(false)
    }
  },
)

test('an action that the table does not have is none, also one that every object has', async () => {
  const ada = opened.people.admin
  for (const action of ['', 'delete', 'constructor', '__proto__', 'toString', 'REFUND']) {
    const answer = await ada.act('/payments/wren/20481/refund', action, { why })
    expect([answer.status, (await answer.text()).includes('There is no such action.')]).toEqual([404, true])
  }
})

test('what moves money or a shop needs a reason of ten characters, and nothing is done without one', async () => {
  const ada = opened.people.admin
  for (const [action, , way] of ways) {
    const { path, form = {} } = await way(ada.name)
    if (!('why' in form || 'note' in form)) continue
    const token = await ada.token()
    const before = opened.stored()
    for (const short of ['', '         ', 'too short', ` ${'x'.repeat(9)} `]) {
      const given = 'why' in form ? { ...form, why: short } : { ...form, note: short }
      const answer = await ada.post(path, { token, do: action, ...given })
      expect([answer.status, action]).toEqual([422, action])
      expect(await answer.text()).toContain('Write why in 10 characters or more.')
    }
    expect(opened.stored(), action).toEqual(before)
  }
})
