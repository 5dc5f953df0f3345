import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  type CallbackRules,
  hmacSha256,
  installedSecret,
  md5SortedPairs,
  verifyCallback,
} from '../../src/platform/index.ts'
import { appSecret, signedQuery } from './signed-query.ts'

/** A callback with this query rejects with this code, and names this parameter. */
const isRefused = (query: string, code: string, changes: Partial<CallbackRules> = {}, place?: string) =>
  expect(verifyCallback(query, rules(changes))).rejects.toMatchObject({ code, ...(place && { place }) })

const now = Date.UTC(2026, 5, 1)
const seconds = String(now / 1000)
const charge = { app_subscription_id: '5', language: 'nl', shop_id: '7', timestamp: seconds }
const rules = (changes: Partial<CallbackRules> = {}): CallbackRules => ({
  kind: 'charge',
  verifier: md5SortedPairs(appSecret),
  now: () => now,
  ...changes,
})

describe('a callback of a charge (spec 5, 6)', () => {
  test('is read once its signature is right', async () => {
    expect(await verifyCallback(signedQuery(charge), rules())).toEqual({
      ...{ shopId: '7', language: 'nl', at: now, appSubscriptionId: '5' },
      ...{ token: undefined, clusterUrl: undefined },
    })
    const address = `https://app.example/charged?${signedQuery(charge)}`
    expect(await verifyCallback(address, rules())).toMatchObject({ shopId: '7' })
  })

  const names = [...Object.keys(charge), 'signature'] as const
  test.each(names)('is refused with %s altered, doubled or removed', async (name) => {
    const altered = new URLSearchParams(signedQuery(charge))
    altered.set(name, name === 'signature' ? 'f'.repeat(32) : `${altered.get(name)}1`)
    await isRefused(String(altered), 'CALLBACK_SIGNATURE_WRONG')

    const doubled = `${signedQuery(charge)}&${name}=${new URLSearchParams(signedQuery(charge)).get(name)}`
    await isRefused(doubled, 'CALLBACK_PARAMETER_DOUBLED', {}, name)

    for (const empty of [undefined, '']) {
      const removed = new URLSearchParams(signedQuery(charge))
      if (empty === undefined) removed.delete(name)
      else removed.set(name, empty)
      await isRefused(String(removed), 'CALLBACK_PARAMETER_MISSING', {}, name)
    }
  })

  const wrong = ['', 'x', 'zz', '00', `${'0'.repeat(31)}`, 'é'.repeat(32), '0'.repeat(64)]
  test.each(wrong)('is refused with the signature "%s"', async (signature) => {
    const query = new URLSearchParams(signedQuery(charge))
    query.set('signature', signature)
    const refused = verifyCallback(String(query), rules())
    await expect(refused).rejects.toMatchObject({ name: 'PurveyorError' })
  })

  test.each([
    [-301, 'CALLBACK_TOO_OLD'],
    [-300, undefined],
    [300, undefined],
    [301, 'CALLBACK_TOO_OLD'],
  ])('made %i s from now is taken or not: %s', async (from, code) => {
    const query = signedQuery({ ...charge, timestamp: String(Number(seconds) + from) })
    const verified = verifyCallback(query, rules())
    if (code) await expect(verified).rejects.toMatchObject({ code })
    else expect((await verified).at).toBe(now + from * 1000)
  })

  test('with a time that is none is refused', async () => {
    await isRefused(signedQuery({ ...charge, timestamp: 'soon' }), 'CALLBACK_TIMESTAMP_INVALID')
  })

  test('may repeat, unless repeats are to be refused', async () => {
    const query = signedQuery(charge)
    for (let time = 0; time < 2; time++) await verifyCallback(query, rules())
    const seen = new Map<string, number>()
    const onceStore = { add: (key: string, until: number) => !seen.has(key) && !!seen.set(key, until) }
    await verifyCallback(query, rules({ onceStore }))
    await isRefused(query, 'CALLBACK_REPEATED', { onceStore })
    expect([...seen.values()]).toEqual([now + 300_000])
  })

  test('names a cluster of the configured list or none', async () => {
    const clusters = { eu1: 'https://api.eu1.platform.example' }
    expect((await verifyCallback(signedQuery(charge), rules({ clusters }))).clusterUrl).toBe(clusters.eu1)
    for (const cluster_id of ['us1', 'evil.example', '__proto__', 'constructor', 'https://evil.example']) {
      const query = signedQuery(charge, { cluster_id })
      await isRefused(query, 'CALLBACK_CLUSTER_UNKNOWN', { clusters })
      expect((await verifyCallback(query, rules())).clusterUrl).toBeUndefined()
    }
  })

  test('is refused without a verifier, and by one that does not say true', async () => {
    await isRefused(signedQuery(charge), 'ARGUMENT_INVALID', { verifier: undefined as never })
    await isRefused(signedQuery(charge), 'CALLBACK_SIGNATURE_WRONG', { verifier: () => 'yes' as never })
    expect(() => md5SortedPairs('')).toThrow(/missing/)
  })

  test('is not believed to be one of another kind', async () => {
    await isRefused(signedQuery(charge), 'CALLBACK_SIGNATURE_WRONG', { kind: 'uninstall' })
    await isRefused(signedQuery(charge), 'CALLBACK_PARAMETER_MISSING', { kind: 'install' }, 'token')
  })
})

test('install and uninstall callbacks are verified too, and an install makes the password of the shop', async () => {
  const fields = { language: 'nl', shop_id: '7', timestamp: seconds }
  const { shopId } = await verifyCallback(signedQuery(fields), rules({ kind: 'uninstall' }))
  expect(shopId).toBe('7')
  const { token } = await verifyCallback(signedQuery({ ...fields, token: 'abc' }), rules({ kind: 'install' }))
  expect(token).toBe('abc')

  expect(installedSecret('abc', 's3cret')).toBe('ec8025dd99250eca4110fe9580781432')
})

test('a platform that signs with HMAC is verified with hmacSha256', async () => {
  const pairs = `app_subscription_id=5language=nlshop_id=7timestamp=${seconds}`
  const signature = createHmac('sha256', appSecret).update(pairs).digest('hex')
  const query = new URLSearchParams({ ...charge, signature }).toString()
  const { shopId } = await verifyCallback(query, rules({ verifier: hmacSha256(appSecret) }))
  expect(shopId).toBe('7')
  await isRefused(query, 'CALLBACK_SIGNATURE_WRONG', { verifier: hmacSha256('other') })
})
