import type { Browser, BrowserContextOptions } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { faultsOf, startChromium } from '../chromium.ts'
import { type Given, method, shopWith } from './provider.ts'

let browser: Browser

beforeAll(async () => {
  browser = await startChromium()
})

afterAll(() => browser.close())

async function open(options: BrowserContextOptions = {}) {
  const context = await browser.newContext(options)
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const messages: string[] = []
  page.on('console', (message) => messages.push(message.text()))
  return { page, messages }
}

const cards = [
  { ...method, id: 'card', title: 'Card', icon: 'pin', price_incl: 0.5, price_excl: 0.41 },
  { ...method, id: 'bank', title: 'Bank', icon: 'https://icons.example/bank.png' },
]

/** A shop whose payments the provider takes without a page of its own. */
const shopWithoutPage = (status: () => string) =>
  shopWith(({ method: verb, path }): Given | undefined => {
    if (path === '/payment_methods') return { body: { payment_methods: cards } }
    if (verb === 'GET') return { status: 200, body: { status: status() } }
    return path === '/payment' ? { body: {} } : undefined
  })

test('with the keyboard alone, from the cart to the order', async () => {
  const { sandbox } = await shopWithoutPage(() => 'paid')
  const { page, messages } = await open()
  await page.goto(sandbox.url)
  const reach = async (name: string) => {
    for (let presses = 0; presses < 30; presses++) {
      if ((await page.evaluate('document.activeElement.innerText')) === name) return
      await page.keyboard.press('Tab')
    }
    throw new Error(`Tab does not reach "${name}"`)
  }
  await reach('Checkout')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/checkout/*')
  await page.getByLabel('Card').waitFor()
  await reach('Place order')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'ORD01001 is not paid yet' }).waitFor()
  expect(messages.filter((text) => text.includes('Content Security Policy'))).toEqual([])
})

test('without JavaScript, to an order that is paid', async () => {
  const { sandbox } = await shopWithoutPage(() => 'paid')
  const { page } = await open({ javaScriptEnabled: false })
  await page.goto(`${sandbox.url}/checkout`)
  await page.getByLabel('First name').fill('Sam')
  await page.getByRole('button', { name: 'Place order' }).click()
  await page.getByRole('heading', { name: 'is not paid yet' }).waitFor()
  await page.goto(`${sandbox.url}/orders/1001/return`)
  await page.getByRole('heading', { name: 'ORD01001 is paid' }).waitFor()
  expect(sandbox.orders[0]?.customer.firstname).toBe('Sam')
})

test('payment methods have icon, title and price; what is chosen is in the order’s total', async () => {
  const { sandbox } = await shopWithoutPage(() => 'paid')
  const { page } = await open()
  await page.goto(`${sandbox.url}/checkout`)
  const card = page.locator('label', { hasText: 'Card' })
  expect(await card.textContent()).toMatch(/pin\s+Card\s*€0\.50/)
  expect(await page.locator('img').getAttribute('src')).toBe('https://icons.example/bank.png')
  await page.getByLabel('Bank').check()
  await page.getByRole('button', { name: 'Place order' }).click()
  await page.getByRole('heading', { name: 'ORD01001' }).waitFor()
  expect(await page.locator('tfoot').textContent()).toMatch(/€59\.23/)
})

test('another address asks for the methods anew before the order is placed', async () => {
  const { sandbox, asked } = await shopWithoutPage(() => 'paid')
  const { page } = await open()
  await page.goto(`${sandbox.url}/checkout`)
  await page.getByLabel('Country').selectOption('be')
  await page.getByRole('button', { name: 'Place order' }).click()
  await page.getByRole('alert').waitFor()
  expect(sandbox.orders).toEqual([])
  expect(asked.at(-1)?.body.shipping_address.country).toBe('be')
  await page.getByRole('button', { name: 'Place order' }).click()
  await page.getByRole('heading', { name: 'ORD01001' }).waitFor()
})

test('every page can be used by everyone, on a phone too', async () => {
  let status = 'pending'
  const { sandbox } = await shopWithoutPage(() => status)
  const { page } = await open()
  const pages = [
    '/',
    '/?zipcode=1016GV&country=nl',
    '/?country=mars',
    '/checkout',
    '/orders',
    '/log',
    '/orders/99',
  ]
  for (const path of pages) {
    await page.goto(sandbox.url + path)
    expect(await faultsOf(page), path).toEqual([])
  }
  await page.goto(`${sandbox.url}/checkout`)
  await page.getByRole('button', { name: 'Place order' }).click()
  for (const word of ['pending', 'cancelled']) {
    status = word
    await page.goto(`${sandbox.url}/orders/1001/return`)
    await page.getByRole('heading', { name: `is ${word}` }).waitFor()
    expect(await faultsOf(page), word).toEqual([])
  }
  await page.goto(`${sandbox.url}/log?order=1001`)
  await page.getByText('What was answered').first().click()
  expect(await faultsOf(page), 'log').toEqual([])
})
