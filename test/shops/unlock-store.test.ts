import { expect, test } from 'vitest'
import { Addresses } from '../../src/payments/addresses.ts'
import { unlockStore } from '../../src/shops/unlock-store.ts'
import { memoryStore } from '../../src/stores/memory.ts'
import { movableWorld } from '../helpers/world.ts'
import { testWorkings } from '../workings.ts'

const { world } = movableWorld()
const workings = testWorkings({ world, store: memoryStore() })
const { seal } = workings
const pages = { kind: 'key', key: 'pages' } as const
const settings = { kind: 'shop', key: 'red' } as const

/** A store that answers its key in turn, and holds these sealed texts. */
function unlocking(keys: readonly (string | undefined)[], texts: readonly string[]) {
  const left = [...keys]
  const created: unknown[] = []
  const store = {
    ...workings.store,
    open: async () => {},
    copyMarks: async () => [],
    key: async () => left.shift(),
    sealed: async () => texts.map((sealed) => ({ ...settings, sealed })),
    async ensureKey(name: unknown, key: { sealed: string }) {
      created.push(name)
      return key.sealed
    },
  }
  return { created, unlock: () => unlockStore({ ...workings, store: store as never }) }
}

const text = seal.close('{}', settings)

test('a store that lost its key is refused as soon as it has one sealed text', async () => {
  const { unlock, created } = unlocking([undefined, undefined], [text])
  await expect(unlock()).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
    message: expect.stringMatching(/lost the key of its payment pages.*Restore the table keys/),
  })
  expect(created).toEqual([])
})

test('a key that another node creates meanwhile is taken', async () => {
  const { unlock, created } = unlocking([undefined, seal.close('a key of pages', pages)], [text])
  await unlock()
  expect(created).toEqual([])
})

test('page tokens are made with the key of the store', async () => {
  const tokenWith = async (key: string) => {
    const addresses = new Addresses(workings, '', () => {})
    const store = {
      ...workings.store,
      open: async () => {},
      copyMarks: async () => [],
      key: async () => seal.close(key, pages),
    }
    await unlockStore({ ...workings, addresses, store: store as never })
    return addresses.pages.of({ id: 'a1', openedAt: 1 })
  }
  expect(await tokenWith('one')).toBe(await tokenWith('one'))
  expect(await tokenWith('one')).not.toBe(await tokenWith('other'))
})

test('a new store gets one key, and a store with a key none', async () => {
  const { unlock, created } = unlocking([undefined], [])
  await unlock()
  expect(created).toEqual(['pages'])
  const second = unlocking([seal.close('a key of pages', pages)], [text])
  await second.unlock()
  expect(second.created).toEqual([])
})
