import { expect, test } from 'vitest'
import { html, type PaymentAdapter, type PaymentReports } from '../../../src/index.ts'
import { listening } from '../../listening.ts'
import { payment } from '../messages.ts'
import { paymentUrl, postForm, statusOf } from '../post.ts'

const shopUrl = 'http://127.0.0.1:9/back'

/** A page whose form leads to a bank. The test says what the bank answers. */
async function atBank({ asked = true }: { asked?: boolean } = {}) {
  const bank: { says: PaymentReports | Error; forms: number; slow?: Promise<void> } = {
    says: { status: 'open' },
    forms: 0,
  }
  const answer = () => {
    if (bank.says instanceof Error) throw bank.says
    return bank.says
  }
  const adapter: PaymentAdapter = {
    name: 'bank',
    methods: () => [],
    start: () => ({ page: true, reference: 'r1' }),
    ...(asked && { status: answer, cancel: () => ({ status: 'cancelled' }) }),
    page: {
      render: () => html`<form method="post"><button>Choose a bank</button></form>`,
      async submit() {
        bank.forms++
        await bank.slow
        return { redirect: 'https://bank.example/pay' }
      },
    },
    returned: {
      ...(asked ? { confirm: 'status' as const } : { verify: () => true }),
      read: ({ query }) => (query === 'result=refused' ? { again: true } : undefined),
    },
  }
  const { endpoint } = await listening({ payments: adapter })
  const url = await paymentUrl(endpoint, { ...payment({ method: 'bank:ideal' }), redirect_url: shopUrl })
  const send = async (path = '') => (await postForm(`${url}${path}`)).headers.get('location')
  const back = async (query = '') =>
    (await fetch(`${url}/return?${query}`, { redirect: 'manual' })).headers.get('location')
  const page = async () => (await fetch(url)).text()
  expect(await send()).toBe(`${url}/go`)
  return { bank, url, send, back, page, status: () => statusOf(endpoint) }
}

test('a customer who has not finished at the bank comes back to the page, not to a shop that waits', async () => {
  const { url, back, page, send } = await atBank()
  expect(await back()).toBe(url)
  expect(await page()).toContain('You have not finished at your bank')
  expect(await send('/return')).toBe(url)
  expect(await send('/again')).toBe(url)
  expect(await page()).toContain('Choose a bank')
})

test('a bank that refused leads back to the form', async () => {
  const { url, back, page } = await atBank()
  expect(await back('result=refused')).toBe(url)
  expect(await page()).toContain('Choose a bank')
})

test('a forged refusal does not offer the form while the payment is under way, or paid', async () => {
  const { bank, url, back, page, send } = await atBank()
  bank.says = { status: 'pending' }
  expect(await back('result=refused')).toBe(shopUrl)
  for (const way of ['', '/again', '/look']) await send(way)
  expect(bank.forms).toBe(1)
  expect(await page()).toContain('Your payment is being processed')
  expect(await page()).not.toContain('Choose a bank')
  // What the service works on may fail after all: then the customer may choose again.
  bank.says = { status: 'open' }
  expect(await back('result=refused')).toBe(url)
  expect(await page()).toContain('Choose a bank')
  bank.says = { status: 'paid', amount: '29.34', currency: 'eur' }
  await fetch(`${url}/return`, { redirect: 'manual' })
  expect(await page()).toContain('Your payment has been received')
})

test('while the service does not answer, the page says not to pay again and offers no form', async () => {
  const { bank, url, back, page, send } = await atBank()
  bank.says = new Error('no answer')
  await send('/again')
  expect(await page()).toContain('You have not finished at your bank')
  expect(await back('result=refused')).toBe(url)
  expect(await page()).toContain('Please do not pay again')
  await send('/again')
  expect(await page()).toContain('Please do not pay again')
  bank.says = { status: 'open' }
  await send('/look')
  expect(await page()).toContain('Choose a bank')
})

test('where the service cannot be asked, the page remembers the bank, and only the service itself offers another way', async () => {
  const { url, back, page, send } = await atBank({ asked: false })
  expect(await back()).toBe(shopUrl)
  expect(await page()).toContain('You have not finished at your bank')
  await send('/again')
  expect(await page()).not.toContain('Choose a bank')
  expect(await back('result=refused')).toBe(url)
  expect(await page()).toContain('Choose a bank')
})

test('a way back in another tab does not let a second form run beside the first', async () => {
  const { bank, url, back, send, page } = await atBank()
  expect(await back('result=refused')).toBe(url)
  let finish = () => {}
  bank.slow = new Promise((resolve) => (finish = resolve))
  const first = send()
  await expect.poll(() => bank.forms).toBe(2)
  await back('result=refused')
  await send('/again')
  expect(await page()).toContain('Your payment is being handled')
  const second = send()
  finish()
  // The way back may have waited for the service longer than a form is waited for.
  expect([`${url}/go`, url]).toContain(await first)
  // It comes beside the first one, or right behind it.
  expect([`${url}/go`, url]).toContain(await second)
  expect(bank.forms).toBe(2)
})

test('a forged address of the way back does not offer a form beside one whose outcome nobody knows', async () => {
  const { bank, back, page, send } = await atBank()
  bank.says = new Error('no answer')
  await back('result=refused')
  bank.says = { status: 'pending' }
  await back('result=refused')
  await send()
  expect(bank.forms).toBe(1)
  expect(await page()).toContain('Your payment is being processed')
})

test('the result of an earlier form says nothing about a later one', async () => {
  const { url, page, send } = await atBank({ asked: false })
  const back = async (form: number) =>
    (await fetch(`${url}/return/${form}?result=refused`, { redirect: 'manual' })).headers.get('location')
  expect(await back(1)).toBe(url)
  expect(await send()).toBe(`${url}/go`)
  expect(await back(1)).toBe(shopUrl)
  expect(await page()).toContain('You have not finished at your bank')
  expect(await back(2)).toBe(url)
  expect((await fetch(`${url}/return/x`)).status).toBe(404)
})

test('a customer who confirmed in the app of the bank reads so on the page, without a way back', async () => {
  const { bank, page } = await atBank()
  bank.says = { status: 'pending' }
  expect(await page()).toContain('Your payment is being processed')
  bank.says = { status: 'paid', amount: '29.34', currency: 'eur' }
  await expect.poll(page).toContain('Your payment has been received')
})

test('a customer who turns back has cancelled, also where the payment is closed at its service', async () => {
  const { url, send, page, status } = await atBank()
  expect(await send('/cancel')).toBe(`${url}/done`)
  expect(await page()).toContain('This payment was cancelled')
  expect(await status()).toBe('cancelled')
})
