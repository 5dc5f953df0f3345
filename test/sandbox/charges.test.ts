import { rmSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { md5SortedPairs } from '../../src/platform/index.ts'
import { createSandbox, type Sandbox } from '../../src/sandbox/index.ts'
import { folderWith } from '../folder.ts'
import { postForm } from '../http/post.ts'
import { asked, clientOf, openShop } from '../platform/sandbox.ts'

const callbackUrl = 'https://app.example/charged'

/** A shop at the very start of a month, so that parts of months are easy numbers. */
async function shopWithClient() {
  const shop = await openShop()
  const now = new Date(shop.now())
  await shop.advance(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1) - shop.now())
  const days = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 2, 0)).getUTCDate()
  const halfAMonth = () => shop.advance((days / 2) * 24 * 3_600_000)
  const { appSubscriptions } = clientOf(shop).client
  const create = async (type: 'recurring' | 'onetime', title: string, price: string, from?: number) => {
    const upgrade = from === undefined ? {} : { appSubscriptionId: from }
    return Number((await appSubscriptions.create({ type, title, price, callbackUrl, ...upgrade })).id)
  }
  const statusOf = async (id: number) => (await appSubscriptions.get(id)).status
  return { shop, create, statusOf, halfAMonth }
}

const billed = (shop: Sandbox) =>
  shop.invoices.map(({ lines, total }) => [...lines.map(({ title, amount }) => `${title} ${amount}`), total])

describe('what the merchant is billed (spec 3.2)', () => {
  test('a recurring charge every month, and one of a single time on the next invoice', async () => {
    const { shop, create } = await shopWithClient()
    shop.decide(await create('recurring', 'Plus', '9.95'), 'approve')
    shop.decide(await create('onetime', 'Setup', '49.00'), 'approve')
    await create('recurring', 'Never approved', '99.00')
    expect(shop.invoices).toEqual([])
    await shop.advance('1month')
    expect(billed(shop)).toEqual([['Plus 9.95', 'Setup 49.00', '58.95']])
    await shop.advance('1month')
    await shop.advance('1month')
    const plus = ['Plus 9.95', '9.95']
    expect(billed(shop).slice(1)).toEqual([plus, plus])
    expect(shop.invoices.every((invoice) => invoice.for === 'merchant')).toBe(true)
  })

  test('an upgrade is billed by the days of each, and the old charge is active until then', async () => {
    const { shop, create, statusOf, halfAMonth } = await shopWithClient()
    const plus = await create('recurring', 'Plus', '10.00')
    shop.decide(plus, 'approve')
    const pro = await create('recurring', 'Pro', '20.00', plus)
    await halfAMonth()
    // Not approved for longer than 72 hours: it has expired, and the old one stays.
    expect([await statusOf(plus), await statusOf(pro)]).toEqual(['active', 'expired'])
    const again = await create('recurring', 'Pro', '20.00', plus)
    expect(await statusOf(plus)).toBe('active')
    shop.decide(again, 'approve')
    expect([await statusOf(plus), await statusOf(again)]).toEqual(['cancelled', 'active'])
    await halfAMonth()
    expect(billed(shop)).toEqual([['Plus 5.00', 'Pro 10.00', '15.00']])
  })

  test('months that pass at once are each billed', async () => {
    const { shop, create } = await shopWithClient()
    shop.decide(await create('recurring', 'Plus', '9.95'), 'approve')
    await shop.advance('3month')
    expect(billed(shop)).toHaveLength(3)
  })
})

describe('the approval', () => {
  test.each([
    ['72h', 71, 2],
    ['27h', 26, 2],
  ] as const)('expires after %s', async (chargeExpiry, before, more) => {
    const { shop, create, statusOf } = await shopWithClient()
    shop.set({ chargeExpiry })
    const id = await create('recurring', 'Plus', '9.95')
    await shop.advance(before * 3_600_000)
    expect(await statusOf(id)).toBe('pending')
    await shop.advance(more * 3_600_000)
    expect(await statusOf(id)).toBe('expired')
    expect(shop.decide(id, 'approve')).toContain('app_subscription_id')
    expect(await statusOf(id)).toBe('expired')
  })

  test('is only for who knows the token, and happens once', async () => {
    const { shop, create, statusOf } = await shopWithClient()
    const id = await create('recurring', 'Plus', '9.95')
    const { token } = shop.charges[0]!
    const post = (key: string, decision: string) =>
      postForm(`${shop.url}/charges/${id}/approval?token=${key}`, { decision })
    expect((await post('wrong', 'approve')).status).toBe(404)
    expect((await fetch(`${shop.url}/charges/${id}/cancel?token=wrong`)).status).toBe(404)
    expect((await post(token, 'perhaps')).status).toBe(422)
    expect(await statusOf(id)).toBe('pending')
    expect(await (await post(token, 'decline')).text()).toContain(`${callbackUrl}?app_subscription_id=${id}`)
    expect(await statusOf(id)).toBe('cancelled')
    await post(token, 'approve')
    expect(await statusOf(id)).toBe('cancelled')
  })
})

test('a shop that was closed goes on where it was', async () => {
  const folder = folderWith()
  const file = `${folder}/shop.db`
  const open = () => openShop({ file }, () => {})
  const shop = await open()
  const { client } = clientOf(shop)
  const plus = { type: 'recurring', title: 'Plus', price: 9, callbackUrl } as const
  const { id } = await client.appSubscriptions.create(plus)
  shop.decide(Number(id), 'approve')
  const product = await client.resource('products').create({ title: 'Kept' })
  shop.register({ type: 'payment', name: 'Kept', urlEndpoint: 'https://provider.example/e/x' })
  shop.set({ webhook: 'refused' })
  await shop.advance('1month')
  const before = { now: shop.now(), invoices: shop.invoices, calls: shop.calls.length }
  await shop.close()

  const again = await open()
  expect(again.now()).toBeGreaterThanOrEqual(before.now)
  expect(again.invoices).toEqual(before.invoices)
  expect(again.charges).toMatchObject([{ title: 'Plus', status: 'active' }])
  expect(again.services).toMatchObject([{ name: 'Kept' }])
  expect(again.switches.find(({ name }) => name === 'webhook')?.value).toBe('refused')
  expect(again.calls).toHaveLength(before.calls)
  expect((await clientOf(again).client.resource('products').get(product.id)).title).toBe('Kept')
  expect(asked(again).length).toBeGreaterThan(0)
  await again.close()

  writeFileSync(file, 'no database at all, and long enough to be sure of that')
  rmSync(`${file}-wal`, { force: true })
  expect(() => createSandbox({ file })).toThrow(/cannot use .* as its store.*Name a new file/)
  for (const wrong of [`${file}/shop.db`, folder])
    expect(() => createSandbox({ file: wrong })).toThrow(`cannot use ${wrong} as its store: E`)
})

describe('cancelUrl', () => {
  async function shopWithCharge(change: (shop: Sandbox, id: number) => unknown = () => {}) {
    const { shop, create, ...rest } = await shopWithClient()
    const id = await create('recurring', 'Plus', '10.00')
    await change(shop, id)
    const { cancelUrl } = (await clientOf(shop).client.appSubscriptions.get(id)) as { cancelUrl?: string }
    const open = async (language = 'en', url = cancelUrl!) => {
      const answer = await fetch(url, { headers: { 'accept-language': language } })
      const [, link = ''] = /href="(https:\/\/app\.example[^"]+)"/.exec(await answer.text()) ?? []
      return { status: answer.status, callback: link && new URL(link.replaceAll('&amp;', '&')) }
    }
    return { shop, id, cancelUrl: cancelUrl!, open, ...rest }
  }

  test('of a charge that waits declines it, and sends the merchant back in their language', async () => {
    const { shop, id, open, statusOf } = await shopWithCharge()
    const { callback } = await open('nl-NL,nl;q=0.9,en;q=0.8')
    expect(await statusOf(id)).toBe('cancelled')
    const { searchParams } = callback as URL
    expect(searchParams.get('language')).toBe('nl')
    const verifier = md5SortedPairs(shop.api.appSecret)
    const { signature, cluster_id: _, ...signed } = Object.fromEntries(searchParams)
    expect(Object.keys(signed).sort()).toEqual(['app_subscription_id', 'language', 'shop_id', 'timestamp'])
    expect(verifier(signed, signature!)).toBe(true)
    expect(verifier({ ...signed, language: 'en' }, signature!)).toBe(false)
  })

  test('of an active charge ends it: it is billed for its days', async () => {
    const { shop, id, open, statusOf, halfAMonth } = await shopWithCharge((given, one) =>
      given.decide(one, 'approve'),
    )
    await halfAMonth()
    await open()
    expect(await statusOf(id)).toBe('cancelled')
    await shop.advance('2month')
    expect(billed(shop)).toEqual([['Plus 5.00', '5.00']])
  })

  test('opened twice changes nothing more, and without its token nothing at all', async () => {
    const { shop, id, cancelUrl, open, statusOf } = await shopWithCharge()
    expect(await open('pt-BR', cancelUrl.replace(/token=.{4}/, 'token=xxxx'))).toMatchObject({ status: 404 })
    expect(await statusOf(id)).toBe('pending')
    for (let times = 0; times < 2; times++) {
      const { callback } = await open('pt-BR')
      expect((callback as URL).searchParams.get('language')).toBe('en')
    }
    expect([await statusOf(id), shop.charges.length]).toEqual(['cancelled', 1])
  })

  test('of a charge of a single time that was approved leaves it: it is owed', async () => {
    const { shop, create, statusOf } = await shopWithClient()
    const id = await create('onetime', 'Setup', '49.00')
    shop.decide(id, 'approve')
    await fetch(`${shop.url}/charges/${id}/cancel?token=${shop.charges[0]!.token}`)
    expect(await statusOf(id)).toBe('active')
  })
})

test('the merchant is sent back in their language after an approval too', async () => {
  const { shop, create } = await shopWithClient()
  const id = await create('recurring', 'Plus', '10.00')
  const { token } = shop.charges.find((one) => one.id === id)!
  const page = `${shop.url}/charges/${id}/approval?token=${token}`
  const answer = await postForm(page, { decision: 'approve' }, { 'accept-language': 'de' })
  expect(await answer.text()).toMatch(/[?;]language=de&amp;/)
  expect(shop.decide(id, 'approve', 'fr')).toMatch(/[?&]language=fr&/)
})
