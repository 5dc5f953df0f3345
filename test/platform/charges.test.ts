import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  type ChargesOptions,
  createCharges,
  createPlatformClient,
  md5SortedPairs,
} from '../../src/platform/index.ts'
import { appSecret, localPlatform } from './local-platform.ts'

const hour = 3_600_000

async function setUp(changes: Partial<ChargesOptions> = {}) {
  const platform = await localPlatform()
  let now = Date.now()
  const { baseUrl } = platform
  const client = createPlatformClient({
    baseUrl,
    language: 'nl',
    key: 'key',
    secret: 'secret',
    allowLoopback: true,
  })
  const charges = createCharges({
    client,
    callbackUrl: 'https://app.example/charged',
    callbacks: { verifier: md5SortedPairs(appSecret), now: () => now, clusters: { eu1: baseUrl } },
    ...changes,
  })
  const plus = { type: 'recurring', title: 'Plus', price: '9.95' } as const
  return { platform, charges, plus, pass: (ms: number) => (now += ms) }
}

describe('charges (spec 2.3, 3.2, 6)', () => {
  test('a charge waits, is approved, and is active once the platform says so', async () => {
    const { platform, charges, plus } = await setUp()
    const made = await charges.create(plus)
    expect(made).toMatchObject({
      state: 'waiting',
      approvalUrl: expect.stringMatching(/^https:/),
      price: '9.95',
    })
    const query = platform.end(made.id, 'active')
    const { charge, shopId } = await charges.callback(query)
    expect([charge.state, charge.approvalUrl, shopId]).toEqual(['active', undefined, '7'])
    expect((await charges.active()).map(({ id }) => id)).toEqual([made.id])
    // The callback has read it anew for everybody.
    expect((await charges.read(made.id)).state).toBe('active')
  })

  test.each([
    ['declined', 'declined'],
    ['cancelled', 'declined'],
    ['expired', 'expired'],
    ['frozen', 'unknown'],
  ])('a charge that the platform calls %s is %s, and never active', async (word, state) => {
    const { platform, charges, plus } = await setUp()
    const { id } = await charges.create(plus)
    const { charge } = await charges.callback(platform.end(id, word))
    expect(charge.state).toBe(state)
    expect(await charges.active()).toEqual([])
  })

  test('nothing of the query counts but which charge it is', async () => {
    const { platform, charges, plus } = await setUp()
    const { id } = await charges.create(plus)
    const query = `${platform.end(id, 'pending')}&status=active`
    expect((await charges.callback(query)).charge.state).toBe('waiting')
  })

  test('an unapproved charge expires after 72 hours, or after what is set', async () => {
    const { charges, plus, pass } = await setUp()
    const { id } = await charges.create(plus)
    pass(71 * hour)
    expect((await charges.read(id)).state).toBe('waiting')
    pass(2 * hour)
    expect((await charges.read(id)).state).toBe('expired')
    const short = await setUp({ expiresAfter: 27 * hour })
    const other = await short.charges.create(short.plus)
    short.pass(28 * hour)
    expect((await short.charges.read(other.id)).state).toBe('expired')
  })

  test('a charge is not read again for half a minute, unless it is asked for anew', async () => {
    const { platform, charges, plus, pass } = await setUp()
    const { id } = await charges.create(plus)
    platform.end(id, 'active')
    expect((await charges.read(id)).state).toBe('waiting')
    expect((await charges.read(id, { fresh: true })).state).toBe('active')
    const calls = platform.asked.length
    await charges.read(id)
    expect(platform.asked).toHaveLength(calls)
    pass(31_000)
    await charges.read(id)
    expect(platform.asked).toHaveLength(calls + 1)
  })

  test('an upgrade names the charge before it, which stays active until then', async () => {
    const { platform, charges, plus } = await setUp()
    const first = await charges.create(plus)
    platform.end(first.id, 'active')
    const second = await charges.create({ ...plus, title: 'Pro', price: 19.95, upgradeFrom: first.id })
    expect(platform.rows.app_subscriptions?.at(-1)).toMatchObject({ appSubscriptionId: first.id })
    expect((await charges.active()).map(({ id }) => id)).toEqual([first.id])
    expect(second.state).toBe('waiting')
  })

  test('a charge that was taken back is removed', async () => {
    const { charges, plus } = await setUp()
    const { id } = await charges.create(plus)
    await charges.remove(id)
    expect((await charges.read(id)).state).toBe('removed')
  })

  test('without a verifier there are no charges', async () => {
    await expect(setUp({ callbacks: {} as never })).rejects.toThrow(/callbacks.verifier/)
  })

  test('the route sends a shop owner on, tells the app, and refuses what is not signed', async () => {
    const { platform, charges, plus } = await setUp()
    const told: string[] = []
    const failed: unknown[] = []
    const route = charges.route({
      returnTo: ({ state }) => `https://app.example/${state}`,
      onError: (error) => void failed.push(error),
      onCharge: ({ id, state }, shopId) => void told.push(`${id} ${state} ${shopId}`),
    })
    const server = createServer(route).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await new Promise((resolve) => server.once('listening', resolve))
    const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}/charged`
    const { id } = await charges.create(plus)
    const query = platform.end(id, 'active')
    const answer = await fetch(`${at}?${query}`, { redirect: 'manual' })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, 'https://app.example/active'])
    const calls = platform.asked.length
    for (const wrong of [
      '',
      query.replace(/shop_id=7/, 'shop_id=8'),
      `${query}&shop_id=7`,
      query.replace('eu1', 'evil.example'),
    ]) {
      const refused = await fetch(`${at}?${wrong}`, { redirect: 'manual' })
      expect(refused.status).toBe(400)
      expect(await refused.text()).toMatch(/not valid.*\((SIGNATURE_WRONG|PARAMETER_\w+|CLUSTER_UNKNOWN)\)/)
    }
    // Nobody was called for what nobody signed.
    expect(platform.asked).toHaveLength(calls)
    expect(told).toEqual([`${id} active 7`])
    platform.behave((_req, res) => !!res.writeHead(403).end())
    expect((await fetch(`${at}?${query}`, { redirect: 'manual' })).status).toBe(503)
    expect(failed).toMatchObject([{ code: 'FORBIDDEN' }])
  }, 20_000)
})
