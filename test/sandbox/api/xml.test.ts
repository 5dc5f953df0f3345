import { expect, test } from 'vitest'
import { readXml, xmlOf } from '../../../src/sandbox/api/xml.ts'
import { openShop } from '../../platform/sandbox.ts'
import { call } from './call.ts'

const asXml = (text: string) => ({ type: 'application/xml', text })

test('XML is the plain mapping of the JSON', () => {
  const record = {
    id: 1,
    title: 'Cup & <saucer>',
    brand: false,
    memo: null,
    tags: ['a', 'b'],
    none: [],
    'odd name': 1,
  }
  expect(xmlOf({ products: [record] }, 'products').replace(/\n\s*/g, '')).toBe(
    '<?xml version="1.0" encoding="UTF-8"?><products><product><id>1</id><title>Cup &amp; &lt;saucer&gt;</title>' +
      '<brand>false</brand><memo/><tags><tag>a</tag><tag>b</tag></tags><none/><_odd_name>1</_odd_name></product></products>',
  )
})

test('lists, one, counts and errors come as XML, and bodies are read from it', async () => {
  const shop = await openShop()
  const list = await call(shop, 'GET', 'nl/products.xml?limit=2')
  const type = expect.stringMatching(/^application\/xml/)
  expect([list.status, list.headers['content-type']]).toEqual([200, type])
  expect(list.text.match(/<product>/g)).toHaveLength(2)
  expect((await call(shop, 'GET', 'nl/products/count.xml')).text).toContain('<count>3</count>')
  const made = await call(shop, 'POST', 'nl/brands.xml', asXml('<brand><title>Kiln &amp; Co</title></brand>'))
  expect([made.status, made.text]).toEqual([201, expect.stringContaining('<title>Kiln &amp; Co</title>')])
  const id = /<id>(\d+)<\/id>/.exec(made.text)?.[1]
  const json = await call(shop, 'PUT', `nl/brands/${id}.json`, asXml('<brand><url>kiln</url></brand>'))
  expect(json.body.brand).toMatchObject({ title: 'Kiln & Co', url: 'kiln' })
  const missing = await call(shop, 'GET', 'nl/brands/999.xml')
  expect([missing.status, missing.text]).toEqual([404, expect.stringContaining('<code>404</code>')])
  const own = await call(shop, 'GET', 'external_services.xml')
  expect(own.text).toContain('<externalServices/>')
})

test.each([
  ['half a document', '<brand><title>Kiln'],
  ['text', 'brand'],
  ['a document type', '<!DOCTYPE brand [<!ENTITY a "aaaa">]><brand><title>&a;</title></brand>'],
  ['another envelope', '<product><title>Kiln</title></product>'],
])('%s as a body is answered 400', async (_what, text) => {
  const shop = await openShop()
  const { status } = await call(shop, 'POST', 'nl/brands.json', asXml(text))
  expect(status).toBe(400)
})

test('text that XML cannot carry is left out, and what is written can be read', () => {
  const text = xmlOf({ brand: { title: 'a\u0000b\u0007' } }, 'brand')
  expect(readXml(text)).toEqual({ brand: { title: 'ab' } })
})
