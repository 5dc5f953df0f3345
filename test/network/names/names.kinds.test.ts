import { expect, test } from 'vitest'
import type { AskFamily } from '../../../src/network/names/name-server.ts'
import { Names } from '../../../src/network/names/names.ts'
import type { LookupKind } from '../../../src/world.ts'

const kinds: LookupKind[] = ['receivers', 'payments', 'rates', 'other']

function namesWith(askFamily: (name: string) => ReturnType<AskFamily>) {
  const asked: string[] = []
  const names = new Names({
    hostsFile: '/none',
    askFamily: (name) => {
      asked.push(name)
      return askFamily(name)
    },
  })
  const find = (kind: LookupKind, host: string) => names.ready(kind, host, 'shop') ?? Promise.resolve()
  return { asked, find }
}

const found = [{ address: '192.0.2.1', ttl: 60 }]

test.each(kinds)(
  'names of %s that hang fill the lane of a shop there, and none of another kind',
  async (bad) => {
    const { find } = namesWith(async (name) => (name.startsWith('hanging') ? new Promise(() => {}) : found))
    const full = Array.from({ length: 100 }, (_, host) => find(bad, `hanging${host}.example`))
    await expect(Promise.race(full)).rejects.toMatchObject({ code: 'NAME_LOOKUPS_FULL' })
    for (const one of full) one.catch(() => {})
    for (const kind of kinds.filter((one) => one !== bad)) await find(kind, 'good.example')
  },
)

test('an answer that one kind of caller got is not used by another', async () => {
  let fails = true
  const { asked, find } = namesWith(async (name) => {
    if (fails) throw Object.assign(new Error(name), { code: 'ENOTFOUND' })
    return found
  })
  await expect(find('receivers', 'late.example')).rejects.toMatchObject({ code: 'NAME_NOT_FOUND' })
  fails = false
  for (const kind of kinds.slice(1)) await find(kind, 'late.example')
  // Once for each family and kind.
  expect(asked).toHaveLength(2 * kinds.length)
  await expect(find('receivers', 'late.example')).rejects.toMatchObject({ code: 'NAME_NOT_FOUND' })
})
