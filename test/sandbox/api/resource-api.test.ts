import { describe, expect, test } from 'vitest'
import { folderWith } from '../../folder.ts'
import { openShop } from '../../platform/sandbox.ts'
import { asForm, asJson, call, type Sent } from './call.ts'

const meaningOf = (shop: Awaited<ReturnType<typeof openShop>>) => shop.calls.at(-1)?.meaning

describe("bad input gets the family's error body", () => {
  const webhook = { isActive: true, itemGroup: 'orders', itemAction: 'created', format: 'json' }
  const large = { file: { filename: 'a', attachment: 'a'.repeat(10 * 1024 ** 2) } }
  const multipart = { type: 'multipart/form-data; boundary=x', text: '--x--' }
  const xml = { type: 'application/xml', text: '<brand><title>Kiln</title></brand>' }
  const half = { type: 'application/json', text: '{"product": {' }
  const many = asForm(`brand[title]=x${'&a=1'.repeat(10_000)}`)
  const csv = { type: 'text/csv', text: 'a,b' }
  const nested = { title: 'x', options: JSON.parse(`${'['.repeat(40)}${']'.repeat(40)}`) }
  const foreign = { ...webhook, address: 'http://elsewhere.example/' }
  const ofDragons = { ...webhook, itemGroup: 'dragons', address: 'https://elsewhere.example/' }
  test.each<[string, number, RegExp, Sent?]>([
    ['GET nl/products/101/dragons.json', 404, /no such resource/],
    ['GET nl/tickets.json', 404, /no such resource/],
    // A path that needs the id of a record.
    ['GET nl/quotes/count/products.json', 404, /no such resource/],
    ['GET nl/products/9/metafields.json', 404, /no record 9 of products/],
    ['GET nl/products/102/metafields/1.json', 404, /no record with this id/],
    ['DELETE nl/languages/1.json', 405, /It supports GET\./],
    ['POST nl/products/count.json', 405, /supports GET/, asJson({})],
    ['GET nl/shop/1.json', 404, /no such resource/],
    ['POST nl/products.json', 400, /no "product"/, asJson({ product: [] })],
    ['POST nl/brands.json', 422, /^title is required\.$/, asJson({ brand: {} })],
    ['PUT nl/brands/1.json', 422, /title is required/, asJson({ brand: { title: '' } })],
    ['PUT nl/taxes/1.json', 422, /rate must be a number/, asForm('tax[rate]=high')],
    ['PUT nl/types/1.json', 422, /title must be text/, asJson({ type: { title: {} } })],
    ['PUT nl/products/101.json', 422, /one of visible, hidden, auto/, asForm('product[visibility]=often')],
    [
      'PUT nl/products/101.json',
      422,
      /brand must be the id of a record of brands/,
      asForm('product[brand]=999'),
    ],
    [
      'PUT nl/categories/1.json',
      422,
      /isVisible must be true or false/,
      asForm('category[isVisible]=perhaps'),
    ],
    [
      'PUT nl/customers/90210.json',
      422,
      /lastOnlineAt must be a time/,
      asForm('customer[lastOnlineAt]=soon'),
    ],
    ['PUT nl/customers/90210.json', 422, /birthDate must be a date/, asForm('customer[birthDate]=soon')],
    ['PUT nl/products/101.json', 422, /priceExcl must be a price from 0/, asForm('product[priceExcl]=-1')],
    ['POST nl/products.json', 400, /is not JSON, or not all/, half],
    ['POST nl/products.json', 415, /content type must be/, csv],
    ['POST nl/files.json', 413, /larger than 4 MB/, asJson(large)],
    ['POST nl/brands.json', 413, /^The form has more than 10000 fields\.$/, many],
    ['POST nl/brands.json', 415, /content type must be/, multipart],
    ['POST nl/brands.json', 415, /content type must be/, xml],
    ['POST nl/brands.json', 415, /content type must be/, { text: 'title' }],
    ['POST nl/variants.json', 400, /nested deeper/, asJson({ variant: nested })],
    ['POST nl/webhooks.json', 422, /address must use https/, asJson({ webhook: foreign })],
    [
      'POST nl/webhooks.json',
      422,
      /itemGroup must be a resource of the shop/,
      asJson({ webhook: ofDragons }),
    ],
    ['POST nl/webhooks.json', 422, /address is required/, asJson({ webhook })],
  ])('%s is answered %i %s', async (request, status, message, sent = {}) => {
    const [method, path] = request.split(' ') as [string, string]
    const shop = await openShop()
    const { body, ...answer } = await call(shop, method, path, sent)
    const said = { code: status, method, request: `/api/${path}`, message: expect.stringMatching(message) }
    expect([answer.status, body.error]).toEqual([status, said])
  })
})

test('an unknown filter and an unknown field are ignored, and the log says so', async () => {
  const shop = await openShop()
  const { body } = await call(shop, 'GET', 'nl/products.json?colour=blue&limit=2')
  expect(body.products).toHaveLength(2)
  expect(meaningOf(shop)).toBe("The platform's API. products has no filter colour: ignored.")
  await call(shop, 'PUT', 'nl/products/101.json', asJson({ product: { title: 'Cup', colour: 'blue' } }))
  expect(meaningOf(shop)).toMatch(/products has no field colour: ignored/)
  expect((await call(shop, 'GET', 'nl/products/101.json')).body.product).not.toHaveProperty('colour')
})

test('languages are read in any case, and us is one of them', async () => {
  const shop = await openShop()
  for (const language of ['nl', 'NL', 'us', 'Us']) {
    const { status, body } = await call(shop, 'GET', `${language}/products/101.json`)
    const link = `${shop.api.baseUrl}/${language.toLowerCase()}/products/101/attributes.json`
    expect([status, body.product.attributes.resource.link]).toEqual([200, link])
  }
  const { languages } = (await call(shop, 'GET', 'us/languages.json?code=us')).body
  expect(languages).toMatchObject([{ code: 'us', locale: 'en_US' }])
})

test('the API stands at the root of the host too, beside the pages', async () => {
  const shop = await openShop()
  const base = shop.url
  const { status, body } = await call(shop, 'GET', 'nl/orders.json', { base })
  expect([status, body]).toEqual([200, { orders: [] }])
  expect((await call(shop, 'GET', 'external_services.json', { base })).body).toEqual({ externalServices: [] })
  expect((await fetch(`${base}/nl/orders.json`)).status).toBe(401)
  expect(await (await fetch(`${base}/orders`)).text()).toContain('<title>')
})

test('records are selected by relation, flag and text, and below the record that they name', async () => {
  const shop = await openShop()
  const ids = async (path: string) =>
    (await call(shop, 'GET', `nl/${path}`)).body.variants.map(({ id }: { id: number }) => id)
  expect(await ids('variants.json?product=102')).toEqual([1102])
  expect(await ids('variants.json?isDefault=1&since_id=1102')).toEqual([1103])
  expect(await ids('products/103/variants.json')).toEqual([1103])
  const made = await call(shop, 'POST', 'nl/products/103/variants.json', asForm('variant[title]=Large'))
  const large = { title: 'Large', isDefault: false, product: { resource: { id: 103 } } }
  expect(made.body.variant).toMatchObject(large)
  expect(await ids('products/103/variants.json')).toEqual([1103, made.body.variant.id])
  expect((await call(shop, 'GET', 'nl/variants/count.json')).body).toEqual({ count: 4 })
  const { brands } = (await call(shop, 'GET', 'nl/brands.json?created_at_min=2020-01-01T00:00:00+01:00')).body
  expect(brands).toHaveLength(1)
})

test('a variant is its product in the cart: a new price and stock are seen by the shop', async () => {
  const shop = await openShop()
  const fields = { priceExcl: 12.3456, stockLevel: 3, stockTracking: 'disabled', stockBuyMinimum: 2 }
  const { body } = await call(shop, 'PUT', 'nl/variants/1101.json', asJson({ variant: fields }))
  expect(body.variant).toMatchObject({ ...fields, title: 'Default', product: { resource: { id: 101 } } })
  const { product } = (await call(shop, 'GET', 'nl/products/101.json')).body
  expect(product.title).toBe('Stoneware mug')
  for (const name of ['priceExcl', 'stockLevel', 'stockTracking', '_variant'])
    expect(product).not.toHaveProperty(name)
  expect(shop.checkout().lines[0]?.price_excl).toBe('24.69')
})

test('what happens to records is an event', async () => {
  const shop = await openShop()
  const { brand } = (await call(shop, 'POST', 'nl/brands.json', asForm('brand[title]=Kiln'))).body
  await call(shop, 'PUT', `nl/brands/${brand.id}.json`, asForm('brand[url]=kiln'))
  await call(shop, 'DELETE', `nl/brands/${brand.id}.json`)
  const { id } = await shop.checkout({ ownPayment: true }).placeOrder()
  const { events } = (await call(shop, 'GET', 'nl/events.json?limit=250')).body
  const of = (group: string) =>
    events.flatMap((one: Record<string, unknown>) =>
      one.itemGroup === group ? [`${one.itemAction} ${one.itemId}`] : [],
    )
  expect(of('brands')).toEqual(['created', 'updated', 'deleted'].map((action) => `${action} ${brand.id}`))
  expect(of('orders')[0]).toBe(`created ${id}`)
})

test('records outlive the shop in its file, and a resource whose records were deleted stays empty', async () => {
  const options = { file: `${folderWith()}/shop.db` }
  const first = await openShop(options, () => {})
  await call(first, 'DELETE', 'nl/brands/1.json')
  await call(first, 'POST', 'nl/types.json', asForm('type[title]=new'))
  await first.close()
  const again = await openShop(options)
  expect((await call(again, 'GET', 'nl/brands.json')).body.brands).toEqual([])
  expect((await call(again, 'GET', 'nl/types/count.json')).body).toEqual({ count: 2 })
})

test('a field that is null stays as it is, as clients send it for what they do not change', async () => {
  const shop = await openShop()
  const unchanged = { priceExcl: null, title: null, tax: null, stockTracking: null, isDefault: null }
  const fields = { stockLevel: 3, ...unchanged }
  const { variant } = (await call(shop, 'PUT', 'nl/variants/1101.json', asJson({ variant: fields }))).body
  expect(variant).toMatchObject({ stockLevel: 3, priceExcl: 9.5, title: 'Default', isDefault: true })
  const { id } = await shop.checkout({ ownPayment: true }).placeOrder()
  const order = { status: null, paymentStatus: 'paid', shipmentStatus: null, memo: null }
  const moved = await call(shop, 'PUT', `nl/orders/${id}.json`, asJson({ order }))
  const paid = { paymentStatus: 'paid', shipmentStatus: 'not_shipped' }
  expect(moved.body.order).toMatchObject({ status: 'processing_awaiting_shipment', ...paid })
  const missing = await call(shop, 'POST', 'nl/brands.json', asJson({ brand: { title: null } }))
  expect([missing.status, missing.body.error.message]).toEqual([422, 'title is required.'])
})

test('JSON without its type is read, and of a parameter that comes twice the last counts', async () => {
  const shop = await openShop()
  const text = JSON.stringify({ brand: { title: 'Kiln' } })
  expect((await call(shop, 'POST', 'nl/brands.json', { text })).body.brand.title).toBe('Kiln')
  const { products } = (await call(shop, 'GET', 'nl/products.json?limit=1&limit=2&fields=id')).body
  expect(products).toEqual([{ id: 101 }, { id: 102 }])
})

test('a child category knows its depth and its path', async () => {
  const shop = await openShop()
  const made = async (title: string, parent: number) => {
    const sent = asJson({ category: { title, parent } })
    return (await call(shop, 'POST', 'nl/categories.json', sent)).body.category
  }
  const mugs = await made('Mugs', 1)
  const large = await made('Large', mugs.id)
  expect(large).toMatchObject({ depth: 3, path: ['1', String(mugs.id), String(large.id)] })
  expect((await call(shop, 'GET', 'nl/categories/1.json')).body.category).toMatchObject({
    depth: 1,
    path: ['1'],
  })
})

test('the attributes of a product follow its type, and are set', async () => {
  const shop = await openShop()
  const attributes = async () =>
    (await call(shop, 'GET', 'nl/products/101/attributes.json')).body.productAttributes
  expect(await attributes()).toEqual([])
  await call(shop, 'PUT', 'nl/products/101.json', asForm('product[type]=1'))
  const colour = { title: 'Colour', attribute: { resource: { id: 1 } }, product: { resource: { id: 101 } } }
  const [unset] = await attributes()
  expect(unset).toMatchObject({ ...colour, value: '' })
  const path = `nl/products/101/attributes/${unset.id}.json`
  await call(shop, 'PUT', path, asForm('productAttribute[value]=grey'))
  expect(await attributes()).toMatchObject([{ ...colour, value: 'grey' }])
  expect((await call(shop, 'GET', path)).body.productAttribute.value).toBe('grey')
})

test('an address at the root of the host without a format gets an error body too, and no page', async () => {
  const shop = await openShop()
  for (const path of ['nl/products', 'nl/products.json/', 'nl/products?limit=2.json']) {
    const { status, body } = await call(shop, 'GET', path, { base: shop.url })
    expect([status, body.error.message]).toEqual([404, expect.stringMatching(/ends with .json or .xml/)])
  }
})

test('filters are read in snake_case too, as some clients write them', async () => {
  const shop = await openShop()
  const { variants } = (await call(shop, 'GET', 'nl/variants.json?article_code=ART-102&fields=id')).body
  expect(variants).toEqual([{ id: 1102 }])
  expect(meaningOf(shop)).toBe("The platform's API.")
})

test('HEAD is answered as GET, without the body', async () => {
  const shop = await openShop()
  const { status, headers, text } = await call(shop, 'HEAD', 'nl/products.json')
  expect([status, headers['content-type'], text]).toEqual([200, expect.stringMatching(/json/), ''])
})

test('the account has an id, and what it may do and how often have none', async () => {
  const shop = await openShop()
  const read = async (path: string, one: string) => (await call(shop, 'GET', `nl/${path}.json`)).body[one]
  expect(await read('account', 'account')).toMatchObject({ id: 1, permissions: { resource: { id: false } } })
  for (const one of ['permissions', 'ratelimit'])
    expect(await read(`account/${one}`, `account${one[0]!.toUpperCase()}${one.slice(1)}`)).not.toHaveProperty(
      'id',
    )
})
