import { expect, test } from 'vitest'
import { ShopLimits } from '../../src/http/limits.ts'

const limits = { perSecond: 2, burst: 4, concurrent: 3 }

function callsOf(shops: ShopLimits) {
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

test('a shop that has used its calls up gets no new ones because ten thousand others call', () => {
  let now = 0
  const call = callsOf(new ShopLimits(limits, () => now))
  for (let at = 0; at < 4; at++) expect(call('busy')).toBe('admitted')
  expect(call('busy')).toBe('TOO_MANY_REQUESTS')
  for (let at = 0; at < 25_000; at++) expect(call(`shop${at}`)).toBe('admitted')
  expect(call('busy')).toBe('TOO_MANY_REQUESTS')
  now = 500
  expect(call('busy')).toBe('admitted')
  expect(call('busy')).toBe('TOO_MANY_REQUESTS')
})

test('calls that are open count while others come and go', () => {
  let now = 0
  const shops = new ShopLimits(limits, () => now)
  const call = callsOf(shops)
  for (let at = 0; at < 3; at++) shops.enter('open')
  for (let at = 0; at < 25_000; at++) {
    call(`shop${at}`)
    now++
  }
  expect(call('open')).toBe('TOO_MANY_REQUESTS')
  for (let at = 0; at < 3; at++) shops.leave('open')
  expect(call('open')).toBe('admitted')
})
