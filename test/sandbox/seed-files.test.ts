import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { seedsFrom } from '../../src/sandbox/seed-files.ts'
import { folderWith } from '../folder.ts'
import { openShop } from '../platform/sandbox.ts'
import { asJson, call } from './api/call.ts'

const unusable = (message: unknown) => expect.objectContaining({ code: 'SEED_UNUSABLE', message })
const readAll = (path: string) => Object.values(seedsFrom(path)).flatMap((records) => [...records])

const lines = Array.from({ length: 3_000 }, (_, at) => JSON.stringify({ id: at + 1, title: `Müg ${at + 1}` }))

/** Records as a live shop answers them, with its relations and countries. */
const teapot = { id: 7, title: 'Teapot', brand: { resource: { id: 3, url: 'brands/3' } }, priceExcl: 20 }
const order = {
  id: 4711,
  number: 'ORD4711',
  status: 'on_hold',
  priceIncl: 24.2,
  customer: { resource: { id: 5 } },
}
const belgium = { id: 21, code: 'be', code3: 'bel' }
const live = {
  'products-1.json': { products: [teapot] },
  'products-2.json': { products: [{ id: 8, title: 'Lid', brand: false, supplierCode: 'L-8' }] },
  'brand.json': { brand: { id: 3, title: 'Old kiln' } },
  'customers.json': [{ id: 5, email: 'ann@shop.example', addressBillingCountry: belgium }],
  'orders.customstatuses.json': [{ id: 4, title: 'Engraving' }],
  'notes.json': { productMetafields: [{ id: 1, product: { resource: { id: 7 } }, key: 'glaze' }], count: 1 },
  'orders.json': { orders: [order] },
}

test('answers of a live shop are a seed: relations, countries, orders and unknown fields', async () => {
  const shop = await openShop({ seed: folderWith(live) })
  const get = async (path: string) => (await call(shop, 'GET', `nl/${path}.json`)).body
  const { products } = await get('products')
  expect(products).toMatchObject([
    { ...teapot, fulltitle: 'Teapot - Default' },
    { id: 8, brand: false, supplierCode: 'L-8' },
  ])
  expect((await get('brands/3')).brand.title).toBe('Old kiln')
  expect((await get('customers/5')).customer.addressBillingCountry).toEqual(belgium)
  expect((await get('variants/1007')).variant).toMatchObject({ priceExcl: 20, priceIncl: 24.2 })
  expect((await get('orders/customstatuses')).customStatuses).toMatchObject([{ id: 4, title: 'Engraving' }])
  expect((await get('products/7/metafields')).productMetafields).toMatchObject([{ key: 'glaze' }])
  expect((await get('products/8/metafields')).productMetafields).toEqual([])
  const placed = await shop.checkout({ ownPayment: true }).placeOrder()
  expect((await get('orders')).orders.map(({ id }: { id: number }) => id)).toEqual([4711, placed.id])
  const moved = await call(shop, 'PUT', 'nl/orders/4711.json', asJson({ order: { paymentStatus: 'paid' } }))
  expect(moved.body.order).toMatchObject({ number: 'ORD4711', status: 'on_hold', paymentStatus: 'paid' })
})

test('a file with a record on each line is read while it is used', async () => {
  const folder = folderWith({ 'products.ndjson': `${lines.join('\n')}\n\n` })
  const shop = await openShop({ seed: folder })
  expect((await call(shop, 'GET', 'en/products/count.json')).body).toEqual({ count: 3_000 })
  const last = await call(shop, 'GET', 'en/products.json?since_id=2998')
  expect(last.body.products.map(({ title }: { title: string }) => title)).toEqual(['Müg 2999', 'Müg 3000'])
})

test.each<[string, Record<string, unknown>, RegExp]>([
  ['an empty folder', {}, /holds no records/],
  ['a number', { 'products.json': '5' }, /products\.json is not (a seed|JSON)/],
  ['no JSON', { 'products.json': '{"products": [' }, /products\.json is not (a seed|JSON)/],
  ['a list of words', { 'products.json': ['mug'] }, /products\.json is not (a seed|JSON)/],
  ['a line that is none', { 'products.ndjson': '{"id":1}\nmug\n' }, /products\.ndjson:2 is not a record/],
])('%s is refused with SEED_UNUSABLE', (_what, files, message) => {
  expect(() => readAll(folderWith(files))).toThrow(unusable(expect.stringMatching(message)))
})

test('records are read with the mark of an editor, and refused in another charset', () => {
  const mug = { id: 7, title: 'Kopje thé' }
  const seeds = (name: string, text: string, charset: 'utf8' | 'utf16le' | 'latin1') => {
    const file = join(folderWith({}), name)
    writeFileSync(file, text, charset)
    return () => [...(seedsFrom(file) as Record<string, Iterable<unknown>>).products!]
  }
  expect(seeds('products.json', `\ufeff${JSON.stringify([mug])}`, 'utf8')()).toEqual([mug])
  expect(seeds('products.json', `\ufeff${JSON.stringify([mug])}`, 'utf16le')()).toEqual([mug])
  expect(seeds('products.ndjson', `\ufeff${JSON.stringify(mug)}\n`, 'utf8')()).toEqual([mug])
  for (const [name, records] of Object.entries({ 'products.json': [mug], 'products.ndjson': mug }))
    expect(seeds(name, JSON.stringify(records), 'latin1')).toThrow(`${name} is not UTF-8: save it as UTF-8.`)
})

const remedy = 'Name a file with records, such as products.json, or a folder of such files.'
const nowhere = ['/nowhere/products.json', '/dev/null/products.json']
test.each(nowhere)('%s, which is not there, is named with the remedy', (path) => {
  expect(() => seedsFrom(path)).toThrow(unusable(`${path} is not there: check the path. ${remedy}`))
})

test('a folder that is named as a file of records is said to be one', () => {
  for (const name of ['products.json', 'products.ndjson']) {
    const folder = folderWith({})
    mkdirSync(join(folder, name))
    const says = `${join(folder, name)} is a folder: name a file. ${remedy}`
    expect(() => readAll(folder)).toThrow(unusable(says))
  }
})

const titled = { id: 1, title: 'A' }
const notOfCart = (field: string) =>
  new RegExp(`cart\\[0\\]\\.${field} is not a field: known are product, quantity\\.$`)
/** A file, what it holds and what is said of it. */
test.each<[string, unknown, RegExp]>([
  ['brands.json', [titled, { id: 1, title: 'B' }], /brands\.json has the id 1 twice/],
  ['products.json', [titled, { priceExcl: 'cheap' }], /products, record 2: priceExcl must be a number/],
  ['products.json', [{ ...titled, id: 'abc' }], /products, record 1: id must be a whole number from 1/],
  ['customers.json', [{ id: -1 }], /customers, record 1: id must be a whole number/],
  ['products.json', '\n', /products\.json is empty\. It needs a list of records/],
  [
    'products.json',
    [titled, { weigth: 5 }],
    /^products, record 2: weigth is not a field: did you mean weight\?$/,
  ],
  [
    'products.json',
    [{ price_excl: 5, weight: 'heavy' }],
    /^products, record 1: price_excl is not a field: did you mean priceExcl\?; weight must be a number\.$/,
  ],
  [
    'cart.json',
    [{ product: 101 }, { prodct: 102 }],
    /cart\[1\]\.prodct is not a field: did you mean product\?$/,
  ],
  // A cart with one line, beside an id.
  ['shop.json', { products: [{ id: 7 }], cart: { id: 1, produt: 7 } }, notOfCart('id')],
  ['cart.json', [{ product: 1, pieces: 4 }], notOfCart('pieces')],
  ['cart.json', [{ quantity: 4 }], /cart\[0\]\.product is missing: write the id/],
  ['cart.json', [{ product: 7 }], /cart\[0\]\.product must be the id of one of the products/],
  ['shop.json', { prodcts: [titled] }, /^prodcts is not a resource: did you mean products\?$/],
])('%s with %j is refused at the start', async (name, content, message) => {
  const seed = folderWith({ [name]: content })
  await expect(async () => openShop({ seed })).rejects.toThrow(unusable(expect.stringMatching(message)))
})

test('a fault in a file with lines is named by every call that needs it', async () => {
  const seed = folderWith({ 'brands.ndjson': '{"id":1,"title":"A"}\n{"id":"x","title":"B"}\n' })
  const shop = await openShop({ seed })
  for (let times = 0; times < 2; times++) {
    const { status, body } = await call(shop, 'GET', 'nl/brands.json')
    const says = 'The seed of the sandbox: brands, record 2: id must be a whole number from 1.'
    expect([status, body.error.message]).toEqual([500, says])
  }
})

test('words that only the live shop knows stay as they are', async () => {
  const seed = folderWith({
    'orders.json': [{ id: 9, status: 'engraving', paymentStatus: 'paid' }],
    // Near to fields and resources that are there too.
    'products.json': [{ id: 7, title: 'A', titles: { nl: 'A' }, tax: { id: 1 }, supplierCode: 'L-8' }],
    'tax.json': [{ id: 1 }],
  })
  const shop = await openShop({ seed })
  const { order } = (await call(shop, 'GET', 'nl/orders/9.json')).body
  expect(order).toMatchObject({ status: 'engraving', paymentStatus: 'paid' })
})

test('the cart of a seed is what the shop asks the provider about, from one file or from a folder', async () => {
  const products = [{ id: 7, title: 'Chair', weight: 6000 }]
  const cart = [{ product: 7, quantity: 4 }]
  const folder = folderWith({ 'products.json': products, 'cart.json': cart })
  for (const seed of [folder, `${folderWith({ 'shop.json': { products, cart } })}/shop.json`]) {
    const shop = await openShop({ seed })
    expect(shop.checkout().lines.map(({ title, weight }) => `${title} ${weight}`)).toEqual(['Chair 24000'])
  }
  const none = folderWith({ 'products.json': products, 'cart.json': [{ product: 8 }] })
  const refused = unusable(expect.stringContaining('cart[0].product'))
  await expect(async () => openShop({ seed: none })).rejects.toThrow(refused)
})
