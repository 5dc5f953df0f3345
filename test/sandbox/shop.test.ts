import { expect, test } from 'vitest'
import { seededAddress, seededCustomer } from '../../src/messages/people.ts'
import { createSandbox } from '../../src/sandbox/index.ts'
import { postForm } from '../http/post.ts'
import { saying, shopWith } from './provider.ts'

test('a webhook makes the shop read the status again, and the order follows', async () => {
  let status = 'pending'
  const { sandbox } = await shopWith(saying(() => status))
  const { id } = await sandbox.checkout().placeOrder()
  expect((await sandbox.returnToShop(id)).status).toBe('pending')
  status = 'paid'
  for (const method of ['POST', 'GET', 'PUT']) {
    const body = method === 'GET' ? undefined : '{"order_id":1}'
    const answer = await fetch(`${sandbox.url}/webhooks/orders/${id}?shop=4711`, { method, body })
    expect(answer.status).toBe(200)
  }
  expect((await sandbox.waitForStatus(id, 'paid')).status).toBe('paid')
  expect((await fetch(`${sandbox.url}/webhooks/orders/99`, { method: 'POST' })).status).toBe(404)
  expect(sandbox.calls.filter(({ direction }) => direction === 'provider to shop')).toHaveLength(4)
})

test('waiting for a status that does not come says how the order stands', async () => {
  const { sandbox } = await shopWith()
  const { id } = await sandbox.checkout().placeOrder()
  const waiting = sandbox.waitForStatus(id, 'paid', { timeout: 20 })
  await expect(waiting).rejects.toThrow('order ORD01001 is not_paid, not paid, after 20 ms')
})

test('after a cancelled payment the same order is paid again, with the methods asked for anew', async () => {
  const { sandbox, asked } = await shopWith(saying(() => 'cancelled'))
  const { id } = await sandbox.checkout().placeOrder()
  await sandbox.returnToShop(id)
  const again = await sandbox.payAgain(id)
  expect([again.id, again.paymentUrl]).toEqual([id, 'https://psp.example/pay'])
  expect(asked.slice(-2).map(({ path }) => path)).toEqual(['/payment_methods', '/payment'])
  expect(asked.at(-1)?.body.order.id).toBe(id)
})

test('a paid order is not paid again, and a method that is gone is not swapped for another', async () => {
  let status = 'cancelled'
  let gone = false
  const { sandbox, asked } = await shopWith(({ method, path }) => {
    if (method === 'GET') return { status: 200, body: { status } }
    return gone && path === '/payment_methods' ? { body: { payment_methods: [] } } : undefined
  })
  const { id } = await sandbox.checkout().placeOrder()
  await expect(sandbox.payAgain(id, { paymentMethod: 'none' })).rejects.toThrow('no payment method "none"')
  gone = true
  await expect(sandbox.payAgain(id)).rejects.toThrow('offers no payment method')
  const page = await post(`${sandbox.url}/orders/${id}/pay`, {})
  expect([page.status, page.text.includes('offers no payment method')]).toEqual([422, true])
  status = 'paid'
  await sandbox.returnToShop(id)
  await expect(sandbox.payAgain(id)).rejects.toThrow('Order ORD01001 is paid')
  expect((await post(`${sandbox.url}/orders/${id}/pay`, {})).location).toBe(`/orders/${id}`)
  expect(asked.filter(({ path }) => path === '/payment')).toHaveLength(1)
})

test('an order that has nowhere to come back to is not placed', async () => {
  const { endpoint, asked } = await shopWith()
  const silent = createSandbox({ endpoint })
  await expect(silent.checkout().placeOrder()).rejects.toThrow('await sandbox.listen() first')
  expect(silent.orders).toEqual([])
  expect(asked.map(({ path }) => path)).not.toContain('/payment')
})

test('a webhook with a body that nests without end is a webhook', async () => {
  const { sandbox, last } = await shopWith()
  const { id } = await sandbox.checkout().placeOrder()
  const body = '['.repeat(20_000) + ']'.repeat(20_000)
  const answer = await fetch(`${sandbox.url}/webhooks/orders/${id}`, { method: 'POST', body })
  expect(answer.status).toBe(200)
  await expect.poll(() => last().method).toBe('GET')
  expect((await get(`${sandbox.url}/log`)).status).toBe(200)
})

test('a service that is not registered is not asked', async () => {
  const { sandbox, asked } = await shopWith(() => undefined, { services: ['payments'] })
  expect(await sandbox.checkout().shipmentMethods()).toEqual([])
  expect(asked).toEqual([])
})

const read = async (answer: Response) => {
  const { status, headers } = answer
  return { status, location: headers.get('location'), text: await answer.text() }
}
const get = async (url: string) => read(await fetch(url, { redirect: 'manual' }))
const post = async (url: string, fields: Record<string, string>) => read(await postForm(url, fields))
const filledIn = { ...seededCustomer, ...seededAddress, language: 'en' }

test('pages: the way through the checkout, and every wrong turn', async () => {
  const { sandbox } = await shopWith()
  const { url } = sandbox
  expect((await get(url)).text).toContain('Stoneware mug')
  expect((await get(`${url}/?zipcode=1&country=nl`)).text).toContain('€6.05')
  const nowhere = await get(`${url}/?zipcode=1&country=mars`)
  expect([nowhere.status, nowhere.text.includes('must be a country from the list')]).toEqual([422, true])
  const checkout = (await get(`${url}/checkout`)).location!
  expect((await get(url + checkout)).text).toContain('Place order')
  expect((await get(`${url}/checkout/nobody`)).location).toBe('/checkout')

  const faulty = await post(`${url}${checkout}/order`, { ...filledIn, email: 'no' })
  expect([faulty.status, faulty.text.includes('must be an address such as')]).toEqual([422, true])
  const moved = await post(`${url}${checkout}/order`, { ...filledIn, zipcode: '9999' })
  expect([moved.status, moved.text.includes('The address has changed')]).toEqual([200, true])
  expect(sandbox.orders).toEqual([])
  const wrong = await post(`${url}${checkout}/order`, { ...filledIn, shipment: 'none' })
  expect(wrong.status).toBe(422)
  const updated = await post(`${url}${checkout}/address`, { ...filledIn, country: 'be' })
  expect((await get(url + updated.location)).text).toMatch(/value="be" selected/)

  const chosen = { ...filledIn, firstname: 'Sam', shipment: 'm', payment: 'card' }
  const placed = await post(`${url}${checkout}/order`, chosen)
  expect(sandbox.orders[0]?.customer.firstname).toBe('Sam')
  expect(placed.location).toBe('/orders/1001/payment')
  expect((await get(url + placed.location)).text).toContain('url=https://psp.example/pay')
  expect((await get(`${url}/orders/1001/return`)).location).toBe('/orders/1001')
  expect((await get(`${url}/orders/1001`)).text).toContain('Order ORD01001 is pending')
  expect((await get(`${url}/orders`)).text).toContain('ORD01001')
  expect((await get(`${url}/log?order=1001`)).text).toContain('GET payment/1001')
  for (const path of ['/orders/99', '/orders/x', '/nowhere']) expect((await get(url + path)).status).toBe(404)
})
