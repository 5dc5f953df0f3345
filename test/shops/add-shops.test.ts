import { expect, test } from 'vitest'
import { addShops, type ListedShop, ShopsInvalid } from '../../src/shops/add-shops.ts'
import { movableWorld, providerIn } from '../helpers/world.ts'

function adding() {
  const { world } = movableWorld()
  const workings = providerIn(world, {})
  const add = (shops: ListedShop[], dryRun?: boolean) =>
    addShops(workings, async () => {}, shops, { by: 'ann', ...(dryRun !== undefined && { dryRun }) })
  const faults = async (shops: ListedShop[]) => {
    const error = await add(shops).catch((one: unknown) => one)
    expect(error).toBeInstanceOf(ShopsInvalid)
    return (error as ShopsInvalid).faults.map(({ index, field, code }) => `${index} ${field} ${code}`)
  }
  return { workings, add, faults }
}

test('all shops of a list are added, each with an endpoint of its own, in the order of the list', async () => {
  const { workings, add } = adding()
  const added = await add([
    { id: 'one', platformId: '4711' },
    { id: 'two', hosts: ['shop.example.com'] },
  ])
  expect(added.map(({ shop }) => shop)).toEqual(['one', 'two'])
  expect(new Set(added.map(({ endpoint }) => endpoint)).size).toBe(2)
  expect(added[0]!.endpoint).toMatch(/^https:\/\/provider\.example\/e\/.+/)
  expect((await workings.store.shop('one'))?.platformId).toBe('4711')
  const hosts = { names: ['shop.example.com'], confirmed: true }
  expect((await workings.store.shop('two'))?.hosts).toMatchObject(hosts)
})

test('a dry run adds none and finds the same faults', async () => {
  const { workings, add } = adding()
  expect(await add([{ id: 'one' }], true)).toEqual([])
  expect(await workings.store.shop('one')).toBeUndefined()
  await expect(add([{ id: 'Not One' }], true)).rejects.toBeInstanceOf(ShopsInvalid)
})

test('every fault has its row and field, in the order of the list, and nothing is added', async () => {
  const { workings, add, faults } = adding()
  await add([{ id: 'there' }])
  expect(
    await faults([
      { id: 'fine' },
      { id: 'Not One', platformId: '007' },
      { id: 'there' },
      { id: 'hosts', hosts: ['https://shop.example.com'] },
      { id: 'fine' },
      { id: 'none', hosts: [] },
      { id: 'set', settings: { units: { weight: 'stone' } } as never },
    ]),
  ).toEqual([
    '1 id SHOP_ID_INVALID',
    '1 platformId PLATFORM_ID_INVALID',
    '2 id SHOP_EXISTS',
    '3 hosts HOST_NAME_INVALID',
    '4 id SHOP_TWICE',
    '5 hosts HOSTS_MISSING',
    '6 settings SETTINGS_INVALID',
  ])
  expect(await workings.store.shop('fine')).toBeUndefined()
})

test('a shop that somebody adds meanwhile is a fault of its row, and nothing is added', async () => {
  const { workings, add, faults } = adding()
  const { shops } = workings.store
  workings.store.shops = async () => {
    const found = await shops()
    workings.store.shops = shops
    await add([{ id: 'two' }])
    return found
  }
  expect(await faults([{ id: 'one' }, { id: 'two' }])).toEqual(['1 id SHOP_EXISTS'])
  expect(await workings.store.shop('one')).toBeUndefined()
})

/** Whatever is fetched is an image. */
function withImages({ workings }: ReturnType<typeof adding>) {
  const { store } = workings
  const image = (shopId: string, source: string) => ({
    ...{ shopId, source, name: `${'0'.repeat(32)}.png`, type: 'image/png', width: 8, height: 8 },
    ...{ content: '', fetchedAt: 0 },
  })
  workings.images = {
    ...workings.images,
    fetch: async (url, shopId) => {
      if (url.includes('missing')) return 'is not there'
      await store.keepImage(image(shopId, url) as never)
      return undefined
    },
    shown: async () => undefined,
  }
  return (shopId: string, source = 'https://bikes.example/logo.png') => store.image({ shopId, source })
}
const withLogo = (id: string, name = 'logo') => ({
  id,
  settings: { brand: { logo: `https://bikes.example/${name}.png` } },
})

test('images are kept for shops that are added, and for no others', async () => {
  const one = adding()
  const imageOf = withImages(one)
  await one.add([withLogo('dry')], true)
  expect(await imageOf('dry')).toBeUndefined()
  expect(await one.faults([withLogo('one'), withLogo('two', 'missing')])).toEqual([
    '1 settings SETTINGS_INVALID',
  ])
  expect(await imageOf('one')).toBeUndefined()
  await one.add([withLogo('one')])
  expect(await imageOf('one')).toBeDefined()
  // A shop that exists keeps its own.
  await one.faults([withLogo('one', 'other'), withLogo('new', 'other')])
  expect(await imageOf('one')).toBeDefined()
  expect(await imageOf('one', 'https://bikes.example/other.png')).toBeUndefined()
})
