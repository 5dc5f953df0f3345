import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { PaymentAdapter, PaymentReports } from '../../../src/index.ts'
import { listening } from '../../listening.ts'
import { payment } from '../messages.ts'
import { paymentUrl, postForm, statusOf } from '../post.ts'

const paid = { status: 'paid', amount: '29.34', currency: 'eur' } as const
const open = { status: 'open' } as const
const refresh = /<meta http-equiv="refresh" content="(\d+); url=([^"]+)">/

/** A page that shows a code to scan. The payment service answers what `said` returns. */
async function codePage(said: () => PaymentReports, more: Partial<PaymentAdapter> = {}) {
  const follow: PaymentAdapter = {
    name: 'scan',
    methods: () => [{ id: 'scan', title: 'Scan' }],
    start: () => ({ page: true, reference: 'tr_1' }),
    status: said,
    page: { follows: true, render: () => 'Scan this code' },
    ...more,
  }
  const { endpoint } = await listening({ payments: follow })
  const url = await paymentUrl(endpoint, payment({ method: 'scan' }))
  const read = () => statusOf(endpoint)
  const text = async (path = '') => (await fetch(`${url}${path}`)).text()
  return { url, read, text }
}

test('a page that follows looks again by itself, and ends with the payment', async () => {
  let said: PaymentReports = open
  const { url, text } = await codePage(() => said)
  const shown = await text()
  expect(shown).toContain('Scan this code')
  const [, seconds, to] = refresh.exec(shown)!
  expect([Number(seconds) >= 2 && Number(seconds) <= 5, to]).toEqual([true, url])
  said = paid
  let ended = await fetch(url)
  while (!ended.url.endsWith('/done')) {
    // A page has 20 visits a second.
    await setTimeout(100)
    ended = await fetch(url)
  }
  const end = await ended.text()
  expect(end).toContain('Your payment has been received')
  expect(refresh.exec(end)![1]).toBe('0')
  // It takes no form.
  expect((await postForm(url, { code: '1' })).status).toBe(303)
})

test('a page that follows goes on to look while the payment service works on the payment', async () => {
  let said: PaymentReports = { status: 'pending' }
  const { url, text } = await codePage(() => said)
  const works = await text()
  expect(works).toContain('Your payment is being processed')
  expect(refresh.exec(works)![2]).toBe(url)
  said = paid
  while (!(await fetch(url)).url.endsWith('/done'));
})

test('Cancel asks the payment service first: what was paid by phone is paid, and the page says so', async () => {
  for (const page of [
    { follows: true, render: () => 'Scan' },
    { render: () => 'Scan', submit: () => open },
  ]) {
    const { url, read } = await codePage(() => paid, { page } as Partial<PaymentAdapter>)
    const answer = await postForm(`${url}/cancel`)
    expect(answer.headers.get('location')).toBe(`${url}/done`)
    expect(await (await fetch(`${url}/done`)).text()).toContain('Your payment has been received')
    expect(await read()).toBe('paid')
  }
})

test('Cancel cancels what the payment service calls open, and leaves what it says nothing about', async () => {
  const opened = await codePage(() => open)
  await postForm(`${opened.url}/cancel`)
  expect(await opened.read()).toBe('cancelled')
  const silent = await codePage(() => {
    throw new Error('the payment service is down')
  })
  await postForm(`${silent.url}/cancel`)
  expect(await silent.read()).toBe('pending')
  expect(await silent.text('/done')).toContain('If you have confirmed this payment at your bank,')
})

test('a payment of which a part has come says what is missing, and keeps what says how to pay it', async () => {
  const part = { status: 'paid', amount: '10.00', currency: 'eur' } as const
  const { text } = await codePage(() => part)
  const shown = await text()
  expect(shown).toContain('A part of your payment has been received')
  expect(shown).toMatch(/Received<\/dt><dd>€10\.00/)
  expect(shown).toMatch(/Still to pay<\/dt><dd>€19\.34/)
  expect(shown).toContain('Scan this code')
  expect(shown).toContain('Back to')
  const texts = { en: { partHint: 'Pay {missing} at the counter.' } }
  const voucher = await codePage(() => open, {
    page: { render: () => 'Voucher', submit: () => part, texts },
  })
  await postForm(voucher.url, { code: '1' })
  const end = await voucher.text()
  expect(end).toMatch(/Still to pay<\/dt><dd>€19\.34/)
  expect(end).toContain('Pay €19.34 at the counter.')
  expect(end).not.toContain('Voucher')
})
