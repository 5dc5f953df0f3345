import { describe, expect, test } from 'vitest'
import {
  createPlatformClient,
  type ExternalServices,
  type PlatformOptions,
} from '../../src/platform/index.ts'
import type { SwitchValues } from '../../src/sandbox/index.ts'
import { freePort } from '../ports.ts'
import { serveOrigin } from '../serve-origin.ts'
import { asked, clientOf, openShop } from './sandbox.ts'

const products = Array.from({ length: 1000 }, (_, number) => ({ title: `Product ${number}` }))
async function thousand() {
  const shop = await openShop({ resources: { products } })
  return { shop, ...clientOf(shop) }
}

const account = { language: 'nl', key: 'key', secret: 'secret' }
const elsewhere = { ...account, baseUrl: 'https://platform.example', allowLoopback: true }

const forms = ['form', 'json'] as const
const shopWithout = () => openShop({ resources: { products: [] } })

describe('resources (spec 4.1)', () => {
  test('a thousand products are listed in four calls and an empty one, each once', async () => {
    const { shop, client } = await thousand()
    const listed = await Array.fromAsync(client.resource('products').list())
    expect(new Set(listed.map(({ id }) => id)).size).toBe(1000)
    expect(asked(shop)).toEqual(
      [0, 250, 500, 750, 1000].map((since) => `GET nl/products.json?limit=250&since_id=${since}`),
    )
  })

  test('by page they come too, and one page is in memory at a time', async () => {
    const { shop, client } = await thousand()
    let count = 0
    for await (const _ of client.resource('products').list({ by: 'page', limit: 100 })) {
      // A page is only read once the previous one is used up.
      expect(asked(shop).length).toBe(Math.floor(count++ / 100) + 1)
    }
    expect(count).toBe(1000)
  })

  test('a list that is left is asked for no further', async () => {
    const { shop, client } = await thousand()
    for await (const { id } of client.resource('products').list()) if (id === 3) break
    expect(asked(shop)).toHaveLength(1)
  })

  test.each(forms)('a product is made, counted, read, changed and removed with %s bodies', async (bodies) => {
    const shop = await shopWithout()
    const products = clientOf(shop, { bodies }).client.resource<{ id: number; title: string }>('products')
    const made = await products.create({ title: 'Mug & saucer = ünique' })
    expect(made).toMatchObject({ id: expect.any(Number), title: 'Mug & saucer = ünique' })
    expect(await products.count()).toBe(1)
    expect(await products.update(made.id, { title: 'Cup' })).toMatchObject({ id: made.id, title: 'Cup' })
    expect((await products.get(made.id)).title).toBe('Cup')
    await products.remove(made.id)
    expect(await products.count()).toBe(0)
    expect(asked(shop)[0]).toBe('POST nl/products.json')
  })

  test.each([0, 251, 1.5, Number.NaN])('a limit of %s is refused before anybody is called', async (limit) => {
    const shop = await shopWithout()
    const list = clientOf(shop).client.resource('products').list({ limit })
    await expect(list.next()).rejects.toThrow(/limit must be a whole number from 1 to 250/)
    expect(asked(shop)).toEqual([])
  })
})

describe('external services and charges (spec 4.2)', () => {
  const urlEndpoint = 'https://provider.example/e/x'
  const service = { type: 'shipment', name: 'Courier', urlEndpoint, isActive: true } as const

  test('a service lives its life, in JSON and without a language in its path', async () => {
    const shop = await shopWithout()
    const { externalServices } = clientOf(shop).client
    const made = await externalServices.create({ ...service, rateEstimate: true })
    expect(made).toMatchObject({ ...service, id: expect.any(Number) })
    expect(await externalServices.update(made.id, { isActive: false })).toMatchObject({ isActive: false })
    expect(await Array.fromAsync(externalServices.list(), ({ id }) => id)).toEqual([made.id])
    await externalServices.remove(made.id)
    expect(asked(shop).map((call) => call.replace(/\?.*/, ''))).toEqual([
      'POST external_services.json',
      `PUT external_services/${made.id}.json`,
      'GET external_services.json',
      `DELETE external_services/${made.id}.json`,
    ])
  })

  test('a platform that wants the language everywhere gets it', async () => {
    const shop = await shopWithout()
    await clientOf(shop, { languageEverywhere: true }).client.externalServices.create(service)
    expect(asked(shop)).toEqual(['POST nl/external_services.json'])
  })

  test('a charge is created, read and taken back', async () => {
    const shop = await shopWithout()
    const { appSubscriptions } = clientOf(shop).client
    const callbackUrl = 'https://app.example/charged'
    const charge = { type: 'recurring', title: 'Plus', price: '9.95', callbackUrl } as const
    const made = await appSubscriptions.create(charge)
    expect(made.approvalUrl).toContain(`${shop.url}/charges/`)
    expect(await appSubscriptions.get(made.id)).toEqual(made)
    await appSubscriptions.remove(made.id)
    const gone = { code: 'PLATFORM_NOT_FOUND', status: 404 }
    await expect(appSubscriptions.get(made.id)).rejects.toMatchObject(gone)
  })

  test('what cannot be right is a TypeError with its place, and nobody is called', async () => {
    const shop = await shopWithout()
    const { externalServices, appSubscriptions } = clientOf(shop).client
    const ofOther = externalServices.create({ ...service, type: 'other' } as never)
    await expect(ofOther).rejects.toThrow(/externalService: type/)
    const odd = appSubscriptions.create({ type: 'onetime', title: '', price: -1, callbackUrl: 'x' })
    await expect(odd).rejects.toThrow(/appSubscription: .*title.*callbackUrl/)
    expect(asked(shop)).toEqual([])
  })
})

describe('rate limits', () => {
  test('the client slows down before it is refused, and nobody is refused', async () => {
    const shop = await shopWithout()
    shop.set({ api: 'limited' })
    const { client, slept } = clientOf(shop)
    const products = client.resource('products')
    for (let call = 0; call < 25; call++) await products.count()
    expect(shop.calls.map(({ status }) => status)).toEqual(Array(25).fill(200))
    expect(slept.length).toBeGreaterThan(2)
    expect(slept.every((ms) => ms > 0 && ms <= 5 * 60_000)).toBe(true)
  })

  test('429 with Retry-After is waited for, also by a POST, and no call is lost', async () => {
    const shop = await shopWithout()
    shop.set({ api: 'limitNext' })
    const { client, slept } = clientOf(shop)
    await client.resource('products').create({ title: 'Mug' })
    expect(await client.resource('products').count()).toBe(1)
    expect(shop.calls.map(({ status }) => status)).toEqual([429, 201, 200])
    expect(slept).toHaveLength(1)
    expect(slept[0]).toBeGreaterThan(2_000)
    expect(slept[0]).toBeLessThanOrEqual(12_000)
  })

  test('a limit that lasts longer than the patience is named with its end', async () => {
    const shop = await shopWithout()
    shop.set({ api: 'limitNext' })
    const { client } = clientOf(shop, { patience: 5_000 })
    const limited = { code: 'PLATFORM_RATE_LIMITED', status: 429, retryAt: expect.any(Number) }
    await expect(client.resource('products').count()).rejects.toMatchObject(limited)
    expect(asked(shop)).toHaveLength(1)
  })
})

/** An address of this machine that was free a moment ago. */
const nobodyListens = async () => `http://127.0.0.1:${await freePort()}`

/** A client of a server that answers everything alike. */
async function answering(body: string) {
  const baseUrl = await serveOrigin((_req, res) => res.end(body))
  return createPlatformClient({ ...elsewhere, baseUrl })
}

describe('faults', () => {
  test('what may be repeated is, and what may not is not', async () => {
    const shop = await shopWithout()
    const products = clientOf(shop).client.resource('products')
    const loseNext = () => shop.set({ api: 'loseNext' })
    loseNext()
    const unknown = { code: 'PLATFORM_OUTCOME_UNKNOWN' }
    await expect(products.create({ title: 'Mug' })).rejects.toMatchObject(unknown)
    loseNext()
    expect(await products.count()).toBe(1)
    const { value: mug } = await products.list().next()
    loseNext()
    expect((await products.update(mug.id, { title: 'Cup' })).title).toBe('Cup')
    loseNext()
    await products.remove(mug.id)
    expect(await products.count()).toBe(0)
    await expect(products.remove(mug.id)).rejects.toMatchObject({ code: 'PLATFORM_NOT_FOUND' })
  })

  test.each<[SwitchValues['api'], string]>([
    ['html', 'PLATFORM_UNREADABLE'],
    ['half', 'PLATFORM_UNREADABLE'],
    ['redirect', 'PLATFORM_REDIRECTED'],
    ['forbidden', 'PLATFORM_FORBIDDEN'],
    ['broken', 'PLATFORM_UNAVAILABLE'],
    ['silent', 'PLATFORM_UNAVAILABLE'],
  ])('a platform that is %s is a typed error', async (api, code) => {
    const shop = await shopWithout()
    shop.set({ api })
    const { client } = clientOf(shop, { timeout: api === 'silent' ? 200 : 60_000, tries: 2 })
    const counted = client.resource('products').count()
    const error = (await counted.catch((one: unknown) => one)) as Error
    const called = { method: 'GET', path: 'nl/products/count.json' }
    expect(error).toMatchObject({ name: 'PlatformError', code, ...called })
    expect(`${error}${JSON.stringify(error)}${error.cause}`).not.toMatch(/secret|c2VjcmV0/)
  })

  test('a list for a count is no count', async () => {
    const client = await answering('[]')
    await expect(client.resource('products').count()).rejects.toMatchObject({ code: 'PLATFORM_UNREADABLE' })
  })

  test("wrong credentials and an unknown language are named in the platform's own words", async () => {
    const shop = await shopWithout()
    const denied = clientOf(shop, { secret: 'not this one' }).client.resource('products').count()
    const refused = { code: 'PLATFORM_UNAUTHORIZED', status: 401, said: 'Access denied.' }
    await expect(denied).rejects.toMatchObject(refused)
    await expect(denied).rejects.not.toThrow(/not this one/)
    const lost = clientOf(shop, { language: 'xx' }).client.resource('products').count()
    const said = expect.stringContaining('Unknown or inactive language.')
    await expect(lost).rejects.toMatchObject({ code: 'PLATFORM_NOT_FOUND', said })
  })

  test('a platform that is not there was not reached, also by a POST', async () => {
    const slept: number[] = []
    const after = (ms: number, call: () => void) => {
      slept.push(ms)
      call()
      return () => {}
    }
    const clock = { now: Date.now, after }
    const client = createPlatformClient({ ...elsewhere, baseUrl: await nobodyListens(), clock })
    await expect(client.resource('products').create({ title: 'Mug' })).rejects.toMatchObject({
      code: 'PLATFORM_UNAVAILABLE',
      message: expect.stringContaining('the platform was not reached: TypeError, ECONNREFUSED. Try again'),
    })
    expect(slept).toHaveLength(3)
  })

  test.each(['GET', 'POST'])(
    '%s of a host that is not public says so, and is not tried again',
    async (method) => {
      const options = { ...elsewhere, baseUrl: 'https://platform.internal', allowLoopback: false }
      const clock = { now: Date.now, after: () => expect.unreachable() }
      const products = createPlatformClient({ ...options, clock }).resource('products')
      const says = 'The address may not be called: its host is not public. Set `baseUrl` to the public https'
      await expect(method === 'GET' ? products.count() : products.create({})).rejects.toMatchObject({
        code: 'PLATFORM_NOT_CALLED',
        message: expect.stringContaining(`not reached: ${says}`),
      })
    },
  )

  test('key and secret may stand in the address, and appear in no error', async () => {
    const shop = await shopWithout()
    const { key, secret, baseUrl } = shop.api
    const address = baseUrl.replace('://', `://${encodeURIComponent(key)}:${encodeURIComponent(secret)}@`)
    const client = createPlatformClient({ baseUrl: address, language: 'nl', allowLoopback: true })
    expect(await client.resource('products').count()).toBe(0)
    const failed = await client.resource('products').get(9).catch(String)
    expect(failed).not.toContain(secret)
    const odd = createPlatformClient({ ...elsewhere, key: 'k%', baseUrl: 'https://k%25@platform.example' })
    expect(JSON.stringify(odd)).not.toContain('k%')
  })

  test.each(forms)('nested records and lists of objects are written as %s', async (bodies) => {
    const { client } = clientOf(await shopWithout(), { bodies })
    const { id } = await client.resource('products').create({ title: 'Mug' })
    const metafields = client.resource(`products/${id}/metafields`)
    const made = await metafields.create({ key: 'origin', value: 'nl' })
    expect(await metafields.get(made.id)).toMatchObject({ key: 'origin', value: 'nl' })
    const options = ['Size', 'Colour'].map((name) => ({ name, values: ['S', 'M'] }))
    expect(await client.resource('variants').create({ product: id, options })).toMatchObject({ options })
  })

  test.each([
    ['externalServices', 'urlEndpoint', { type: 'shipment', name: 'Courier', isActive: true }],
    ['webhooks', 'address', { itemGroup: 'orders', itemAction: '*' }],
  ] as const)(
    '%s with an address that is not https are refused before anything is sent',
    async (...given) => {
      const [resource, field, fields] = given
      const shop = await shopWithout()
      const records = clientOf(shop).client[resource] as ExternalServices
      const at = (url: string) => ({ ...fields, [field]: url }) as never
      const isRefused = `${field} must be an https address`
      await expect(records.create(at('http://provider.example/1'))).rejects.toThrow(isRefused)
      expect(asked(shop)).toEqual([])
      // Loopback in development aside.
      const { id } = await records.create(at('http://127.0.0.1:1/1'))
      await expect(records.update(id, { [field]: 'http://10.0.0.1/1' })).rejects.toThrow(isRefused)
    },
  )

  test('a platform that ignores since_id does not list for ever', async () => {
    const client = await answering(JSON.stringify({ products: [{ id: 1 }, { id: 2 }] }))
    const listed = Array.fromAsync(client.resource('products').list({ limit: 2 }))
    await expect(listed).rejects.toThrow(/ignores since_id/)
  })

  test.each<[Partial<PlatformOptions>, RegExp]>([
    [{ baseUrl: 'http://platform.example', allowLoopback: false }, /https address.*allowLoopback: true/],
    [{ baseUrl: 'https://other:secret@platform.example' }, /two different values of key: give it once$/],
    [{ key: undefined }, /key is missing/],
    [{ baseUrl: 'https://key@platform.example', secret: undefined }, /secret is missing/],
    [{ baseUrl: 'platform.example' }, /https/],
    [{ language: 'NL_nl' }, /language/],
    [{ key: '' }, /key is missing/],
  ])('options that are wrong are named: %j', (options, message) => {
    expect(() => createPlatformClient({ ...elsewhere, ...options })).toThrow(message)
  })
})
