import { expect, test } from 'vitest'
import { openShop } from '../../platform/sandbox.ts'
import { asForm, asJson, call } from './call.ts'

test('several variants are changed in one call, and one that does not exist is named', async () => {
  const shop = await openShop()
  const path = 'nl/variants/bulk.json'
  const variant = [
    { id: 1101, stockLevel: 3 },
    { id: 7, stockLevel: 4 },
    { id: 1103, stockLevel: 'many' },
    { id: 1102, stockLevel: 5, title: null },
  ]
  const { status, body } = await call(shop, 'PUT', path, asJson({ variant }))
  expect(status).toBe(200)
  expect(body.variant).toMatchObject([
    { id: 1101, stockLevel: 3, product: { resource: { id: 101 } } },
    { id: 1102, stockLevel: 5, title: 'Default' },
  ])
  expect(body.errors).toEqual([
    'variant[1]: There is no record with this id.',
    expect.stringMatching(/^variant\[2\]: stockLevel is a whole number/),
  ])
  const lines = Array.from(
    { length: 30 },
    (_, at) => `variant[${at}][id]=1101&variant[${at}][stockLevel]=${at}`,
  )
  expect((await call(shop, 'PUT', path, asForm(lines.join('&')))).body.variant).toHaveLength(30)
  expect((await call(shop, 'GET', 'nl/variants/1101.json')).body.variant.stockLevel).toBe(29)
})

test('a product goes into several categories in one call', async () => {
  const shop = await openShop()
  const { category } = (await call(shop, 'POST', 'nl/categories.json', asForm('category[title]=Bath'))).body
  const categoriesProduct = { categories: [category.id, 1, 999], product: 102 }
  const path = 'nl/categories/products/bulk.json'
  const { status, body } = await call(shop, 'POST', path, asJson({ categoriesProduct }))
  expect(status).toBe(201)
  expect(body.categoriesProduct).toMatchObject([
    { category: { resource: { id: category.id } }, product: { resource: { id: 102 } } },
    { category: { resource: { id: 1 } } },
  ])
  expect(body.errors).toEqual(['categoriesProduct[2]: category must be the id of a record of categories.'])
  const { count } = (await call(shop, 'GET', 'nl/categories/products/count.json?product=102')).body
  expect(count).toBe(2)
})

test('the attributes of a product are changed at the address of their list', async () => {
  const shop = await openShop()
  const path = 'nl/products/101/attributes.json'
  const productAttributes = [{ id: 1, value: 'blue' }]
  const { status, body } = await call(shop, 'PUT', path, asJson({ productAttributes }))
  expect([status, body.productAttributes]).toMatchObject([200, [{ id: 1, value: 'blue' }]])
  const other = await call(shop, 'PUT', 'nl/products/102/attributes.json', asJson({ productAttributes }))
  expect(other.body).toMatchObject({ productAttributes: [], errors: [expect.stringMatching(/no record/)] })
})

test.each([
  ['PUT', 'variants', { variant: 'x' }, 400, /no list in "variant". Send \{"variant": \[\{...\}, ...\]\}/],
  ['PUT', 'variants', { variant: [] }, 400, /no list in "variant"/],
  ['PUT', 'variants', { variants: [{ id: 1 }] }, 400, /no list in "variant"/],
  ['PUT', 'variants', { variant: [1] }, 400, /no list in "variant"/],
  ['POST', 'variants', { variant: [{ id: 1101 }] }, 405, /It supports PUT/],
  ['GET', 'variants', undefined, 405, /It supports PUT/],
  ['PUT', 'categories/products', {}, 405, /It supports POST/],
  ['PUT', 'products', { product: [{ id: 101 }] }, 404, /no record/],
])('%s %s/bulk with %j is refused', async (method, resource, body, status, message) => {
  const shop = await openShop()
  const answer = await call(shop, method, `nl/${resource}/bulk.json`, body && asJson(body))
  expect([answer.status, answer.body.error.message]).toEqual([status, expect.stringMatching(message)])
})
