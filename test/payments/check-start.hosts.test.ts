import type { Provider } from 'purveyor'
import { expect, test } from 'vitest'
import { StoreUnavailable } from '../../src/store.ts'
import { sqliteStore } from '../../src/stores/sqlite.ts'
import { folderWith } from '../folder.ts'
import { payment } from '../http/messages.ts'
import { postJson } from '../http/post.ts'
import { keptLog, listening } from '../listening.ts'
import { lastingStore, onThisMachine, production } from '../production-store.ts'

const first = { redirect_url: 'https://shop.example/thanks', webhook_url: 'https://api.shop.example/hook' }
const evil = { redirect_url: 'https://evil.example/thanks', webhook_url: 'https://evil.example/hook' }

async function running(store = lastingStore()) {
  const { lines, logger } = keptLog()
  const made = await listening({
    ...production,
    store,
    logger,
    payments: {
      name: 'psp',
      mode: 'live',
      methods: () => [],
      start: ({ id }) => ({ redirect: 'https://psp.example/1', reference: id }),
    },
    http: { metricsToken: 'the-token-of-who-reads-numbers' },
  })
  const { provider, port } = made
  const start = async (urls: typeof first, changes: Parameters<typeof payment>[0] = {}) => {
    const answer = await postJson(`${onThisMachine(made)}/payment`, { ...payment(changes), ...urls })
    const { payment_url, errors } = (await answer.json()) as { payment_url?: string; errors?: unknown }
    return { status: answer.status, payment_url, errors }
  }
  const kept = async () => {
    const { redirectUrl, webhookUrl } = (await store.payment('default', '1001'))!
    return { redirect_url: redirectUrl, webhook_url: webhookUrl }
  }
  /** Where a page of the payment sends the customer. */
  const leadsTo = async (url: string | undefined) => {
    const answer = await fetch(`http://127.0.0.1:${port}${new URL(url!).pathname}`, { redirect: 'manual' })
    return answer.headers.get('location')
  }
  const hosts = async () => {
    const shown = await provider.shops.show('default')
    return { hosts: shown.hosts, confirmed: shown.hostsConfirmed }
  }
  return { provider, start, kept, leadsTo, lines, hosts }
}

const counted = async (provider: Provider) =>
  Number(/purveyor_refused_total\{code="OTHER_HOST"\} (\d+)/.exec(await provider.metrics())?.[1] ?? 0)

test('a repeat is answered as ever, keeps the hosts of the first call, and is a warning', async () => {
  const { provider, start, kept, lines, hosts } = await running()
  const begun = await start(first)
  expect(await start(evil)).toEqual(begun)
  expect(begun.status).toBe(201)
  expect(await kept()).toEqual(first)
  expect(await counted(provider)).toBe(1)
  const both = { webhook_url: 'evil.example', redirect_url: 'evil.example' }
  expect(lines.filter(({ code }) => code === 'OTHER_HOST')).toMatchObject([
    { level: 40, shop: 'default', order: '1001', ...both },
  ])
  // A host that was refused is not proposed.
  expect(await hosts()).toEqual({ hosts: ['api.shop.example', 'shop.example'], confirmed: false })
})

test('a new host is noted before the answer, and logged once also by calls of one moment', async () => {
  const store = lastingStore()
  const sound = store.changeHosts
  let notes = 0
  store.changeHosts = async (...change) => {
    if (++notes === 1) throw new StoreUnavailable('away')
    return sound.apply(store, change)
  }
  const { start, lines, hosts } = await running(store)
  const startAll = (round: number) =>
    Promise.all(Array.from({ length: 10 }, (_, call) => start(first, { id: `${round}0${call}` })))
  const newHosts = () => lines.flatMap(({ host, noted }) => (noted ? [host] : []))
  expect((await startAll(1)).map(({ status }) => status)).toContain(503)
  await startAll(2)
  expect(newHosts().toSorted()).toEqual(['api.shop.example', 'shop.example'])
  expect((await hosts()).hosts).toEqual(['api.shop.example', 'shop.example'])
})

test('on the same host a repeat brings path and query up to date, however the host is written', async () => {
  const { provider, start, kept } = await running()
  await start({ ...first, redirect_url: 'https://xn--bcher-kva.example/a' })
  const newer = {
    redirect_url: 'https://BÜCHER.example.:8443/b?c',
    webhook_url: 'https://API.shop.example./hook?2',
  }
  await start(newer)
  expect(await kept()).toEqual(newer)
  expect(await counted(provider)).toBe(0)
  await start({ ...newer, webhook_url: evil.webhook_url })
  expect(await kept()).toEqual(newer)
})

test('a repeat takes nobody from https to http', async () => {
  const { provider, start, kept } = await running()
  await start(first)
  await start({ ...first, redirect_url: 'http://shop.example:81/thanks' })
  expect(await kept()).toEqual(first)
  expect(await counted(provider)).toBe(1)
})

test.each(['cancelled', 'expired', 'another amount'] as const)(
  'a new attempt after %s keeps the first hosts',
  async (status) => {
    const { provider, start, kept } = await running()
    await start(first)
    const isOther = status === 'another amount'
    if (!isOther) await provider.payments.report({ orderId: '1001' }, { status })
    expect((await start(evil, isOther ? { price_incl: '40.00' } : {})).status).toBe(201)
    expect((await provider.shops.show('default')).hosts).not.toContain('evil.example')
    expect(await kept()).toEqual(first)
  },
)

test('a paid order leads to the first redirect_url', async () => {
  const { provider, start, kept, leadsTo } = await running()
  await start(first)
  await provider.payments.report({ orderId: '1001' }, { status: 'paid', amount: '29.34', currency: 'eur' })
  const { status, payment_url } = await start(evil)
  expect([status, await kept()]).toEqual([201, first])
  expect(await leadsTo(payment_url)).toBe(first.redirect_url)
})

test('of calls that race for a new order the first one counts for both addresses', async () => {
  const file = `${folderWith()}/race.db`
  const nodes = [await running(sqliteStore({ file })), await running(sqliteStore({ file }))]
  const statuses = await Promise.all(
    Array.from({ length: 20 }, (_, call) => {
      const url = `https://shop-${call}.example/`
      return nodes[call % 2]!.start({ redirect_url: url, webhook_url: url })
    }),
  )
  expect(new Set(statuses.map(({ status }) => status))).toEqual(new Set([201]))
  const { redirect_url, webhook_url } = await nodes[0]!.kept()
  expect(redirect_url).toBe(webhook_url)
})

test('a closed list rules: another host on it takes effect, and one beside it is refused', async () => {
  const { provider, start, kept, hosts } = await running()
  await start(evil)
  const named = { add: ['shop.example', 'API.shop.example.'], only: true, confirm: true }
  await provider.shops.changeHosts('default', named)
  expect(await hosts()).toEqual({ hosts: ['api.shop.example', 'shop.example'], confirmed: true })
  await expect
    .poll(async () => [(await start(first)).status, await kept()], { timeout: 120_000, interval: 500 })
    .toEqual([201, first])
  await expect.poll(async () => (await start(evil)).status, { timeout: 120_000 }).toBe(422)
  expect(await kept()).toEqual(first)
})

test('a webhook_url at this provider itself is refused, and the answer says why', async () => {
  const { start } = await running()
  const own = { ...first, webhook_url: 'https://provider.example/hook' }
  const message = 'must be an https address of a public host, not of this provider'
  expect(await start(own)).toMatchObject({ status: 422, errors: [{ path: 'webhook_url', message }] })
})

test('hosts are named in any alphabet, and a list that is closed holds one at least', async () => {
  const { provider } = await running()
  const { hosts } = await provider.shops.changeHosts('default', { add: ['Bücher.Example', 'shop.example.'] })
  expect(hosts).toEqual(['shop.example', 'xn--bcher-kva.example'])
  const change = (changes: object) => provider.shops.changeHosts('default', changes)
  const others = 'https://shop.example x/y 0x7f.1 shop.. u@x.y *.shop.example'.split(' ')
  for (const host of ['a b', '', ...others, '10.0.0.1', '127.0.0.1', 'localhost', 'rates.internal'])
    await expect(change({ add: [host] })).rejects.toMatchObject({ code: 'HOST_NAME_INVALID' })
  for (const changes of [{ only: true }, { remove: hosts }])
    await expect(change({ ...changes, confirm: true })).rejects.toMatchObject({ code: 'HOSTS_MISSING' })
  await expect(provider.shops.add('two', { hosts: [] })).rejects.toMatchObject({ code: 'HOSTS_MISSING' })
})

test('a webhook_url goes to port 443, or to a port that the list names with its host', async () => {
  const { provider, start } = await running()
  const to = (port: number, id: string) =>
    start({ ...first, webhook_url: `https://api.shop.example:${port}/hook` }, { id })
  const fault = { path: 'webhook_url', message: 'must use port 443, or a port on the list of the shop' }
  for (const port of [80, 22, 8443])
    expect(await to(port, `${port}`)).toMatchObject({ status: 422, errors: [fault] })
  expect(await to(443, 'usual')).toMatchObject({ status: 201 })
  const hosts = ['shop.example:443', 'API.shop.example:8443']
  const changed = await provider.shops.changeHosts('default', { add: hosts, only: true, confirm: true })
  expect(changed).toEqual({ hosts: ['api.shop.example:8443', 'shop.example'], confirmed: true })
  // A process keeps what it knows of a shop for a few seconds.
  await expect.poll(() => to(8443, 'listed')).toMatchObject({ status: 201 })
  expect(await to(8444, 'another')).toMatchObject({ status: 422, errors: [fault] })
  expect(await to(443, 'still')).toMatchObject({ status: 201 })
  const wrong = 'shop.example: shop.example:0 shop.example:65536 shop.example:* 10.0.0.1:8443'.split(' ')
  for (const host of wrong) {
    const refused = expect(provider.shops.changeHosts('default', { add: [host] })).rejects
    await refused.toMatchObject({ code: 'HOST_NAME_INVALID' })
  }
})
