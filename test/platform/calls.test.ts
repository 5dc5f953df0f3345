import { expect, test } from 'vitest'
import { type Call, type CallOptions, PlatformCalls } from '../../src/platform/calls.ts'
import { serveOrigin } from '../serve-origin.ts'

const count: Call = { method: 'GET', path: 'nl/products/count.json' }

/** A platform that refuses every call for `retryAfter` seconds, and calls of it whose waits take no time. */
async function refusing(retryAfter: string | undefined, options: Partial<CallOptions>, headers = {}) {
  let asked = 0
  const [status, wait] = retryAfter === undefined ? [503, {}] : [429, { 'retry-after': retryAfter }]
  const baseUrl = await serveOrigin((_req, res) => {
    asked++
    res.writeHead(status, { ...headers, ...wait }).end()
  })
  let now = 0
  const slept: number[] = []
  const after = (ms: number, call: () => void) => {
    slept.push(ms)
    now += ms
    call()
    return () => {}
  }
  const calls = new PlatformCalls({
    ...{ baseUrl, key: 'key', secret: 'secret', fetch, clock: { now: () => now, after } },
    ...{ timeout: 60_000, tries: 9, patience: 10_000 },
    ...options,
  })
  return { send: () => calls.send(count), slept, asked: () => asked }
}

test('the patience of a call is for all its waits together, and the last of them may end with it', async () => {
  const limited = await refusing('4', { patience: 8_000 })
  const refused = { code: 'PLATFORM_RATE_LIMITED', status: 429, retryAt: 12_000 }
  await expect(limited.send()).rejects.toMatchObject(refused)
  expect(limited.slept).toEqual([4_000, 4_000])
  expect(limited.asked()).toBe(3)
})

test('each call has a patience of its own', async () => {
  const limited = await refusing('4', { patience: 8_000 })
  await limited.send().catch(() => {})
  await limited.send().catch(() => {})
  expect(limited.asked()).toBe(6)
})

test('a limit that lasts longer than the patience is not waited for at all', async () => {
  const limited = await refusing('8', { patience: 7_999 })
  await expect(limited.send()).rejects.toMatchObject({ code: 'PLATFORM_RATE_LIMITED' })
  expect([limited.slept, limited.asked()]).toEqual([[], 1])
})

test('a platform that fails is asked again after longer and longer, up to the last try', async () => {
  const failing = await refusing(undefined, { tries: 4, patience: 60_000 })
  await expect(failing.send()).rejects.toMatchObject({ code: 'PLATFORM_UNAVAILABLE', status: 503 })
  expect(failing.asked()).toBe(4)
})

test('a call that the rate limit puts off for longer than the patience is not made, and says when it may be', async () => {
  const limits = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '60' }
  const full = await refusing(undefined, { tries: 1 }, limits)
  await full.send().catch(() => {})
  await expect(full.send()).rejects.toMatchObject({ code: 'PLATFORM_RATE_LIMITED', retryAt: 60_000 })
  expect([full.slept, full.asked()]).toEqual([[], 1])
})
