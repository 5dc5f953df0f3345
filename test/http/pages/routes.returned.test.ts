import { createHmac } from 'node:crypto'
import express from 'express'
import { expect, test } from 'vitest'
import type { PaymentAdapter, ReturnReader } from '../../../src/index.ts'
import { listening } from '../../listening.ts'
import { serveOrigin } from '../../serve-origin.ts'
import { payment } from '../messages.ts'
import { postForm, postJson } from '../post.ts'

const signed = (text: string) => createHmac('sha256', 'of the shop').update(text).digest('hex')

/** Reads `result=paid&mac=...`, as a bank's page posts it or hangs it behind the address. */
const bank: ReturnReader = {
  verify: ({ query, body }) => {
    const fields = new URLSearchParams(query || body.toString())
    return fields.getAll('result').length === 1 && fields.get('mac') === signed(fields.get('result')!)
  },
  read({ query, body }) {
    const result = new URLSearchParams(query || body.toString()).get('result')
    if (result === 'broken') throw new Error('no such result')
    if (result === 'nothing') return undefined
    return result === 'paid' ? { status: 'paid', amount: '29.34', currency: 'eur' } : { status: 'cancelled' }
  },
}

async function returning(adapter: Partial<PaymentAdapter> = { returned: bank }) {
  let returnUrl = ''
  const { provider, endpoint } = await listening({
    payments: {
      name: 'bank',
      methods: () => [],
      start(_attempt, ctx) {
        returnUrl = ctx.returnUrl
        return { redirect: 'https://bank.example/pay', reference: 'r1' }
      },
      ...adapter,
    },
  })
  const order = { ...payment({ method: 'bank:ideal' }), redirect_url: 'http://127.0.0.1:9/back' }
  await postJson(`${endpoint}/payment`, order)
  const foreign = { origin: 'https://bank.example', 'sec-fetch-site': 'cross-site' }
  const headers = { 'content-type': 'application/x-www-form-urlencoded', ...foreign }
  const back = (text: string, method: 'GET' | 'POST') =>
    method === 'GET'
      ? fetch(`${returnUrl}?${text}`, { redirect: 'manual' })
      : fetch(returnUrl, { method, body: text, redirect: 'manual', headers })
  const status = async () => (await provider.payments.get({ orderId: '1001' }))?.status
  return { provider, back, status, page: returnUrl.replace(/\/return$/, '') }
}

const methods = ['GET', 'POST'] as const
test.each(methods)('a customer comes back by %s with a result that is verified', async (method) => {
  const { back, status, page } = await returning()
  const answer = await back(`result=paid&mac=${signed('paid')}`, method)
  const to = method === 'GET' ? 'http://127.0.0.1:9/back' : `${page}/done`
  expect([answer.status, answer.headers.get('location')]).toEqual([303, to])
  expect(await status()).toBe('paid')
})

test.each([
  ['a forged result', 'result=paid&mac=00'],
  ['a doubled result', `result=paid&result=paid&mac=${signed('paid')}`],
  ['no result', ''],
  ['a result of no meaning', `result=broken&mac=${signed('broken')}`],
  ['a result that says nothing', `result=nothing&mac=${signed('nothing')}`],
])('%s changes nothing, and the customer goes on to the shop', async (_name, text) => {
  for (const method of methods) {
    const { back, status } = await returning()
    expect((await back(text, method)).status).toBe(303)
    expect(await status()).toBe('pending')
  }
})

test('what is signed for one payment pays no other: the adapter sees whose return it is', async () => {
  const seen: unknown[] = []
  const { back, status } = await returning({
    returned: {
      verify({ query }, { attempt }) {
        seen.push([attempt.orderId, attempt.reference, attempt.amount])
        return new URLSearchParams(query).get('payment') === attempt.reference
      },
      read: () => ({ status: 'paid', amount: '29.34', currency: 'eur' }),
    },
  })
  await back('payment=r2', 'GET')
  expect([seen, await status()]).toEqual([[['1001', 'r1', '29.34']], 'pending'])
  await back('payment=r1', 'GET')
  expect(await status()).toBe('paid')
})

test('what is not verified is counted as refused', async () => {
  const { back, provider } = await returning()
  await back('result=paid', 'GET')
  expect(await provider.metrics()).toContain('purveyor_refused_total{code="RETURN_UNVERIFIED"} 1')
})

test('with confirm the payment service is asked, whatever came along', async () => {
  const { back, status } = await returning({
    returned: { confirm: 'status', read: () => ({ status: 'paid', amount: '29.34', currency: 'eur' }) },
    status: () => ({ status: 'cancelled' }),
  })
  await back('result=paid', 'POST')
  expect(await status()).toBe('cancelled')
})

test('a body that is too large counts as none, and an adapter without `returned` needs none', async () => {
  const { back } = await returning()
  expect((await back(`result=${'x'.repeat(70_000)}`, 'POST')).status).toBe(303)
  const plain = await returning({})
  expect((await plain.back('anything', 'POST')).status).toBe(303)
  expect(await plain.status()).toBe('pending')
})

test('behind a body parser a customer who comes back by POST goes on, and the payment service is asked', async () => {
  const { provider, back, status, page } = await returning({
    returned: bank,
    status: () => ({ status: 'cancelled' }),
  })
  const origin = await serveOrigin(express().use(express.urlencoded()).use(provider.router))
  const answer = await postForm(
    `${origin}${new URL(page).pathname}/return`,
    { result: 'paid', mac: signed('paid') },
    { host: new URL(page).host },
  )
  expect(answer.status).toBe(303)
  expect(await status()).toBe('cancelled')
  expect((await back('result=paid', 'POST')).status).toBe(303)
})
