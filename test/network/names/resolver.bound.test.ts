import { expect, test } from 'vitest'
import { Resolver } from '../../../src/network/names/resolver.ts'

test('the answers of 10,000 names are kept, and the name that was used longest ago makes room for one more', async () => {
  const asked = new Map<string, number>()
  const resolver = new Resolver({
    async ask(name) {
      asked.set(name, (asked.get(name) ?? 0) + 1)
      return { addresses: [{ address: '192.0.2.1', family: 4 }], ttl: 300_000 }
    },
    now: () => 0,
    after: () => () => {},
    seen: () => {},
  })
  // No lane has more names than it may keep.
  const find = (name: number) => resolver.find(`h${name}.example`, `shop${name % 250}`)
  for (let name = 0; name < 10_000; name++) await find(name)
  await find(0)
  expect(asked.get('h0.example')).toBe(1)
  await find(10_000)
  expect(['h0', 'h1', 'h2', 'h10000'].map((name) => resolver.isFresh(`${name}.example`))).toEqual([
    ...[true, false],
    ...[true, true],
  ])
  await find(1)
  expect(asked.get('h1.example')).toBe(2)
})
