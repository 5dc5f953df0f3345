import { describe, expect, test } from 'vitest'
import { seededAddress } from '../../../src/messages/people.ts'
import { most } from '../../../src/messages/products.ts'
import type { SandboxOptions } from '../../../src/sandbox/index.ts'
import { readCheckoutForm } from '../../../src/sandbox/routes/cart.ts'
import { postForm } from '../../http/post.ts'
import { clientOf } from '../../platform/sandbox.ts'
import { call } from '../api/call.ts'
import { shopWith } from '../provider.ts'

const shopOf = async (options: Parameters<typeof shopWith>[1] = {}) => {
  const beside = await shopWith(undefined, options)
  const { url } = beside.sandbox
  const post = async (path: string, fields?: Record<string, string>) => {
    const answer = await postForm(url + path, fields)
    return { status: answer.status, location: answer.headers.get('location'), text: await answer.text() }
  }
  const get = async (path: string) => (await fetch(url + path)).text()
  /** The quote of the provider's next call. */
  const quote = async () => {
    await beside.sandbox.checkout().shipmentMethods()
    return beside.asked.at(-1)!.body.quote
  }
  return { ...beside, ...clientOf(beside.sandbox), post, get, quote }
}

const lamp = {
  ...{ title: 'Lamp', quantity: '2', priceExcl: '40.00', tax: '9', description: 'Breaks easily' },
  ...{ weight: '2400', volume: '24000', colli: '1', sizeX: '40', sizeY: '30.5', sizeZ: '20' },
  ...{ stockLevel: '1', articleCode: 'L-1', ean: '8712345678913', sku: 'LAMP' },
}

describe('the cart and the products of the API are one', () => {
  test('a product that is added on the page is in the API, its variant and every call', async () => {
    const { post, client, quote } = await shopOf()
    expect(await post('/cart/products', lamp)).toMatchObject({ status: 303, location: '/?' })
    const products = client.resource('products')
    const product = await products.get(104)
    expect(product).toMatchObject({ title: 'Lamp', fulltitle: 'Lamp - Default' })
    expect(product).not.toHaveProperty('priceExcl')
    expect(await client.resource('variants').get(1104)).toMatchObject({
      ...{ title: 'Default', priceExcl: 40, priceIncl: 43.6, taxRate: 0.09 },
      ...{ weight: 2400, sizeY: 30.5, articleCode: 'L-1', sku: 'LAMP' },
    })
    const { weight, products: lines, totals } = await quote()
    expect(weight).toBe(1510 + 4800)
    expect(totals.taxes).toEqual([
      { percentage: 0.21, amount: '8.18' },
      { percentage: 0.09, amount: '7.20' },
    ])
    // Two of one in stock; all figures of a line are those of its pieces, but sizes.
    expect(lines[3]).toMatchObject({
      ...{ product_id: 104, variant_id: 1104, quantity: 2, price_incl: '87.2000', price_excl: 80 },
      ...{ tax_rate: 0.09, weight: 4800, volume: 48_000, colli: 2, size_x: 40, size_y: 30.5, size_z: 20 },
      ...{ article_code: 'L-1', ean: 8712345678913, sku: 'LAMP', description: 'Breaks easily' },
      stock_available: false,
    })
  })

  test('a product that the API makes is put into the cart, and its changes and its end reach the cart', async () => {
    const { post, get, client, quote } = await shopOf()
    const products = client.resource('products')
    const { id } = await products.create({ title: 'Rug', priceIncl: 121, weight: '3500' })
    expect(await get('/')).toContain(`Rug (${id})`)
    await post('/cart/add', { product: String(id) })
    expect((await quote()).products[3]).toMatchObject({ title: 'Rug', price_excl: 100, weight: 3500 })
    await products.update(Number(id), { weight: 3600, title: 'Red rug' })
    await client.resource('variants').update(Number(id) + 1000, { priceExcl: 50 })
    expect((await quote()).products[3]).toMatchObject({ title: 'Red rug', price_excl: 50, weight: 3600 })
    await products.remove(Number(id))
    expect((await quote()).products).toHaveLength(3)
  })

  test('a figure that no product has is refused by the API with the name of the field', async () => {
    const { client } = await shopOf()
    const products = client.resource('products')
    for (const [fields, says] of [
      [{ weight: -1 }, 'weight must be a whole number'],
      [{ sizeX: 'wide' }, 'sizeX must be a number above 0'],
      [{ priceExcl: '9,50' }, 'priceExcl must be a price from 0'],
      [{ priceIncl: 'much' }, 'priceIncl must be a price from 0'],
      [{ taxRate: 21 }, 'taxRate must be a fraction'],
    ] as const)
      await expect(products.update(101, fields), says).rejects.toThrow(says)
    expect(await client.resource('variants').get(1101)).toMatchObject({ weight: 380, priceExcl: 9.5 })
  })

  test('seeded products are the cart, and a shop that has none has an empty one', async () => {
    const quoteOf = async (resources: SandboxOptions['resources']) => (await shopOf({ resources })).quote()
    const [chair, pad] = [{ title: 'Chair', weight: 6000 }, { title: 'Pad' }]
    expect((await quoteOf({ products: [chair, pad] })).products).toMatchObject([chair, pad])
    const four = { products: [{ id: 7, ...pad }], cart: [{ product: 7, quantity: 4 }] }
    expect((await quoteOf(four)).products).toMatchObject([{ ...pad, quantity: 4 }])
    const nothing = { products: [], weight: 0, price_incl: '0.0000' }
    expect(await quoteOf({ products: [] })).toMatchObject(nothing)
  })
})

describe('the page', () => {
  test('a product is changed and taken out, and the estimate is made anew for the same customer', async () => {
    const { post, get, quote, asked } = await shopOf()
    const at = { 'at-zipcode': '2000', 'at-country': 'be', 'at-customer': 'be', 'at-language': 'nl' }
    const saved = await post('/cart/products/101', { ...lamp, ...at, title: 'Big mug', action: 'save' })
    expect(saved.location).toBe('/?customer=be&language=nl&zipcode=2000&country=be')
    expect(await get(saved.location!)).toContain('€6.05')
    const { body } = asked.at(-1)!
    expect(body.rate_estimate).toBe(true)
    expect(body).toMatchObject({
      shop: { language: 'nl' },
      shipping_address: { zipcode: '2000', country: 'be' },
      quote: { products: [{ title: 'Big mug', fulltitle: 'Big mug - Default', weight: 4800 }, {}, {}] },
    })
    await post('/cart/products/101', { action: 'remove' })
    expect((await quote()).products).toHaveLength(2)
    // What is gone is nobody's fault.
    expect((await post('/cart/products/999', { ...lamp, action: 'save' })).status).toBe(303)
    expect((await post('/cart/add', { product: '999' })).status).toBe(303)
    expect((await quote()).products).toHaveLength(2)
  })

  test.each([
    ['title', '', 'Title must be text of 1 to 200'],
    ['quantity', '1.5', 'Quantity must be a whole number'],
    ['priceExcl', '9,50', 'Price without tax must be a price from 0'],
    ['tax', '101', 'Tax in % must be a number from 0 to 100'],
    ['tax', '0.21', 'Tax in % must be a percentage: did you mean 21?'],
    ['weight', '-5', 'Weight must be a whole number'],
    ['volume', '0.5', 'Volume must be a whole number'],
    ['colli', '1000', 'Colli must be a whole number'],
    ['sizeX', '0', 'Length must be a number above 0'],
    ['sizeY', '-1', 'Width must be a number above 0'],
    ['sizeZ', 'high', 'Height must be a number above 0'],
    ['stockLevel', 'many', 'Stock must be a whole number'],
  ])('%s of %j is refused beside its field, and what was filled in stays', async (name, value, says) => {
    const { post, quote } = await shopOf()
    for (const path of ['/cart/products', '/cart/products/102']) {
      const refused = await post(path, { ...lamp, [name]: value })
      expect(refused.status).toBe(422)
      for (const part of [says, `name="${name}" value="${value}"`, 'value="Breaks easily"'])
        expect(refused.text).toContain(part)
      expect(refused.text.match(/aria-invalid/g)).toHaveLength(1)
    }
    expect((await quote()).weight).toBe(1510)
  })

  test('the largest cart is still one that the contract allows', async () => {
    const { post, quote } = await shopOf()
    await post('/cart/preset', { preset: 'nothing' })
    const largest = { ...lamp, quantity: String(most.quantity), priceExcl: String(most.price), tax: '100' }
    for (let number = 0; number < most.lines; number++)
      expect((await post('/cart/products', { ...largest, weight: String(most.whole) })).status).toBe(303)
    const more = await post('/cart/products', lamp)
    expect([more.status, more.text.includes('the cart holds 50 products')]).toEqual([422, true])
    const { price_incl, weight, products } = await quote()
    expect(products).toHaveLength(most.lines)
    expect(Number(price_incl)).toBeLessThanOrEqual(999_999_999_999)
    expect(Number.isSafeInteger(weight)).toBe(true)
  })

  test('a preset fills the cart with its own figures, whatever was made of its products', async () => {
    const { post, quote } = await shopOf()
    for (const [preset, expected] of [
      ['letter', { weight: 40 }],
      ['boxes', { weight: 27_000, colli: 3 }],
      ['dangerous', { products: [{ article_code: 'ADR-UN3480' }] }],
      ['free', { price_incl: '484.0000' }],
      ['nothing', { products: [], weight: 0 }],
      ['usual', { weight: 1510, price_incl: '47.1300' }],
    ] as const) {
      await post('/cart/preset', { preset })
      expect(await quote(), preset).toMatchObject(expected)
    }
    await post('/cart/preset', { preset: 'letter' })
    await post('/cart/products/201', { ...lamp, action: 'save' })
    await post('/cart/preset', { preset: 'letter' })
    expect(await quote()).toMatchObject({ weight: 40, products: [{ title: 'Greeting card' }] })
    await post('/cart/preset', { preset: 'unknown' })
    expect(await quote()).toMatchObject({ weight: 40 })
  })

  test('a customer is chosen, with a company, another billing address, and nothing at all', async () => {
    const { get, asked, sandbox } = await shopOf()
    expect(await get('/?customer=be')).toContain('value="2000"')
    const amsterdam = { country: 'nl', zipcode: '1016GV' }
    const antwerp = { country: 'be', zipcode: '2000' }
    for (const [customer, expected] of [
      ['company', { customer: { type: 'company', vatnumber: 'NL123456789B01' } }],
      ['elsewhere', { customer: { sameaddress: 0 }, billing_address: amsterdam, shipping_address: antwerp }],
      [
        'nobody',
        { customer: { firstname: '', email: '' }, shipping_address: { zipcode: '', country: 'nl' } },
      ],
      ['nonsense', { shipping_address: { zipcode: '1016GV' } }],
    ] as const) {
      await fetch(`${sandbox.url}/checkout?customer=${customer}`)
      expect(asked.at(-1)?.body, customer).toMatchObject(expected)
    }
  })

  test('the currency and the shop of the platform go into every call, and a service can belong to one shop', async () => {
    const { post, sandbox, asked, endpoint, get } = await shopOf()
    expect((await post('/cart/shop', { shop: '4711', currency: 'jpy' })).status).toBe(303)
    await sandbox.checkout().shipmentMethods()
    const shop = { id: 4711, currency: 'jpy' }
    expect(asked.at(-1)?.body).toMatchObject({ shop, quote: { price_incl: '48.0000' } })
    expect((await call(sandbox, 'GET', 'en/shop.json')).body).toMatchObject({
      shop: { id: 4711, currency: { shortcode: 'jpy', title: 'Japanese Yen' } },
    })
    expect(await get('/')).toContain('¥48')
    for (const [path, fields, says] of [
      ['/cart/shop', { shop: '4711', currency: 'euro' }, 'Currency must be a code of three letters'],
      ['/cart/shops', { title: '', currency: 'usd' }, 'Name must be text of 1 to 100'],
      ['/cart/shops', { title: 'Bikes', currency: '' }, 'Currency must be a code of three letters'],
    ] as const)
      expect((await post(path, fields)).text).toContain(says)

    await post('/cart/shops', { title: 'Bikes', currency: 'usd' })
    sandbox.register({ type: 'shipment', name: 'Only bikes', urlEndpoint: endpoint, shop: 4712 })
    const order = await sandbox.checkout().placeOrder()
    expect(order).toMatchObject({ shop: 4712, currency: 'usd' })
    const paths = ['/shipment_methods', '/shipment_methods', '/payment_methods', '/payment']
    const calls = asked.slice(-4).map(({ path, headers }) => [path, headers['x-shop-id']])
    expect(calls).toEqual(paths.map((path) => [path, '4712']))
    expect(asked.at(-1)?.body.order.currency).toBe('usd')
    await post('/cart/shop', { shop: '4711', currency: 'usd' })
    await sandbox.checkout().shipmentMethods()
    expect(asked.at(-1)?.headers['x-shop-id']).toBe('4711')
    expect(asked.at(-2)?.path).toBe('/payment')
    await expect(async () => sandbox.checkout({ shop: 1 })).rejects.toThrow('The platform has no shop 1')
  })

  test('an order keeps its cart when the cart changes, and a checkout whose cart has changed asks again', async () => {
    const { post, sandbox, get, asked } = await shopOf()
    const { id } = await sandbox.checkout().placeOrder()
    const checkout = (await fetch(`${sandbox.url}/checkout`, { redirect: 'manual' })).headers.get('location')!
    await post('/cart/preset', { preset: 'heavy' })
    expect(await get(`/orders/${id}`)).toContain('Stoneware mug')
    await sandbox.payAgain(id)
    expect(asked.findLast(({ path }) => path === '/payment_methods')?.body.quote.weight).toBe(1510)
    const filledIn = { ...seededAddress, firstname: 'Noor', lastname: 'de Wit', language: 'en' }
    const again = await post(`${checkout}/order`, filledIn)
    expect(again.text).toContain('The cart has changed')
    expect(sandbox.orders).toHaveLength(1)
  })
})

test('the cart says so when no service is asked for an estimate, and names the log when one answers none', async () => {
  const asked = '/?zipcode=1016GV&country=nl&customer=nl'
  const noService = 'is registered that estimates shipping'
  expect(await (await shopOf()).get(asked)).not.toContain(noService)
  const payments = await (await shopOf({ services: ['payments'] })).get(asked)
  expect(payments).not.toContain('The provider estimates no shipping there')
  expect(payments).toContain(noService)
})

const billing = { billing_country: 'nl', billing_city: 'Utrecht' }
const shown = { country: 'nl', city: 'Utrecht', language: 'en', ...billing }
const otherOf = (changed: Record<string, string>) =>
  readCheckoutForm({ ...shown, ...changed }, shown).fields.other

test('a billing address that was typed counts, also without its tick', () => {
  expect(otherOf({})).toBe('')
  expect(otherOf({ city: 'Arnhem' })).toBe('')
  expect(otherOf({ billing_city: 'Arnhem' })).toBe('1')
  expect(otherOf({ other: '1' })).toBe('1')
  const { faults } = readCheckoutForm({ ...shown, billing_country: 'xx' }, shown)
  expect(faults).toEqual({ billing_country: 'must be a country from the list' })
})
