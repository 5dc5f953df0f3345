import { expect, test } from 'vitest'
import { faultsOf } from '../../chromium.ts'
import { visitor } from '../../visitor.ts'
import { shopWith } from '../provider.ts'

const fault = {
  message: 'Syntax error: Expression expected',
  lines: [{ file: 'rates.ts', line: 5, column: 12, text: 'const a = {,}' }],
  remedy: 'Remove the comma.',
  frames: [],
}

test.each([
  ['with JavaScript', { javaScriptEnabled: true, colorScheme: 'light' }],
  ['without JavaScript', { javaScriptEnabled: false, colorScheme: 'dark' }],
] as const)('%s, the page of a provider that broke gives way to the shop', async (_how, options) => {
  const { sandbox } = await shopWith()
  const { page } = await visitor(options)
  sandbox.setProvider({ is: 'not running', fault })
  const answer = await page.goto(sandbox.url)
  const title = expect.stringContaining('The provider is not running')
  expect([answer?.status(), await page.title()]).toEqual([503, title])
  const alert = page.getByRole('alert')
  expect(await alert.getByRole('heading').textContent()).toBe('rates.ts:5')
  expect(await alert.locator('pre').textContent()).toBe('5 | const a = {,}\n  |            ^')
  expect(await alert.textContent()).toContain('Remove the comma.')
  if (options.javaScriptEnabled) expect(await faultsOf(page)).toEqual([])

  // Another fault takes its place, then the shop.
  sandbox.setProvider({ is: 'not running', fault: { ...fault, message: 'Another fault' } })
  await page.getByText('Another fault').first().waitFor()
  sandbox.setProvider({ is: 'starting' })
  sandbox.setProvider({ is: 'running' })
  const checkout = page.getByRole('button', { name: 'Checkout' })
  await checkout
    .or(page.getByRole('link', { name: 'Checkout' }))
    .first()
    .waitFor()
  await page.getByRole('heading', { name: 'The provider is not running' }).waitFor({ state: 'detached' })
  expect(new URL(page.url()).pathname).toBe('/')
  expect(await page.getByText('The provider is not running').count()).toBe(0)
})

test('a page that was open before shows the fault with its line and remedy while it lasts', async () => {
  const { sandbox } = await shopWith()
  const order = await sandbox.checkout({ ownPayment: true }).placeOrder()
  const others = '/ /checkout /services /charges /invoices /log /scenarios /switches'.split(' ')
  const paths = [`/orders/${order.id}`, ...others]
  const pages = await Promise.all(
    paths.map(async (path) => {
      const { page } = await visitor({ viewport: { width: 320, height: 640 } })
      await page.goto(sandbox.url + path)
      return { path, page, stopped: page.locator('#fault .note.bad') }
    }),
  )
  for (const { path, stopped } of pages) expect([path, await stopped.count()]).toEqual([path, 0])
  sandbox.setProvider({ is: 'not running', fault })
  for (const { path, page, stopped } of pages) {
    await page.bringToFront()
    await stopped.waitFor()
    for (const part of ['rates.ts:5', '5 | const a = {,}', 'Remove the comma.'])
      expect([path, await stopped.textContent()]).toEqual([path, expect.stringContaining(part)])
  }
  expect(await faultsOf(pages.at(-1)!.page)).toEqual([])
  sandbox.setProvider({ is: 'running' })
  for (const { page, stopped } of pages) {
    await page.bringToFront()
    await stopped.waitFor({ state: 'detached' })
  }
})

test('the way to a payment waits for the provider, and that to one of the shop itself does not', async () => {
  const { sandbox } = await shopWith()
  const own = await sandbox.checkout({ ownPayment: true }).placeOrder()
  const other = await sandbox.checkout().placeOrder()
  sandbox.setProvider({ is: 'not running', fault })
  const statusOf = async (id: number) => (await fetch(`${sandbox.url}/orders/${id}/payment`)).status
  expect([await statusOf(own.id), await statusOf(other.id)]).toEqual([200, 503])
  sandbox.setProvider({ is: 'running' })
  expect(await statusOf(other.id)).toBe(200)
})
