import type { BrowserContextOptions } from 'playwright-core'
import { expect, test } from 'vitest'
import { visitor } from '../../visitor.ts'
import { shopWith } from '../provider.ts'

async function open(options: BrowserContextOptions = {}) {
  const opened = await visitor({ viewport: { width: 1280, height: 700 }, ...options })
  return { ...opened, rows: opened.page.locator('#calls tbody > tr[id]') }
}

/** A shop with an order, its status asked for so many times, and one call that failed. */
async function shopWithCalls(statuses: number) {
  const { sandbox } = await shopWith()
  const { id } = await sandbox.checkout().placeOrder()
  for (let times = 0; times < statuses; times++) await sandbox.fetchStatus(id)
  sandbox.set({ answers: 'dropNext' })
  await sandbox.estimate({ zipcode: '9999XX', country: 'be' })
  return sandbox
}

test('without JavaScript, filters, opened calls and pages are addresses: reload and Back work', async () => {
  const sandbox = await shopWithCalls(60)
  const { page, rows } = await open({ javaScriptEnabled: false })
  await page.goto(`${sandbox.url}/log`)
  expect(await rows.count()).toBe(50)
  expect(await page.getByText('50 of 64 calls.').count()).toBe(1)
  await page.getByRole('link', { name: 'Older calls' }).click()
  expect(await rows.count()).toBe(14)
  await page.goBack()
  const search = page.getByRole('searchbox', { name: 'Search the log' })
  await search.fill('9999xx')
  await search.press('Enter')
  await page.getByLabel('Failed only').check()
  await page.getByRole('button', { name: 'Filter' }).click()
  expect(new URL(page.url()).search).toBe('?q=9999xx&kind=&order=&failed=1')
  expect(await page.getByText('1 call of 64 with “9999xx”.').count()).toBe(1)
  expect(await rows.allInnerTexts()).toEqual([expect.stringMatching(/Estimate[\s\S]*no answer/)])
  expect(await page.locator('#call-64 + .under').textContent()).toContain('the answer was lost')
  await rows.getByRole('link').click()
  await page.reload()
  await page.getByRole('heading', { name: 'Estimate call 64' }).waitFor()
  expect(await search.inputValue()).toBe('9999xx')
  await page.getByText('Request', { exact: true }).click()
  expect(await page.locator('#sent-64 pre').textContent()).toContain('"zipcode": "9999XX"')
  expect(await page.locator('#sent-64 .copy').isVisible()).toBe(false)
  await page.getByRole('link', { name: 'Close' }).click()
  expect(await page.locator('#pane').isVisible()).toBe(false)
  expect(await rows.count()).toBe(1)
  await page.goBack()
  expect(await page.locator('#pane').isVisible()).toBe(true)
})

test('new calls appear by themselves, and neither the call that one reads nor its opened parts move', async () => {
  const sandbox = await shopWithCalls(60)
  const { page, messages, rows } = await open()
  await page.goto(`${sandbox.url}/log`)
  await sandbox.fetchStatus(1001)
  await page.getByText('50 of 65 calls.').waitFor()
  expect(await rows.first().getAttribute('id')).toBe('call-65')

  const row = page.locator('#call-40')
  await row.evaluate('document.getElementById("call-40").scrollIntoView({ block: "center" })')
  await row.getByRole('link').click()
  await page.getByRole('heading', { name: 'Payment status call 40' }).waitFor()
  await page.locator('#headers-40 summary').click()
  const place = async () => (await row.boundingBox())!.y
  const before = await place()
  expect(before).toBeGreaterThan(0)
  for (let times = 0; times < 5; times++) await sandbox.fetchStatus(1001)
  await page.locator('#call-70').waitFor({ state: 'attached' })
  expect(Math.abs((await place()) - before)).toBeLessThan(2)
  expect(await page.locator('#headers-40').getAttribute('open')).toBe('')

  await page.goBack()
  await page.locator('#pane').waitFor({ state: 'hidden' })
  expect(page.url()).toBe(`${sandbox.url}/log`)
  expect(messages).toEqual([])
})

test('with the keyboard alone, a call is opened, read and closed; the focus follows', async () => {
  const sandbox = await shopWithCalls(1)
  const { page, messages } = await open({ viewport: { width: 390, height: 700 } })
  await page.goto(`${sandbox.url}/log?order=1001`)
  const focused = () => page.evaluate<string>('document.activeElement.id')
  for (let presses = 0; presses < 40 && (await focused()) !== 'open-3'; presses++)
    await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect.poll(focused).toBe('pane')
  expect((await page.locator('#pane').boundingBox())!.y).toBeLessThan(350)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect.poll(focused).toBe('open-3')
  expect(await page.locator('#pane').isVisible()).toBe(false)
  expect(messages).toEqual([])
})

test('on a phone, the order of a call is on one line, and a long name of a service keeps its words whole', async () => {
  const sandbox = await shopWithCalls(1)
  const name = 'A carrier with a name of many words'
  sandbox.register({ type: 'shipment', name, urlEndpoint: 'http://127.0.0.1:9/' })
  await sandbox.checkout().shipmentMethods()
  const { page, rows } = await open({ viewport: { width: 320, height: 700 } })
  await page.goto(`${sandbox.url}/log`)
  const heightOf = async (column: string, text: string) =>
    (await rows.locator(`td[data-label=${column}]`, { hasText: text }).first().boundingBox())!.height
  const line = await heightOf('Order', '1001')
  expect(line).toBeLessThan(30)
  expect(await heightOf('To', name)).toBeLessThan(2 * line + 1)
})

test('a call that is sent again is compared with the first at an address of its own', async () => {
  const sandbox = await shopWithCalls(1)
  const { page } = await open()
  await page.goto(`${sandbox.url}/log/3`)
  expect(new URL(page.url()).search).toBe('?call=3')
  await page.getByText('Send it again').click()
  await page.getByRole('button', { name: 'Send call 3 again' }).click()
  await page.getByText('Both answers are the same.').waitFor()
  await page.reload()
  await page.getByText('Both answers are the same.').waitFor()
  expect(sandbox.calls).toHaveLength(6)
})
