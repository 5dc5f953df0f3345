import { pino } from 'pino'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { AnyRateAdapter } from '../../src/any-adapter.ts'
import { createProvider, type ProviderOptions, price, sqliteStore } from '../../src/index.ts'
import { combine, markup, onFailure, remoteRates } from '../../src/rates/index.ts'
import { folderWith } from '../folder.ts'
import { checkout, payment } from '../http/messages.ts'
import { postJson } from '../http/post.ts'
import { listening } from '../listening.ts'

const account = z.object({ account: z.string(), free: z.boolean().default(false) })
const courier = {
  name: 'courier',
  settings: account,
  quote: (_request: unknown, { settings }: { settings: z.infer<typeof account> }) => [
    { id: 'door', title: settings.account, ...price({ excl: '5', taxRate: '0.21', currency: 'eur' }) },
  ],
}
interface OfMerchant {
  settings: { merchant: string }
}
const psp = {
  name: 'psp',
  settings: z.object({ merchant: z.string() }),
  methods: (_request: unknown, { settings }: OfMerchant) => [{ id: 'card', title: settings.merchant }],
  start: (_attempt: unknown, { settings }: OfMerchant) => ({
    redirect: `http://127.0.0.1:9/${settings.merchant}`,
  }),
}

async function open(options: Partial<ProviderOptions> = {}) {
  const { provider, endpoint } = await listening({
    rates: courier,
    payments: psp,
    ...options,
  } as ProviderOptions)
  return { provider, shops: provider.shops, endpoint }
}

const courierOf = (account: string) => ({ settings: { adapters: { courier: { account } } } })
const onFile = (file: string, options: Partial<ProviderOptions> = {}) => {
  const quiet = { development: true, logger: pino({ level: 'silent' }) }
  return createProvider({ ...quiet, store: sqliteStore({ file }), rates: courier as never, ...options })
}
/** Payments that are under way for long, without settings. */
const paysLater = { ...psp, settings: undefined, start: () => ({ later: true as const }) } as never

const post = async (endpoint: string, path: string, body: object) => {
  const answer = await postJson(`${endpoint}/${path}`, body)
  // biome-ignore lint/suspicious/noExplicitAny: any answer
  return { status: answer.status, body: (await answer.json()) as any }
}
const titles = async (endpoint: string) =>
  (await post(endpoint, 'shipment_methods', checkout)).body.shipment_methods.map(
    ({ title }: { title: string }) => title,
  )

test('each shop is answered at its own endpoint with what is set for it', async () => {
  const { shops } = await open()
  const ofBoth = (account: string, merchant: string) => ({
    settings: { adapters: { courier: { account }, psp: { merchant } } },
  })
  const one = await shops.add('one', ofBoth('A', 'm1'))
  const two = await shops.add('two', ofBoth('B', 'm2'))
  expect([await titles(one.endpoint), await titles(two.endpoint)]).toEqual([['A'], ['B']])
  const started = await post(two.endpoint, 'payment', payment())
  expect(started.body.payment_url).toBe('http://127.0.0.1:9/m2')
  await shops.saveSettings('one', { adapters: { courier: { account: 'C' } } })
  const fresh = await shops.rotate('one')
  expect(await titles(fresh.endpoint)).toEqual(['C'])
})

test('a shop that takes the name of one that was removed gets nothing of it', async () => {
  const { shops } = await open()
  const first = await shops.add('one', courierOf('old'))
  expect(await titles(first.endpoint)).toEqual(['old'])
  await shops.remove('one')
  const second = await shops.add('one', courierOf('new'))
  expect(await titles(second.endpoint)).toEqual(['new'])
})

test('a shop without the settings an adapter asks for loses that adapter, and the log says why', async () => {
  const { provider, endpoint } = await open()
  expect(await titles(endpoint)).toEqual([])
  const { adapters } = await provider.rates.explain(checkout, { shop: 'default' })
  expect(adapters[0]?.reason).toMatch(
    /the settings of shop default are missing or wrong \(account .*purveyor shop settings default/,
  )
  expect((await post(endpoint, 'payment_methods', checkout)).body).toEqual({ payment_methods: [] })
})

test('shops are listed by a script that runs no provider', async () => {
  const file = `${folderWith()}/shops.db`
  const adding = onFile(file)
  await adding.shops.add('one')
  await adding.stop()
  const listing = onFile(file)
  expect((await listing.shops.list()).map(({ id }) => id)).toEqual(['one'])
  await listing.stop()
})

test('settings that do not fit are refused with every fault, and nothing is changed', async () => {
  const { shops } = await open()
  await shops.add('one', courierOf('A'))
  const wrong = {
    units: { weight: 'stone' },
    adapters: { courier: { account: 5 }, nobody: {}, psp: { merchant: 'm' } },
    credentials: { key: 'k', secret: 'very secret', baseUrl: 'nowhere' },
  }
  const refused = await shops.saveSettings('one', wrong).catch((error: unknown) => error)
  expect(refused).toMatchObject({ code: 'SETTINGS_INVALID' })
  expect(String(refused)).not.toMatch(/very secret|stone/)
  const { units: _, credentials: __, ...adaptersOnly } = wrong
  const nobody = expect.stringMatching(/^is not an adapter of this provider: known are/)
  await expect(shops.saveSettings('one', adaptersOnly)).rejects.toMatchObject({
    faults: [
      { path: 'adapters.courier.account', message: expect.any(String) },
      { path: 'adapters.nobody', message: nobody },
    ],
  })
  const free = { fallback: [{ id: 'a', title: 'A', price_incl: -1 }] }
  await expect(shops.saveSettings('one', free)).rejects.toThrow(/fallback\[0\]\.price_excl/)
  await expect(shops.add('two', { settings: wrong })).rejects.toMatchObject({ code: 'SETTINGS_INVALID' })
  expect((await shops.list()).map(({ id, settings }) => [id, settings])).toEqual([
    ['default', []],
    ['one', ['adapters.courier']],
  ])
})

test.each<[object, string, string]>([
  [{ fallbackRates: [] }, 'fallbackRates', 'is not a setting: did you mean fallback?'],
  [{ unit: { weight: 'g' } }, 'unit', 'is not a setting: did you mean units?'],
  [{ units: { wieght: 'g' } }, 'units.wieght', 'is not a setting: did you mean weight?'],
  [
    { adapters: { curier: {} } },
    'adapters.curier',
    'is not an adapter of this provider: did you mean courier?',
  ],
  [
    { adapters: { courier: { account: 'A', acount: 'B' } } },
    'adapters.courier.acount',
    'is not a setting: did you mean account?',
  ],
])('a mistyped setting is refused with the nearest right name: %j', async (settings, path, message) => {
  const { shops } = await open()
  await shops.add('one')
  await expect(shops.saveSettings('one', settings as never)).rejects.toMatchObject({
    code: 'SETTINGS_INVALID',
    faults: [{ path, message }],
  })
})

test('settings never touch the credentials of a shop, nor credentials its settings, also when both change at once', async () => {
  const { shops } = await open()
  await shops.add('one')
  const platform = { baseUrl: 'http://127.0.0.1:9', language: 'en', secret: 'swordfish' }
  const credentials = (number: number) => ({ ...platform, key: `${number}` })
  const settings = (number: number) => ({ adapters: { courier: { account: `${number}` } } })
  await shops.connect('one', credentials(0))
  await shops.saveSettings('one', settings(0))
  expect((await shops.credentials('one')).key).toBe('0')
  await shops.saveSettings('one', {})
  expect((await shops.show('one')).settings).toEqual(['credentials'])

  for (let round = 1; round <= 5; round++) {
    await Promise.all([
      shops.connect('one', credentials(round)),
      shops.saveSettings('one', settings(round)),
      shops.connect('one', credentials(round)),
    ])
    expect((await shops.credentials('one')).key).toBe(`${round}`)
    expect((await shops.show('one')).settings.sort()).toEqual(['adapters.courier', 'credentials'])
  }
  const refused = shops.saveSettings('one', { ...settings(9), credentials: credentials(9) })
  await expect(refused).rejects.toMatchObject({
    code: 'SETTINGS_INVALID',
    faults: [{ path: 'credentials', message: expect.stringContaining('purveyor shop connect') }],
  })
  await expect(refused).rejects.not.toThrow(/swordfish/)
  expect((await shops.credentials('one')).key).toBe('5')
})

test('two endpoints of a shop answer until the older one ends', async () => {
  const { shops } = await open()
  const first = await shops.add('one')
  const second = await shops.rotate('one', { overlap: 60_000 })
  for (const { endpoint } of [first, second])
    expect((await post(endpoint, 'shipment_methods', checkout)).status).toBe(201)
  const third = await shops.rotate('one', { overlap: 60_000 })
  const { endpoints } = await shops.show('one', { reveal: true })
  expect(endpoints.map(({ url }) => url)).toEqual([third.endpoint, second.endpoint])
  expect(endpoints.map(({ expiresAt }) => expiresAt)).toEqual([undefined, third.oldEndsAt])
  expect((await shops.show('one')).endpoints[0]).not.toHaveProperty('url')
})

test('names that are none, doubled shops and unknown ones are refused', async () => {
  const { shops } = await open()
  await shops.add('one')
  for (const name of ['', 'One', 'a b', '-x', 'a.b', '../x', 'x'.repeat(64)])
    await expect(shops.add(name)).rejects.toMatchObject({ code: 'SHOP_ID_INVALID' })
  await expect(shops.add('one')).rejects.toMatchObject({ code: 'SHOP_EXISTS' })
  const wrongHost = { code: 'HOST_NAME_INVALID' }
  for (const host of ['https://x.example', '*', '*.x.example', 'a..b'])
    await expect(shops.add('two', { hosts: [host] }), host).rejects.toMatchObject(wrongHost)
  const simple = (['show', 'rotate', 'disable', 'remove', 'privacy'] as const).map((call) =>
    shops[call]('nobody'),
  )
  const others = [
    shops.saveSettings('nobody', {}),
    shops.changeHosts('nobody', {}),
    shops.erase('nobody', '1'),
  ]
  for (const call of [...simple, ...others])
    await expect(call).rejects.toMatchObject({ code: 'UNKNOWN_SHOP' })
})

test('a payment under way is neither erased nor removed with its shop, unless it is forced', async () => {
  const { shops } = await open({ payments: paysLater })
  const { endpoint } = await shops.add('one')
  expect((await post(endpoint, 'payment', payment())).status).toBe(201)
  await expect(shops.erase('one', '1001')).rejects.toMatchObject({ code: 'PAYMENT_UNDER_WAY' })
  await expect(shops.remove('one')).rejects.toMatchObject({ code: 'PAYMENT_UNDER_WAY' })
  expect(await shops.erase('one', '7')).toBe(false)
  expect(await shops.erase('one', '1001', { force: true })).toBe(true)
  await shops.remove('one')
  expect((await shops.list()).map(({ id }) => id)).toEqual(['default'])
})

test('hosts are noted until the list is confirmed, and others are refused from then on', async () => {
  const { shops } = await open({ payments: paysLater })
  const { endpoint } = await shops.add('one')
  const at = (host: string, id: number) => ({ ...payment({ id }), redirect_url: `http://${host}:9/return` })
  expect((await post(endpoint, 'payment', at('localhost', 1))).status).toBe(201)
  const noted = { hosts: ['127.0.0.1', 'localhost'], confirmed: true }
  expect(await shops.changeHosts('one', { confirm: true })).toEqual(noted)
  const later = await shops.rotate('one')
  expect((await post(later.endpoint, 'payment', at('localhost', 2))).status).toBe(201)
  const refused = await post(later.endpoint, 'payment', at('elsewhere.example', 3))
  expect([refused.status, refused.body.code]).toEqual([422, 'HOST_NOT_ALLOWED'])
  expect(refused.body.errors.map(({ path }: { path: string }) => path)).toEqual(['redirect_url'])
})

test('a new secret opens what the old one has sealed, and seals it anew', async () => {
  const file = `${folderWith()}/keys.db`
  const [old, fresh] = ['the old secret of these tests 1234', 'a fresh secret of these tests 1234']
  const at = (secret: ProviderOptions['secret']) => onFile(file, { payments: psp as never, secret })
  const before = at(old)
  const first = await before.start()
  await before.shops.add('one', courierOf('A'))
  await before.stop()

  await expect(at(fresh).start()).rejects.toThrow(/PURVEYOR_SECRET/)
  const between = at({ current: fresh, previous: old })
  expect((await between.start()).endpoint).toBe(first.endpoint)
  await between.stop()

  const after = at(fresh)
  expect((await after.start()).endpoint).toBe(first.endpoint)
  expect((await after.shops.show('one')).settings).toEqual(['adapters.courier'])
  await after.stop()
})

test('the statement for a privacy policy says what goes where and for how long', async () => {
  const { shops } = await open({
    rates: {
      ...courier,
      needs: ['customer.email'],
      privacy: { recipient: 'Courier Ltd', keptFor: 'six months' },
      network: { allow: ['rates.internal:8443'] },
    } as never,
    payments: { adapters: psp as never, retention: 90 },
  })
  const { adapters, kept } = await shops.privacy('default')
  expect(adapters).toEqual([
    {
      adapter: 'courier',
      purpose: 'to quote shipping methods',
      recipient: 'Courier Ltd',
      keptFor: 'six months',
      fields: ['customer.email'],
      privateNetwork: ['rates.internal:8443'],
    },
    expect.objectContaining({ adapter: 'psp', recipient: undefined, privateNetwork: [] }),
  ])
  expect(adapters[1]?.fields).toContain('shipping_address.zipcode')
  expect(kept.map(({ days }) => days)).toEqual([90, 30, 90, 30])
})

test('without privacy a carrier is named by its host, also inside a combination and as a fallback', async () => {
  const carrier = (name: string, more: Partial<Parameters<typeof remoteRates>[0]> = {}) =>
    remoteRates({ name, url: `https://api.${name}.example/v1`, answer: () => [], ...more })
  const recipients = async (...rates: AnyRateAdapter[]) => {
    const { shops } = await open({ rates: rates as never })
    return (await shops.privacy('default')).adapters.slice(0, -1).map(({ recipient }) => recipient)
  }
  const named = carrier('b', { privacy: { recipient: 'B Ltd' } })
  expect(await recipients(markup({ amount: 1 }, carrier('a')), named)).toEqual(['api.a.example', 'B Ltd'])
  expect(await recipients(combine('all', [carrier('a'), named]))).toEqual(['api.a.example, B Ltd'])
  expect(await recipients(onFailure(carrier('a'), named))).toEqual(['api.a.example', 'B Ltd'])
  const computed = carrier('a', { url: () => 'https://x.example' })
  expect(await recipients(computed)).toEqual(['the host of its url()'])
})

test('an option of a new shop that is mistyped is refused: without its hosts the shop would take any', async () => {
  const { shops } = await open()
  const added = shops.add('typo', { host: ['a.example.com'] } as never)
  await expect(added).rejects.toThrow(/shops\.add\(\): host is not an option: did you mean hosts\?/)
  expect((await shops.list()).map(({ id }) => id)).not.toContain('typo')
})
