import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { faultsOf } from '../chromium.ts'
import { isLong } from '../long.ts'
import { visitor } from '../visitor.ts'
import { openOrder } from './bank-desk.ts'

const device = async (options: BrowserContextOptions = {}) => (await visitor(options)).page

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const titled = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor()

/** Chooses a bank on the page, and arrives at it. */
async function choose(page: Page, bank: string): Promise<void> {
  await page.getByLabel(bank).check()
  await button(page, 'Continue to my bank').click()
  await titled(page, bank)
}

const inShop = (page: Page, shop: string) => page.waitForURL(`${shop}/back`)

async function approve(page: Page, shop: string): Promise<void> {
  await button(page, 'Approve').click()
  await inShop(page, shop)
}

/** An order whose page a customer looks at. */
async function openPage(options: BrowserContextOptions = {}) {
  const order = await openOrder()
  const page = await device(options)
  await page.goto(order.url)
  return { ...order, page }
}

test.each([
  ['with scripts', true],
  ['with scripts blocked', false],
])('%s a customer chooses a bank, pays there and arrives in the shop', async (_name, javaScriptEnabled) => {
  const { page, shop, status, charges } = await openPage({ javaScriptEnabled })
  await choose(page, 'Harbour Savings')
  await approve(page, shop)
  expect([await status(), charges()]).toEqual(['paid', ['harbour']])
})

test('Back from the bank, and another bank chosen: the first one can no longer be paid at', async () => {
  const { page, url, shop, status, charges } = await openPage()
  await choose(page, 'Marigold Bank')
  const first = page.url()
  await page.goto(url)
  await titled(page, 'You have not finished at your bank')
  await button(page, 'Choose another way to pay').click()
  await choose(page, 'Juniper & Sons')
  await page.goto(first)
  await titled(page, 'Nothing is left to do here')
  await page.getByRole('link', { name: 'Go on' }).click()
  await choose(page, 'Juniper & Sons')
  await approve(page, shop)
  expect([await status(), charges()]).toEqual(['paid', ['juniper']])
})

test('the browser’s Back and reloads show where the customer is, at every step', async () => {
  const { page, url, shop, status, charges } = await openPage()
  await page.reload()
  await choose(page, 'Marigold Bank')
  await page.reload()
  await page.goBack()
  await titled(page, 'You have not finished at your bank')
  await page.reload()
  await page.getByRole('link', { name: 'Continue' }).click()
  await approve(page, shop)
  await page.goBack()
  await titled(page, 'Nothing is left to do here')
  await page.getByRole('link', { name: 'Go on' }).click()
  await inShop(page, shop)
  await page.goto(url)
  await titled(page, 'Your payment has been received')
  await page.getByRole('link', { name: /^Back to / }).click()
  await inShop(page, shop)
  expect([await status(), charges()]).toEqual(['paid', ['marigold']])
})

test('a double click opens one session at the bank, and one of approval charges once', async () => {
  const { page, shop, status, charges } = await openPage()
  await page.getByLabel('Marigold Bank').check()
  await button(page, 'Continue to my bank').dblclick({ noWaitAfter: true })
  await titled(page, 'Marigold Bank')
  await button(page, 'Approve').dblclick({ noWaitAfter: true })
  await inShop(page, shop)
  expect([await status(), charges()]).toEqual(['paid', ['marigold']])
})

test('two tabs with two banks: one charge, and both lead to the shop', async () => {
  const { url, shop, status, charges } = await openOrder()
  const one = await device()
  const other = await one.context().newPage()
  await one.goto(url)
  await other.goto(url)
  await choose(one, 'Marigold Bank')
  // The form of the other tab is an old one: it opens no second session beside the first, and follows it like a second click.
  await other.getByLabel('Harbour Savings').check()
  await button(other, 'Continue to my bank').click()
  await titled(other, 'Marigold Bank')
  await other.goto(url)
  await titled(other, 'You have not finished at your bank')
  await button(other, 'Choose another way to pay').click()
  await choose(other, 'Harbour Savings')
  await button(one, 'Approve').click()
  await titled(one, 'Order ORD1001')
  await approve(other, shop)
  await one.reload()
  await titled(one, 'Your payment has been received')
  await one.getByRole('link', { name: /^Back to / }).click()
  await inShop(one, shop)
  expect([await status(), charges()]).toEqual(['paid', ['harbour']])
})

test('another device goes on where the first one is, and pays', async () => {
  const { url, shop, status, charges } = await openOrder()
  const [laptop, phone] = [await device(), await device({ viewport: { width: 360, height: 700 } })]
  await laptop.goto(url)
  await choose(laptop, 'Juniper & Sons')
  await phone.goto(url)
  await phone.getByRole('link', { name: 'Continue' }).click()
  await approve(phone, shop)
  await approve(laptop, shop)
  expect([await status(), charges()]).toEqual(['paid', ['juniper']])
})

test('turned back while at the bank: cancelled, and nothing can be paid', async () => {
  const { page, url, shop, status, charges } = await openPage()
  await choose(page, 'Marigold Bank')
  await page.goto(url)
  await button(page, /^Cancel and return to /).click()
  await inShop(page, shop)
  await page.goBack()
  await titled(page, 'This payment was cancelled')
  expect([await status(), charges()]).toEqual(['cancelled', []])
})

test('the page has no fault of access in any language, light and dark, and with an error', async () => {
  for (const language of isLong ? ['en', 'nl', 'de', 'fr', 'es'] : ['de']) {
    const { url } = await openOrder({ language })
    const page = await device({ colorScheme: language === 'nl' ? 'light' : 'dark' })
    await page.goto(url)
    expect(await faultsOf(page)).toEqual([])
    await page.locator('main button').first().press('Enter')
    await page.getByRole('alert').waitFor()
    await page.emulateMedia({ colorScheme: language === 'nl' ? 'dark' : 'light' })
    expect(await faultsOf(page)).toEqual([])
  }
})

test('with the keyboard alone a bank is chosen and the payment approved', async () => {
  const { page, shop, status } = await openPage()
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await titled(page, 'Harbour Savings')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await inShop(page, shop)
  expect(await status()).toBe('paid')
})
