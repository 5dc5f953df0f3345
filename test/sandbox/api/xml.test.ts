import { expect, test } from 'vitest'
import { xmlOf } from '../../../src/sandbox/api/xml.ts'
import { openShop } from '../../platform/sandbox.ts'
import { call } from './call.ts'

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
  expect(xmlOf({ products: [record] }).replace(/\n\s*/g, '')).toBe(
    '<?xml version="1.0" encoding="UTF-8"?><products><product><id>1</id><title>Cup &amp; &lt;saucer&gt;</title>' +
      '<brand>false</brand><memo/><tags><tag>a</tag><tag>b</tag></tags><none/><_odd_name>1</_odd_name></product></products>',
  )
})

test('lists, one, counts and errors come as XML, and a body in it is refused', async () => {
  const shop = await openShop()
  const list = await call(shop, 'GET', 'nl/products.xml?limit=2')
  const type = expect.stringMatching(/^application\/xml/)
  expect([list.status, list.headers['content-type']]).toEqual([200, type])
  expect(list.text.match(/<product>/g)).toHaveLength(2)
  expect((await call(shop, 'GET', 'nl/products/count.xml')).text).toContain('<count>3</count>')
  const missing = await call(shop, 'GET', 'nl/brands/999.xml')
  expect([missing.status, missing.text]).toEqual([404, expect.stringContaining('<code>404</code>')])
  expect((await call(shop, 'GET', 'external_services.xml')).text).toContain('<externalServices/>')
  const sent = { type: 'application/xml', text: '<brand><title>Kiln</title></brand>' }
  expect((await call(shop, 'POST', 'nl/brands.xml', sent)).status).toBe(415)
})

test('text that XML cannot carry is left out', () => {
  expect(xmlOf({ brand: { title: 'a\u0000b\u0007' } })).toContain('<title>ab</title>')
})
