import supertest from 'supertest'
import { expect, test } from 'vitest'
import { checkoutExample } from '../../src/contract/examples.ts'
import { memoryStore } from '../../src/index.ts'
import { flatRate } from '../../src/rates/index.ts'
import type { DriftRecord, StorePort } from '../../src/store-port.ts'
import { keptLog, listening } from '../listening.ts'
import { payment } from './messages.ts'

function notingStore() {
  const store = memoryStore() as StorePort
  const noted: DriftRecord[] = []
  const { noteDrifts } = store
  store.noteDrifts = (drifts) => {
    noted.push(...drifts)
    return noteDrifts(drifts)
  }
  return { store, noted }
}

test.each([
  ['jpy', 1048.45, '1048', 'number'],
  ['eur', '41.285', '41.29', 'text'],
])('a total finer than %s is rounded for adapters, with a line in log and drift: %s', async (...row) => {
  const [currency, given, total, kind] = row
  const seen: unknown[] = []
  const { lines, logger } = keptLog()
  const { store, noted } = notingStore()
  const look = ({ quote }: { quote: { price_incl: unknown } }) => {
    seen.push(quote.price_incl)
    return []
  }
  const { provider, endpoint } = await listening({
    store,
    logger,
    rates: { name: 'carrier', quote: look, estimate: look },
    payments: {
      name: 'psp',
      methods: look,
      start({ order, amount }) {
        seen.push([order.price_incl, amount])
        return { later: true }
      },
    },
  })
  const shop = { ...checkoutExample.shop, currency }
  const cart = { ...checkoutExample, shop, quote: { ...checkoutExample.quote, price_incl: given } }
  const { customer: _none, billing_address: _neither, ...estimate } = cart
  const ordered = (id: number, price_incl: unknown) => {
    const body = payment({ id, price_incl })
    return { ...body, order: { ...body.order, currency } }
  }
  const post = async (path: string, body: object) =>
    expect((await supertest(endpoint).post(path).send(body)).status).toBe(201)
  await post('/shipment_methods', cart)
  await post('/shipment_methods', { ...estimate, rate_estimate: true })
  await post('/payment_methods', cart)
  await post('/payment', ordered(1001, given))
  await post('/payment', ordered(1002, total))
  expect(seen).toEqual([total, total, total, [total, total], [total, total]])
  const field = 'quote.price_incl'
  const rounded = { code: 'AMOUNT_ROUNDED', shop: 'default', path: field }
  expect(lines.filter(({ code }) => code)).toMatchObject([rounded])
  await provider.stop()
  expect(noted.filter(({ became }) => became === 'rounded')).toMatchObject([
    { message: 'shipment_methods', path: field, kind, count: 1 },
    { message: 'shipment_methods (estimate)', path: field },
    { message: 'payment_methods', path: field },
    { message: 'payment', path: 'order.price_incl', kind, count: 1 },
  ])
})

test('what a platform sends beside the contract is stored when the provider stops, with what became of it', async () => {
  const { store, noted } = notingStore()
  const { provider, endpoint } = await listening({
    store,
    rates: flatRate({ id: 'door', title: 'Door', excl: '5', taxRate: '0.21' }),
  })
  const post = (body: object) => supertest(endpoint).post('/shipment_methods').send(body)
  expect((await post({ ...checkoutExample, loyalty: 1 })).status).toBe(201)
  expect((await post({ ...checkoutExample, quote: 7 })).status).toBe(422)
  const customer = { gender: 1, birthdate: '04-07-1988' }
  const lost = { shipping_address: { country: { code: 'nl' } }, customer }
  expect((await post({ ...checkoutExample, ...lost })).status).toBe(201)
  await provider.stop()
  expect(noted).toMatchObject([
    { shopId: 'default', message: 'shipment_methods', path: 'loyalty', became: 'ignored', count: 1 },
    { path: 'quote', kind: 'number', became: 'refused' },
    { path: 'customer.gender', kind: 'number', became: 'lost' },
    { path: 'customer.birthdate', kind: 'text', became: 'lost' },
    { path: 'shipping_address.country', kind: 'object', became: 'lost' },
  ])
})
