import { expect, test } from 'vitest'
import { KeyedLimits } from '../../src/http/limits.ts'

const limits = { perSecond: 2, burst: 4, concurrent: 3 }

function callsOf(shops: KeyedLimits) {
  return (id: string) => {
    try {
      shops.enter(id)
    } catch (error) {
      return (error as { code: string }).code
    }
    shops.leave(id)
    return 'admitted'
  }
}

const full = 'TOO_MANY_REQUESTS'

test('a shop that has used its calls up gets no new ones because ten thousand others call', () => {
  let now = 0
  const call = callsOf(new KeyedLimits(limits, () => now))
  for (let at = 0; at < 4; at++) expect(call('busy')).toBe('admitted')
  expect(call('busy')).toBe(full)
  for (let at = 0; at < 25_000; at++) expect(call(`shop${at}`)).toBe('admitted')
  expect(call('busy')).toBe(full)
  now = 500
  expect([call('busy'), call('busy')]).toEqual(['admitted', full])
})

test('calls that are open count while others come and go', () => {
  let now = 0
  const shops = new KeyedLimits(limits, () => now)
  const call = callsOf(shops)
  for (let at = 0; at < 3; at++) shops.enter('open')
  for (let at = 0; at < 25_000; at++) {
    call(`shop${at}`)
    now++
  }
  expect(call('open')).toBe(full)
  for (let at = 0; at < 3; at++) shops.leave('open')
  expect(call('open')).toBe('admitted')
})

test('a large body counts as several calls, and what it overdraws later calls wait for', () => {
  let now = 0
  const shops = new KeyedLimits(limits, () => now)
  const call = callsOf(shops)
  for (const id of ['large', 'beside']) shops.enter(id)
  // Both of these bodies are read before one is counted.
  shops.enter('large')
  shops.spend('large', 10 * 4_096)
  expect(() => shops.spend('large', 10 * 4_096)).toThrow(expect.objectContaining({ retryAfter: 5 }))
  // The rest of a body that overdrew the bucket by itself.
  shops.spend('large', 11 * 4_096, 10 * 4_096)
  shops.leave('large')
  shops.leave('large')
  shops.spend('beside', 4_095)
  for (let at = 0; at < 3; at++) expect(call('beside')).toBe('admitted')
  expect(call('beside')).toBe(full)
  now = 4_500
  expect(call('large')).toBe(full)
  now = 5_000
  expect(call('large')).toBe('admitted')
})
