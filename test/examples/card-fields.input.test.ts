import { expect, test } from 'vitest'
import { postForm } from '../http/post.ts'
import { cardDesk } from './card-desk.ts'

const challenge = '4000000000003220'
const fromBank = { origin: 'http://localhost:4020', 'sec-fetch-site': 'cross-site' }

/** A customer who is at the bank. */
async function atBank() {
  const desk = await cardDesk()
  const card = desk.acquirer.intents.keepCard('demo', challenge)
  expect((await postForm(desk.url, { card })).headers.get('location')).toBe(`${desk.url}/go`)
  return { ...desk, intent: desk.acquirer.intents.all[0]! }
}

test.each([
  ['a forged result', 'redirect_status=succeeded&payment_intent=pi_forged'],
  ['a doubled result', 'redirect_status=failed&redirect_status=succeeded'],
  ['no result', ''],
  ['a result of no meaning', 'redirect_status=%00%F0&status=paid&amount=29.34'],
])('%s charges nothing and pays nothing, and the page leads on', async (_name, result) => {
  const { url, status, charges } = await atBank()
  const headers = { ...fromBank, 'content-type': 'application/x-www-form-urlencoded' }
  for (const answer of [
    await fetch(`${url}/return?${result}`, { redirect: 'manual' }),
    await fetch(`${url}/return`, { method: 'POST', body: result, redirect: 'manual', headers }),
  ])
    expect([answer.status, answer.headers.get('location')]).toEqual([303, url])
  const text = await (await fetch(url)).text()
  expect(text).toContain('You have not finished at your bank')
  expect(text).toContain('Cancel and return to')
  expect([await status(), charges()]).toEqual(['pending', 0])
})

test('a refusal that somebody forges behind a payment changes nothing', async () => {
  const { url, shop, status, charges, acquirer, intent } = await atBank()
  acquirer.intents.authenticated(intent.id, true)
  const answer = await fetch(`${url}/return?redirect_status=failed`, { redirect: 'manual' })
  expect(answer.headers.get('location')).toBe(`${shop}/thanks`)
  expect([await status(), charges()]).toEqual(['paid', 1])
})

test('a form of another site is refused, and charges nothing', async () => {
  const { url, acquirer, status, charges } = await cardDesk()
  const card = acquirer.intents.keepCard('demo', '4242424242424242')
  for (const path of ['', '/again', '/cancel', '/look']) {
    const answer = await postForm(url + path, { card }, fromBank)
    expect(answer.status).toBe(403)
    expect(await answer.text()).toContain('href="')
  }
  expect([await status(), charges()]).toEqual(['pending', 0])
})

test.each([
  ['the card of another shop', (keepCard: (account: string) => string) => keepCard('other')],
  ['a token that there is not', () => 'pm_0'],
  ['a token that is none', () => 'pm_1\r\nx-injected: 1'],
])('%s is refused, charges nothing, and the card can be entered again', async (_name, token) => {
  const { url, acquirer, status, charges } = await cardDesk()
  const keepCard = (account: string) => acquirer.intents.keepCard(account, '4242424242424242')
  const card = token(keepCard)
  expect((await postForm(url, { card, email: 'noor@customer.example' })).headers.get('location')).toBe(url)
  const text = await (await fetch(url)).text()
  expect(text).toContain('Please enter the card again. Nothing was paid.')
  expect(text).toContain('value="noor@customer.example"')
  expect(text).not.toContain(card)
  expect([await status(), charges()]).toEqual(['pending', 0])
  await postForm(url, { card: keepCard('demo') })
  expect([await status(), charges()]).toEqual(['paid', 1])
})

test('the page token of another provider opens no payment, and takes no card', async () => {
  const [one, other] = [await cardDesk(), await cardDesk()]
  const foreign = one.url.replace(new URL(one.url).origin, new URL(other.url).origin)
  expect((await fetch(foreign)).status).toBe(404)
  const card = other.acquirer.intents.keepCard('demo', '4242424242424242')
  expect((await postForm(foreign, { card })).status).toBe(404)
  expect([one.charges(), other.charges()]).toEqual([0, 0])
})

test('only the acquirer and the bank may load', async () => {
  const { url, acquirer } = await cardDesk()
  const policy = (await fetch(url)).headers.get('content-security-policy')!
  expect(policy.match(/https?:\/\/[^\s;]+/g)).toEqual([acquirer.url, acquirer.url, acquirer.bankUrl])
  const done = await fetch(`${url}/done`)
  expect(done.headers.get('content-security-policy')).not.toMatch(/https?:|script-src|frame-src/)
})

test('money goes back once for one key', async () => {
  const { url, acquirer, provider, orderId } = await cardDesk()
  await postForm(url, { card: acquirer.intents.keepCard('demo', '4242424242424242') })
  const refund = () => provider.payments.refund({ orderId }, { amount: '9.34', key: 'one' })
  await refund()
  await refund()
  expect(acquirer.intents.all.map((one) => one.amount_refunded)).toEqual([934])
  const payment = await provider.payments.get({ orderId })
  expect(payment?.ledger).toMatchObject({ received: '29.34', refunded: '9.34' })
})
