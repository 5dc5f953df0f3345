import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { createPlatformClient, type PlatformOptions } from '../../src/platform/index.ts'
import { type Habit, localPlatform } from './local-platform.ts'

/** A client whose waits are told and take no time. */
function clientOf(platform: { baseUrl: string }, options: Partial<PlatformOptions> = {}) {
  const slept: number[] = []
  let now = Date.now()
  const clock = {
    now: () => now,
    async sleep(ms: number) {
      slept.push(ms)
      now += ms
    },
  }
  const { baseUrl } = platform
  const given = {
    baseUrl,
    language: 'nl',
    key: 'key',
    secret: 'secret',
    allowLoopback: true,
    clock,
    ...options,
  }
  return { client: createPlatformClient(given), slept }
}

const thousand = async () => {
  const platform = await localPlatform({ limit: 10_000 })
  for (let number = 0; number < 1000; number++) platform.add('products', { title: `Product ${number}` })
  return platform
}

describe('resources (spec 4.1)', () => {
  test('a thousand products are listed in four calls and an empty one, each once', async () => {
    const platform = await thousand()
    const { client } = clientOf(platform)
    const ids = []
    for await (const { id } of client.resource('products').list()) ids.push(id)
    expect(new Set(ids).size).toBe(1000)
    expect(platform.asked.map(({ path }) => path)).toEqual(
      [0, 250, 500, 750, 1000].map((since) => `/nl/products.json?limit=250&since_id=${since}`),
    )
  })

  test('by page they come too, and one page is in memory at a time', async () => {
    const platform = await thousand()
    const { client } = clientOf(platform)
    let count = 0
    for await (const _ of client.resource('products').list({ by: 'page', limit: 100 })) {
      // Nobody asks for a page before the one before has been gone through.
      expect(platform.asked.length).toBe(Math.floor(count++ / 100) + 1)
    }
    expect(count).toBe(1000)
  })

  test('a list that is left is asked for no further', async () => {
    const platform = await thousand()
    const { client } = clientOf(platform)
    for await (const { id } of client.resource('products').list()) if (id === 3) break
    expect(platform.asked).toHaveLength(1)
  })

  test.each(['form', 'json'] as const)(
    'a product is made, counted, read, changed and removed with %s bodies',
    async (bodies) => {
      const platform = await localPlatform()
      const products = clientOf(platform, { bodies }).client.resource<{ id: number; title: string }>(
        'products',
      )
      const made = await products.create({ title: 'Mug & saucer = ünique' })
      expect(made).toMatchObject({ id: expect.any(Number), title: 'Mug & saucer = ünique' })
      expect(await products.count()).toBe(1)
      expect(await products.update(made.id, { title: 'Cup' })).toMatchObject({ id: made.id, title: 'Cup' })
      expect((await products.get(made.id)).title).toBe('Cup')
      await products.remove(made.id)
      expect(await products.count()).toBe(0)
      expect(platform.asked[0]).toMatchObject({
        method: 'POST',
        path: '/nl/products.json',
        type: bodies === 'json' ? 'application/json' : 'application/x-www-form-urlencoded',
      })
    },
  )

  test.each([0, 251, 1.5, Number.NaN])('a limit of %s is refused before anybody is called', async (limit) => {
    const platform = await localPlatform()
    const list = clientOf(platform).client.resource('products').list({ limit })
    await expect(list.next()).rejects.toThrow(/limit is a whole number from 1 to 250/)
    expect(platform.asked).toEqual([])
  })
})

describe('external services and charges (spec 4.2)', () => {
  const service = {
    type: 'shipment',
    name: 'Courier',
    urlEndpoint: 'https://provider.example/e/x',
    isActive: true,
  } as const

  test('a service lives its life, in JSON and without a language in its path', async () => {
    const platform = await localPlatform()
    const { externalServices } = clientOf(platform).client
    const made = await externalServices.create({ ...service, rateEstimate: true })
    expect(made).toMatchObject({ ...service, id: expect.any(Number) })
    expect(await externalServices.update(made.id, { isActive: false })).toMatchObject({ isActive: false })
    const listed = []
    for await (const one of externalServices.list()) listed.push(one.id)
    expect(listed).toEqual([made.id])
    await externalServices.remove(made.id)
    expect(platform.asked.map(({ path }) => path.replace(/\?.*/, ''))).toEqual([
      '/external_services.json',
      `/external_services/${made.id}.json`,
      '/external_services.json',
      `/external_services/${made.id}.json`,
    ])
    expect(platform.asked[0]?.type).toBe('application/json')
  })

  test('a platform that wants the language everywhere gets it', async () => {
    const platform = await localPlatform()
    await clientOf(platform, { languageEverywhere: true }).client.externalServices.create(service)
    expect(platform.asked[0]?.path).toBe('/nl/external_services.json')
  })

  test('a charge is created, read and taken back', async () => {
    const platform = await localPlatform()
    const { appSubscriptions } = clientOf(platform).client
    const charge = {
      type: 'recurring',
      title: 'Plus',
      price: '9.95',
      callbackUrl: 'https://app.example/charged',
    } as const
    const made = await appSubscriptions.create(charge)
    expect(made.approvalUrl).toMatch(/^https:/)
    expect(await appSubscriptions.get(made.id)).toEqual(made)
    await appSubscriptions.remove(made.id)
    await expect(appSubscriptions.get(made.id)).rejects.toMatchObject({ code: 'NOT_FOUND', status: 404 })
  })

  test('what cannot be right is a TypeError with its place, and nobody is called', async () => {
    const platform = await localPlatform()
    const { externalServices, appSubscriptions } = clientOf(platform).client
    await expect(externalServices.create({ ...service, type: 'other' } as never)).rejects.toThrow(
      /externalService: type/,
    )
    await expect(
      appSubscriptions.create({ type: 'onetime', title: '', price: -1, callbackUrl: 'x' }),
    ).rejects.toThrow(/appSubscription: .*title.*callbackUrl/)
    expect(platform.asked).toEqual([])
  })
})

describe('rate limits', () => {
  test('the client slows down before it is refused, and nobody is refused', async () => {
    const platform = await localPlatform({ limit: 300 })
    platform.limit(5, 60)
    const { client, slept } = clientOf(platform)
    const products = client.resource('products')
    for (let call = 0; call < 5; call++) await products.count()
    expect(platform.asked.every(({ status }) => status === 200 || status === 0)).toBe(true)
    expect(slept.length).toBeGreaterThan(2)
    expect(slept.every((ms) => ms > 0 && ms <= 60_000)).toBe(true)
  })

  test.each(['12', new Date(Date.now() + 12_000).toUTCString()])(
    '429 with Retry-After %s is waited for, also by a POST, and no call is lost',
    async (retryAfter) => {
      const platform = await localPlatform()
      let refused = 0
      platform.behave((_req, res) => {
        if (refused++ >= 2) return false
        res.writeHead(429, { 'retry-after': retryAfter }).end()
        return true
      })
      const { client, slept } = clientOf(platform)
      await client.resource('products').create({ title: 'Mug' })
      expect(platform.rows.products).toHaveLength(1)
      expect(slept).toHaveLength(2)
      expect(slept[0]).toBeGreaterThan(10_000)
      expect(slept[0]).toBeLessThanOrEqual(12_000)
    },
  )

  test('a limit that lasts longer than the patience is told with its end', async () => {
    const platform = await localPlatform()
    platform.behave((_req, res) => {
      res.writeHead(429, { 'retry-after': '86400' }).end()
      return true
    })
    const error = await clientOf(platform)
      .client.resource('products')
      .count()
      .catch((one: unknown) => one)
    expect(error).toMatchObject({ code: 'RATE_LIMITED', status: 429, retryAt: expect.any(Number) })
    expect(platform.asked).toHaveLength(1)
  })
})

/** An address of this machine that was free a moment ago. */
async function nobodyListens(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}`
}

/** Does the work and loses the answer. */
const losesAnswers =
  (times: number): Habit =>
  (_req, res, work) => {
    if (times-- <= 0) return false
    res.end = (() => res) as never
    res.writeHead = (() => res) as never
    work()
    res.socket?.destroy()
    return true
  }

describe('faults', () => {
  test('what may be repeated is, and what may not is not', async () => {
    const platform = await localPlatform()
    const products = clientOf(platform).client.resource('products')
    platform.behave(losesAnswers(1))
    await expect(products.create({ title: 'Mug' })).rejects.toMatchObject({ code: 'UNKNOWN_OUTCOME' })
    expect(platform.rows.products).toHaveLength(1)
    const { id } = platform.rows.products![0]!
    platform.behave(losesAnswers(2))
    expect(await products.count()).toBe(1)
    platform.behave(losesAnswers(1))
    expect((await products.update(id, { title: 'Cup' })).title).toBe('Cup')
    platform.behave(losesAnswers(1))
    await products.remove(id)
    expect(platform.rows.products).toEqual([])
    await expect(products.remove(id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test.each<[string, Habit, string]>([
    ['HTML', (_req, res) => !!res.end('<html>Welcome</html>'), 'UNREADABLE'],
    ['half an answer', (_req, res) => !!res.end('{"products":[{"id"'), 'UNREADABLE'],
    ['a list for a count', (_req, res) => !!res.end('[]'), 'UNREADABLE'],
    [
      'a redirect to another host',
      (_req, res) => !!res.writeHead(302, { location: 'https://elsewhere.example/' }).end(),
      'REDIRECTED',
    ],
    ['403', (_req, res) => !!res.writeHead(403).end(), 'FORBIDDEN'],
    ['500', (_req, res) => !!res.writeHead(500).end('oops'), 'UNAVAILABLE'],
    ['nothing', () => true, 'UNAVAILABLE'],
  ])('%s is a typed error', async (_what, habit, code) => {
    const platform = await localPlatform()
    platform.behave(habit)
    const { client } = clientOf(platform, { timeout: 200, tries: 2 })
    const error = (await client
      .resource('products')
      .count()
      .catch((one: unknown) => one)) as Error
    expect(error).toMatchObject({
      name: 'PlatformError',
      code,
      method: 'GET',
      path: 'nl/products/count.json',
    })
    expect(`${error}${JSON.stringify(error)}${error.cause}`).not.toMatch(/secret|a2V5/)
  })

  test("wrong credentials and an unknown language are told in the platform's own words", async () => {
    const platform = await localPlatform()
    const denied = clientOf(platform, { secret: 'not this one' }).client.resource('products').count()
    await expect(denied).rejects.toMatchObject({ code: 'UNAUTHORIZED', status: 401, said: 'Access denied.' })
    await expect(denied).rejects.not.toThrow(/not this one/)
    const lost = clientOf(platform, { language: 'xx' }).client.resource('products').count()
    await expect(lost).rejects.toMatchObject({ code: 'NOT_FOUND', said: 'Language not found.' })
  })

  test('a platform that is not there was not reached, also by a POST', async () => {
    const { client, slept } = clientOf({ baseUrl: await nobodyListens() })
    await expect(client.resource('products').create({ title: 'Mug' })).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    })
    expect(slept).toHaveLength(3)
  })

  test('a platform that pays no heed to since_id does not list for ever', async () => {
    const platform = await localPlatform()
    platform.behave((_req, res) => !!res.end(JSON.stringify({ products: [{ id: 1 }, { id: 2 }] })))
    const list = async () => {
      for await (const _ of clientOf(platform).client.resource('products').list({ limit: 2 }));
    }
    await expect(list()).rejects.toThrow(/list by page/)
  })

  test.each<[Partial<PlatformOptions>, RegExp]>([
    [{ baseUrl: 'http://platform.example', allowLoopback: false }, /https/],
    [{ baseUrl: 'https://key:secret@platform.example' }, /no credentials/],
    [{ baseUrl: 'platform.example' }, /https/],
    [{ language: 'NL_nl' }, /language/],
    [{ key: '' }, /key is missing/],
  ])('options that are wrong are named: %j', (options, message) => {
    expect(() => clientOf({ baseUrl: 'https://platform.example' }, options)).toThrow(message)
  })
})
