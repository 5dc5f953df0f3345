import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { people } from '../../src/messages/people.ts'
import { testPayments } from '../../templates/full/payments.ts'
import { faultsOf } from '../chromium.ts'
import { listening } from '../listening.ts'
import { isLong } from '../long.ts'
import { clientOf, openShop } from '../platform/sandbox.ts'
import { visitor } from '../visitor.ts'
import { at, method, saying, shopWith } from './provider.ts'

/** Presses Tab until something of this name has the focus, and then Enter, unless it is only to be reached. */
const reachIn =
  (page: Page) =>
  async (name: string, only = false): Promise<void> => {
    const focused = 'document.activeElement.ariaLabel ?? document.activeElement.innerText'
    for (let presses = 0; presses < 60; presses++) {
      // A page that is just being loaded has nothing in focus yet.
      if ((await page.evaluate(focused).catch(() => '')) === name)
        return only ? undefined : page.keyboard.press('Enter')
      await page.keyboard.press('Tab')
    }
    throw new Error(`Tab does not reach "${name}"`)
  }

const cards = [
  { ...method, id: 'card', title: 'Card', icon: 'pin', price_incl: 0.5, price_excl: 0.41 },
  { ...method, id: 'bank', title: 'Bank', icon: 'https://icons.example/bank.png' },
]

/** A shop whose payments the provider takes without a page of its own. */
const shopWithoutPage = (status = () => 'paid') =>
  shopWith((call) => {
    if (call.path === '/payment_methods') return { body: { payment_methods: cards } }
    return call.path === '/payment' ? { body: {} } : saying(status)(call)
  })

/** A page of it, in front of a visitor. */
async function opened(path: string, options: BrowserContextOptions = {}) {
  const shop = await shopWithoutPage()
  const { page, messages } = await visitor(options)
  await page.goto(shop.sandbox.url + path)
  return { ...shop, page, messages, reach: reachIn(page) }
}

const phone = { viewport: { width: 320, height: 800 } }
const press = (page: Page, name: string) => page.getByRole('button', { name }).click()
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name })
const blocked = (messages: string[]) => messages.filter((text) => text.includes('Content Security Policy'))

test('with the keyboard alone, from the cart to the order', async () => {
  const { page, messages, reach } = await opened('')
  await reach('Checkout')
  await page.waitForURL('**/checkout/*')
  await page.getByLabel('Card').waitFor()
  await reach('Place order')
  await heading(page, 'ORD01001 is not paid yet').waitFor()
  expect(blocked(messages)).toEqual([])
})

test('cart and checkout show every value of a field and every price in full, on a phone too', async () => {
  const { sandbox } = await shopWithoutPage()
  const { page } = await visitor()
  const shown = Object.keys(people).map((name) => `/checkout?customer=${name}`)
  const widths = isLong ? [1280, 768, 390, 360, 320] : [1280, 320]
  for (const path of ['/', ...(isLong ? shown : shown.slice(0, 2))]) {
    await page.goto(sandbox.url + path)
    await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true')
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 })
      const cut = await page.evaluate<string[]>(
        `[...document.querySelectorAll('input:not([type=hidden])')]
          .filter((one) => one.scrollWidth > one.clientWidth)
          .map((one) => one.name)`,
      )
      expect([path, width, cut]).toEqual([path, width, []])
    }
  }
})

test('without JavaScript, to an order that is paid', async () => {
  const { sandbox, page } = await opened('/checkout', { javaScriptEnabled: false })
  await page.getByLabel('First name').fill('Sam')
  const total = page.locator('tfoot')
  expect(await total.textContent()).toContain('€53.68')
  await page.getByLabel('Bank').check()
  await press(page, 'Update methods')
  await total.getByText('€59.23').waitFor()
  expect(await page.getByLabel('Bank').isChecked()).toBe(true)
  await press(page, 'Place order')
  await heading(page, 'is not paid yet').waitFor()
  await page.goto(`${sandbox.url}/orders/1001/return`)
  await heading(page, 'ORD01001 is paid').waitFor()
  expect(sandbox.orders[0]?.customer.firstname).toBe('Sam')
})

test('payment methods have icon, title and price; what is chosen is in the order’s total', async () => {
  const { page } = await opened('/checkout')
  const card = page.locator('label', { hasText: 'Card' })
  expect(await card.textContent()).toMatch(/pin\s+Card\s*€0\.50/)
  expect(await page.locator('img').getAttribute('src')).toBe('https://icons.example/bank.png')
  const total = page.locator('tfoot')
  expect(await total.textContent()).toMatch(/€53\.68/)
  await page.getByLabel('Bank').check()
  expect(await total.textContent()).toMatch(/€59\.23/)
  expect(await page.locator('[data-chosen=payment]').textContent()).toMatch(/Bank.*€6\.05/)
  await press(page, 'Place order')
  await heading(page, 'ORD01001').waitFor()
  expect(await page.locator('tfoot').textContent()).toMatch(/€59\.23/)
})

test('another address asks for the methods anew before the order is placed', async () => {
  const { sandbox, asked, page } = await opened('/checkout')
  await page.getByLabel('Country').first().selectOption('be')
  await press(page, 'Place order')
  await page.getByRole('alert').waitFor()
  expect(sandbox.orders).toEqual([])
  expect(asked.at(-1)?.body.shipping_address.country).toBe('be')
  await press(page, 'Place order')
  await heading(page, 'ORD01001').waitFor()
})

test('on a phone the products of a cart, a checkout and an order are seen with their prices, without scrolling', async () => {
  const { sandbox } = await shopWithoutPage()
  const { id } = await sandbox.checkout().placeOrder()
  const { page } = await visitor(phone)
  for (const path of ['/', '/checkout', `/orders/${id}`]) {
    await page.goto(sandbox.url + path)
    const { x, width } = (await page.locator('table').boundingBox())!
    for (const row of await page.locator(':is(tbody, tfoot) tr').all()) {
      const [name, price] = [
        await row.locator('> :first-child').boundingBox(),
        await row.locator('> :last-child').boundingBox(),
      ]
      expect(Math.ceil(price!.x + price!.width), path).toBeLessThanOrEqual(Math.ceil(x + width))
      expect(Math.abs(price!.y - name!.y), path).toBeLessThan(6)
    }
    const headers = await page.getByRole('table').getByRole('columnheader').allInnerTexts()
    expect(headers).toEqual(['Product', 'Quantity', 'Weight', 'Price'])
  }
})

test('on a phone a word without a break widens no page: of a product, a shipping method and a payment method', async () => {
  const word = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen'
  const long = { ...method, title: word, description: word }
  const { sandbox } = await shopWith(({ path }) => {
    if (path === '/shipment_methods') return { body: { shipment_methods: [long] } }
    return path === '/payment_methods' ? { body: { payment_methods: [long] } } : undefined
  })
  const product = new URLSearchParams({ title: word, quantity: '1', priceExcl: '10', tax: '21' })
  await fetch(`${sandbox.url}/cart/products`, { method: 'POST', body: product })
  const { id } = await sandbox.checkout().placeOrder()
  const { page } = await visitor(phone)
  for (const path of ['/?zipcode=1016GV&country=nl', '/checkout', '/orders', `/orders/${id}`]) {
    await page.goto(sandbox.url + path)
    if (isLong) expect(await faultsOf(page, [320]), path).toEqual([])
    else expect(await page.evaluate('document.scrollingElement.scrollWidth'), path).toBeLessThanOrEqual(320)
  }
})

test('beside the invoices to the merchant, the numbers of those to customers are not broken', async () => {
  const { sandbox } = await shopWith(
    saying(() => 'paid'),
    { firstOrder: 781_968_090 },
  )
  await sandbox.returnToShop((await sandbox.checkout().placeOrder()).id)
  const { page } = await visitor({ viewport: { width: 1280, height: 800 } })
  await page.goto(`${sandbox.url}/invoices`)
  const lines = `(() => {
    const range = document.createRange()
    range.selectNode(document.querySelector('#invoices td .whole').firstChild)
    return [range.toString(), range.getClientRects().length]
  })()`
  expect(await page.evaluate(lines)).toEqual(['INV00001', 1])
})

test('the merchant registers, stops and removes a service, with the keyboard alone', async () => {
  const { sandbox, endpoint, page, messages, reach } = await opened('/services')
  await page.getByLabel('Name', { exact: true }).focus()
  await page.keyboard.type('Courier')
  await page.keyboard.press('Tab')
  await page.keyboard.type(endpoint)
  await page.keyboard.press('Enter')
  await page.getByText('Courier', { exact: true }).waitFor()
  await reach('Deactivate: Courier')
  await page.getByText('Not active').waitFor()
  await reach('Remove: Courier')
  await expect.poll(() => page.getByText('Courier', { exact: true }).count()).toBe(0)
  expect(sandbox.services).toHaveLength(2)
  expect(blocked(messages)).toEqual([])
})

test('the merchant approves a charge and is back at the app, with the keyboard alone', async () => {
  const { sandbox } = await shopWithoutPage()
  const callbackUrl = `${sandbox.url}/orders`
  const plus = { type: 'recurring', title: 'Plus', price: 9.95, callbackUrl } as const
  await clientOf(sandbox).client.appSubscriptions.create(plus)
  const { page } = await visitor()
  await page.goto(`${sandbox.url}/charges`)
  await reachIn(page)('Decide on Plus')
  await page.waitForURL('**/approval?*')
  await reachIn(page)('Approve')
  await page.waitForURL(`${callbackUrl}?app_subscription_id=1*`)
  expect(sandbox.charges[0]?.status).toBe('active')
})

test('the switches and the clock are set with the keyboard alone', async () => {
  const { sandbox, page } = await opened('/switches')
  const webhook = page.locator('select[name=webhook]')
  await webhook.focus()
  const choices = await webhook.locator('option').count()
  // Keys typed into a list only count while they follow each other quickly.
  for (let key = 0; key < choices && (await webhook.inputValue()) !== 'refused'; key++)
    await page.keyboard.press('ArrowDown')
  await Promise.all([page.waitForEvent('load'), reachIn(page)('Set the switches')])
  await expect.poll(() => sandbox.switches.find(({ name }) => name === 'webhook')?.value).toBe('refused')
  const before = sandbox.now()
  await reachIn(page)('A day forward')
  await expect.poll(() => sandbox.now() - before).toBeGreaterThan(23 * 3_600_000)
})

test('pages follow what happens without being loaded again', async () => {
  const { sandbox } = await shopWithoutPage()
  const { page, messages } = await visitor()
  await page.goto(`${sandbox.url}/orders`)
  const { id } = await sandbox.checkout().placeOrder()
  await page.getByText('Not paid', { exact: true }).waitFor()
  await sandbox.returnToShop(id)
  await page.getByText('Paid', { exact: true }).waitFor()
  sandbox.set({ webhook: 'gone' })
  await page.getByText('is answered 410').waitFor()
  await page.goto(`${sandbox.url}/switches`)
  await sandbox.advance('2h')
  await page.getByText('2 h ahead').waitFor()
  expect(messages).toEqual([])
})

test('a call is copied as a line that works in a shell', async () => {
  const { sandbox, asked } = await shopWithoutPage()
  await sandbox.checkout({ customer: { lastname: "O'Neill" } }).shipmentMethods()
  const line = await (await fetch(`${sandbox.url}/log/1/curl`)).text()
  expect(line).toMatch(/^curl -X POST 'http:\/\/127\.0\.0\.1:\d+\/e\/token\/shipment_methods'/)
  await promisify(execFile)('sh', ['-c', line.replace('curl', 'curl -s')])
  expect(asked.map(({ body }) => body.customer.lastname)).toEqual(["O'Neill", "O'Neill"])
})

test('from the cart to each end of a payment in three clicks', async () => {
  const { provider, endpoint } = await listening({ payments: testPayments })
  const sandbox = await openShop({ endpoint, services: provider.services })
  const { page } = await visitor()
  for (const [end, says] of Object.entries({
    ...{ Paid: 'is paid', Pending: 'is pending', Expired: 'has expired', Cancelled: 'was cancelled' },
  })) {
    await page.goto(sandbox.url)
    for (const name of ['Checkout', 'Place order', end])
      await page.getByRole('button', { name, exact: true }).click()
    await page.getByRole('heading', { name: says }).waitFor()
  }
})

test('a carrier fills the cart, puts mistakes right, and ends an order without a payment service, by keyboard', async () => {
  const pickup = at('/shipment_methods', { body: { shipment_methods: [{ ...method, is_pickup: true }] } })
  const { sandbox, asked } = await shopWith(pickup, { services: ['rates'] })
  const { page, messages } = await visitor({ colorScheme: 'dark' })
  const reach = reachIn(page)
  await page.goto(`${sandbox.url}/?zipcode=1016GV&country=nl`)
  await reach('Add a product')
  for (const text of ['Lamp', '0', '40', '21', '2400']) {
    await page.keyboard.press('Tab')
    await page.keyboard.type(text)
  }
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Quantity must be a whole number from 1 to 9,999.' }).waitFor()
  expect(await page.locator('#new-title').inputValue()).toBe('Lamp')
  expect(await page.locator('#new-quantity').getAttribute('aria-describedby')).toBe('new-quantity-fault')
  expect(await faultsOf(page), 'a product that was refused').toEqual([])
  await page.locator('#new-quantity').fill('2')
  await page.keyboard.press('Enter')
  await page.getByText('Edit or remove Lamp').waitFor()
  // The estimate is made anew after each change.
  expect(asked.at(-1)?.body.quote).toMatchObject({ weight: 1510 + 4800 })
  await page.getByText('Edit or remove Lamp').click()
  expect(await faultsOf(page), 'a product that is edited').toEqual([])
  await reach('Checkout', true)
  await page.getByLabel('Fill the cart with').selectOption('nothing')
  await press(page, 'Fill the cart')
  await page.getByText('The cart is empty.').waitFor()
  await page.goto(`${sandbox.url}/checkout?customer=elsewhere`)
  expect(await faultsOf(page), 'another billing address').toEqual([])
  await page.getByLabel('E-mail').fill('noor')
  await press(page, 'Place order')
  await page
    .getByRole('link', { name: 'E-mail must be an address such as noor@customer.example, or empty.' })
    .waitFor()
  expect(await faultsOf(page, [320]), 'a checkout that was refused').toEqual([])
  await page.getByLabel('E-mail').fill('')
  await press(page, 'Place order')
  await heading(page, /^Pay /).waitFor()
  expect(await faultsOf(page), 'the own payment').toEqual([])
  await reach('Paid')
  await page.getByText('The order waits for you to pick it up.').waitFor()
  expect(asked.every(({ path }) => path === '/shipment_methods')).toBe(true)
  expect(messages.filter((text) => !text.includes('status of 422'))).toEqual([])
})
