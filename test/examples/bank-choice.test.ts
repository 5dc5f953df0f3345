import { describe, expect, test } from 'vitest'
import { type Bank, BankList } from '../../examples/payment-bank-choice/bank-list.ts'
import type { PaymentAdapter } from '../../src/index.ts'
import { testPaymentAdapter } from '../../src/testing/index.ts'
import { postForm } from '../http/post.ts'
import { bankChoice, openOrder, service, sign } from './bank-desk.ts'

const [minute, hour] = [60_000, 3_600_000]
const [one, two] = [
  [{ id: 'one', name: 'One', icon: '' }],
  [{ id: 'two', name: 'Two', icon: '' }],
] as Bank[][]
const down = () => Promise.reject(new Error('down'))

test('the list of banks is asked for once an hour, once for all who wait', async () => {
  const list = new BankList()
  let calls = 0
  const ask = async () => (calls++ === 0 ? one! : two!)
  expect(await Promise.all([0, 1, 2].map((now) => list.get(ask, now)))).toEqual([one, one, one])
  expect(await list.get(ask, hour - 1)).toBe(one)
  expect(calls).toBe(1)
  expect(await list.get(ask, hour)).toBe(two)
})

test('while the service is down the old list stays, and it is asked again after a minute', async () => {
  const list = new BankList()
  await expect(list.get(down, 0)).rejects.toThrow('down')
  await list.get(async () => one!, 0)
  expect(await list.get(down, hour)).toBe(one)
  expect(await list.get(async () => two!, hour + minute - 1)).toBe(one)
  expect(await list.get(async () => two!, hour + minute)).toBe(two)
})

const textOf = async (url: string) => (await fetch(url)).text()

async function atBank(url: string, bank = 'marigold') {
  const next = (await postForm(url, { bank })).headers.get('location')!
  const session = /http-equiv="refresh" content="0; url=([^"]+)"/.exec(await (await fetch(next)).text())![1]!
  return async (outcome: string) => (await postForm(session, { outcome })).headers.get('location')!
}

test('a payment that a bank confirms days later becomes paid by a push, and money goes back', async () => {
  const { url, provider, reference, status, charges, shop } = await openOrder()
  const decide = await atBank(url)
  const back = await fetch(await decide('later'), { redirect: 'manual' })
  expect(back.headers.get('location')).toBe(`${shop}/back`)
  expect([await status(), charges()]).toEqual(['pending', []])
  expect(await textOf(url)).toContain('Your payment is being processed')
  await service.settle(reference, 'paid')
  await expect.poll(async () => (await provider.payments.get({ orderId: '1001' }))?.status).toBe('paid')
  expect(charges()).toEqual(['marigold'])

  const refunded = await provider.payments.refund({ orderId: '1001' }, { amount: '9.34' })
  expect(refunded).toMatchObject({ status: 'paid' })
  expect(service.payments.get(reference)).toMatchObject({ refunded: 934 })
  await expect(provider.payments.refund({ orderId: '1001' }, { amount: '29.34' })).rejects.toThrow()
})

test('cancelled at the bank: the order is not paid, and the customer is in the shop', async () => {
  const { url, status, charges, shop } = await openOrder()
  const back = await fetch(await (await atBank(url))('cancel'), { redirect: 'manual' })
  expect(back.headers.get('location')).toBe(`${shop}/back`)
  expect(await textOf(url)).toContain('This payment was cancelled')
  expect([await status(), charges()]).toEqual(['cancelled', []])
})

test('refused by the bank: the customer chooses another one', async () => {
  const { url, status, charges } = await openOrder()
  await fetch(await (await atBank(url))('refuse'))
  await fetch(await (await atBank(url, 'harbour'))('approve'))
  expect([await status(), charges()]).toEqual(['paid', ['harbour']])
})

test.each(['on the page', 'at the bank'])('a payment expires while the customer is %s', async (place) => {
  const { url, reference, status, charges } = await openOrder()
  const decide = place === 'at the bank' && (await atBank(url))
  service.payments.get(reference)!.status = 'expired'
  if (decide) expect(await textOf(await decide('approve'))).toContain('Thank you')
  else expect((await postForm(url, { bank: 'marigold' })).headers.get('location')).toBe(`${url}/done`)
  expect(await textOf(url)).toContain('This payment has expired')
  expect([await status(), charges()]).toEqual(['expired', []])
})

test('a bank that is none, and no bank, are errors at their field; nothing is asked of the service', async () => {
  const { url, status } = await openOrder({ language: 'nl' })
  const asked = () => service.calls.filter((call) => call.includes('authorisations'))
  for (const fields of [{}, { bank: 'nobody' }, { bank: '<script>' }] as Record<string, string>[]) {
    const before = asked().length
    expect((await postForm(url, fields)).headers.get('location')).toBe(url)
    const text = await textOf(url)
    expect(text).toContain('Kies de bank waarmee u betaalt.')
    expect(text).toContain('aria-invalid="true"')
    expect(asked()).toHaveLength(before)
  }
  expect(await status()).toBe('pending')
})

test('while the service is down a choice comes to nothing; afterwards the customer goes on', async () => {
  const { url, charges } = await openOrder()
  await fetch(url)
  service.isDown = true
  const page = await fetch((await postForm(url, { bank: 'harbour' })).headers.get('location')!)
  const text = await page.text()
  expect(text).toContain('The banks cannot be reached right now. Nothing was paid.')
  expect(text).toContain('Harbour Savings')
  service.isDown = false
  await fetch(await (await atBank(url, 'harbour'))('approve'))
  expect(charges()).toEqual(['harbour'])
})

test('a result that is signed for one order pays no other, and a changed one pays nothing', async () => {
  const cheap = await openOrder()
  const genuine = new URL(await (await atBank(cheap.url))('approve')).search
  const other = await openOrder()
  const forged = [
    genuine,
    genuine.replace('status=paid', 'status=paid&status=paid'),
    `?payment=${other.reference}&status=paid&amount=29.34&currency=eur`,
    `?payment=${other.reference}&status=paid&amount=29.34&currency=eur&signature=${'0'.repeat(64)}`,
    `?payment=${other.reference}&status=paid&amount=29.34&currency=eur&signature=${sign('', 'another_secret')}`,
    `${genuine}&payment=${other.reference}&status=paid`,
    '?',
  ]
  for (const query of forged) {
    expect((await fetch(`${other.url}/return${query}`, { redirect: 'manual' })).status).toBe(303)
    expect((await other.provider.payments.get({ orderId: '1001' }))?.status).toBe('pending')
  }
  expect(other.charges()).toEqual([])
})

test('a push that is not signed is refused', async () => {
  const { provider, reference } = await openOrder()
  const { webhook_url } = service.payments.get(reference)!
  const body = JSON.stringify({ id: reference, status: 'paid', amount: { value: '29.34', currency: 'eur' } })
  for (const signature of ['', sign(body, 'another_secret')]) {
    const headers = { 'content-type': 'application/json', 'bank-signature': signature }
    expect((await fetch(webhook_url, { method: 'POST', body, headers })).status).toBe(401)
  }
  expect((await provider.payments.get({ orderId: '1001' }))?.status).toBe('pending')
})

describe('the adapter holds what every adapter has to', () => {
  testPaymentAdapter({
    test,
    adapter: bankChoice as unknown as PaymentAdapter,
    push({ reference }) {
      const amount = { value: '1.00', currency: 'eur' }
      const body = JSON.stringify({ id: reference, status: 'pending', amount })
      return { body: Buffer.from(body), headers: { 'bank-signature': sign(body, 'test_secret') }, query: '' }
    },
  })
})
