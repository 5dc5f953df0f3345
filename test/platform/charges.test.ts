import { describe, expect, test } from 'vitest'
import { type ChargesOptions, createCharges, md5SortedPairs } from '../../src/platform/index.ts'
import { serveOrigin } from '../serve-origin.ts'
import { asked, clientOf, openShop } from './sandbox.ts'

const hour = 3_600_000
const appSecret = 'the secret of the app'

async function setUp(changes: Partial<ChargesOptions> = {}) {
  const shop = await openShop({ appSecret })
  const clusters = { sandbox: shop.api.baseUrl }
  const charges = createCharges({
    client: clientOf(shop).client,
    callbackUrl: 'https://app.example/charged',
    callbacks: { verifier: md5SortedPairs(appSecret), now: () => shop.now(), clusters },
    ...changes,
  })
  const plus = { type: 'recurring', title: 'Plus', price: '9.95' } as const
  /** The merchant decides. Returns the query of the callback that follows. */
  const decide = (id: string, decision: 'approve' | 'decline') =>
    new URL(shop.decide(Number(id), decision)).search.slice(1)
  return { shop, charges, plus, decide }
}

describe('charges (spec 2.3, 3.2, 6)', () => {
  test('a charge waits, is approved, and is active once the platform says so', async () => {
    const { charges, plus, decide } = await setUp()
    const made = await charges.create(plus)
    const approvalUrl = expect.stringContaining('/approval?token=')
    expect(made).toMatchObject({ state: 'waiting', approvalUrl, price: '9.95' })
    const query = decide(made.id, 'approve')
    const { charge, shopId } = await charges.callback(query)
    expect([charge.state, charge.approvalUrl, shopId]).toEqual(['active', undefined, '4711'])
    expect((await charges.active()).map(({ id }) => id)).toEqual([made.id])
    expect((await charges.read(made.id)).state).toBe('active')
  })

  test('what the merchant declines is declined, and never active', async () => {
    const { charges, plus, decide } = await setUp()
    const { id } = await charges.create(plus)
    expect((await charges.callback(decide(id, 'decline'))).charge.state).toBe('declined')
    expect(await charges.active()).toEqual([])
  })

  test.each([
    ['declined', 'declined'],
    ['Rejected', 'declined'],
    ['expired', 'expired'],
    ['frozen', 'unknown'],
  ])('a charge that another platform calls %s is %s', async (status, state) => {
    const get = async () => ({ id: 1, type: 'recurring', title: 'Plus', price: 9.95, status })
    const { charges } = await setUp({ client: { appSubscriptions: { get } } as never })
    expect((await charges.read(1)).state).toBe(state)
  })

  test('nothing of the query counts but which charge it is', async () => {
    const { charges, plus, decide } = await setUp()
    const { id } = await charges.create(plus)
    const query = `${decide(id, 'decline')}&status=active`
    expect((await charges.callback(query)).charge.state).toBe('declined')
  })

  test('an unapproved charge expires after 72 hours', async () => {
    const { shop, charges, plus } = await setUp()
    const { id } = await charges.create(plus)
    await shop.advance(71 * hour)
    expect((await charges.read(id)).state).toBe('waiting')
    await shop.advance(2 * hour)
    expect((await charges.read(id)).state).toBe('expired')
  })

  test('an upgrade names the charge before it, which stays active until then', async () => {
    const { shop, charges, plus, decide } = await setUp()
    const first = await charges.create(plus)
    decide(first.id, 'approve')
    const second = await charges.create({ ...plus, title: 'Pro', price: 19.95, upgradeFrom: first.id })
    expect(shop.charges.at(-1)).toMatchObject({ upgradeFrom: Number(first.id) })
    expect((await charges.active()).map(({ id }) => id)).toEqual([first.id])
    expect(second.state).toBe('waiting')
    decide(second.id, 'approve')
    expect((await charges.active()).map(({ id }) => id)).toEqual([second.id])
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

  test('the route sends a merchant on, calls the app, and refuses what is not signed', async () => {
    const { shop, charges, plus, decide } = await setUp()
    const called: string[] = []
    const failed: unknown[] = []
    const route = charges.route({
      returnTo: ({ state }) => `https://app.example/${state}`,
      onError: (error) => void failed.push(error),
      onCharge: ({ id, state }, shopId) => void called.push(`${id} ${state} ${shopId}`),
    })
    const at = `${await serveOrigin(route)}/charged`
    const { id } = await charges.create(plus)
    const query = decide(id, 'approve')
    const answer = await fetch(`${at}?${query}`, { redirect: 'manual' })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, 'https://app.example/active'])
    const calls = asked(shop).length
    for (const wrong of [
      '',
      query.replace(/shop_id=4711/, 'shop_id=8'),
      `${query}&shop_id=4711`,
      query.replace('cluster_id=sandbox', 'cluster_id=evil.example'),
    ]) {
      const refused = await fetch(`${at}?${wrong}`, { redirect: 'manual' })
      expect(refused.status).toBe(400)
      const says = /not valid.*\(CALLBACK_(SIGNATURE_WRONG|PARAMETER_\w+|CLUSTER_UNKNOWN)\)/
      expect(await refused.text()).toMatch(says)
    }
    // An unsigned callback causes no call.
    expect(asked(shop)).toHaveLength(calls)
    expect(called).toEqual([`${id} active 4711`])
    shop.set({ api: 'forbidden' })
    expect((await fetch(`${at}?${query}`, { redirect: 'manual' })).status).toBe(503)
    expect(failed).toMatchObject([{ code: 'PLATFORM_FORBIDDEN' }])
  })

  test.each([
    [{ cacheFor: 5 }, 'createCharges(): cacheFor is not an option'],
    [
      { callbacks: { verifier: () => true, tolerence: 5 } },
      'callbacks.tolerence is not an option: did you mean tolerance?',
    ],
  ])('an option that there is not is refused: %j', (more, words) => {
    const options = { client: {}, callbackUrl: '', callbacks: { verifier: () => true }, ...more } as never
    expect(() => createCharges(options)).toThrow(words)
  })
})
