import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { visitor } from '../visitor.ts'
import { serveHouse } from './serve.ts'

/** As many as the slowest way to an answer may have: a search, a click and a filter form are one each. */
const mostSteps = 4

/** Somebody at the first page of the console, and what they can do there. */
async function asking() {
  const { page, messages } = await visitor({ viewport: { width: 1280, height: 800 } })
  await page.goto(`${url}/`)
  let steps = 0
  const step = async (act: () => Promise<unknown>) => {
    steps++
    const before = page.url()
    await act()
    await page.waitForURL((now) => now.href !== before)
  }
  return {
    page,
    search: (text: string) =>
      step(async () => {
        await page.getByLabel('Search payments').fill(text)
        await page.keyboard.press('Enter')
      }),
    click: (link: string) => step(() => page.getByRole('link', { name: link }).first().click()),
    filter: (fill: (page: Page) => Promise<unknown>) =>
      step(async () => {
        await fill(page)
        await page.getByRole('button', { name: 'Filter' }).click()
      }),
    /** What can be read on the page, as one line. */
    async says(...answers: readonly string[]) {
      const read = (await page.evaluate<string>("document.querySelector('main').innerText")).replaceAll(
        /\s+/g,
        ' ',
      )
      for (const answer of answers) expect(read).toContain(answer)
      expect(steps).toBeLessThanOrEqual(mostSteps)
      expect(messages).toEqual([])
    },
  }
}

let url: string
let end: () => Promise<void>

beforeAll(async () => {
  ;({ url, end } = await serveHouse({ others: 100_000 }))
  return () => end()
})

test('the first page says what needs a person, with the money at stake first', async () => {
  const { page, says } = await asking()
  await says('10 things need a person. €395.10 at stake. Everything else runs by itself.')
  expect(await page.locator('.queue .what').allInnerTexts()).toEqual([
    '3 orders: the customer paid after the attempt had expired or was cancelled',
    'The bank took €129.00 back (order 20481)',
    'The order was paid twice: €84.90 came on top (order 20455)',
    'loom accepts no webhook at hooks.loom.example',
    'Rate adapter express is left alone after failures',
    '1 push names no payment that is here',
    '3 pushes of cardpay could not be verified',
    'Node fra-2 is silent',
  ])
})

test('a customer says that it is paid, and the shop says pending', async () => {
  const { search, says } = await asking()
  await search('LT7710')
  await says(
    'The order is paid. The shop does not know it yet. It waits for the shop: the lane of webhooks to hooks.loom.example is closed;',
    'Webhook failed: 503 Service Unavailable',
    'Webhook to hooks.loom.example',
  )
})

test.each(['20455', 'WR-20455', '84.90'])('a customer was charged twice: %s', async (named) => {
  const { search, says } = await asking()
  await search(named)
  await says(
    'The order was paid twice: €84.90 came on top.',
    'Attempt 1 €84.90 · paid',
    'Attempt 2 €84.91 · paid',
    'Refund it with purveyor payments refund --attempt or at the payment service, then close it.',
  )
})

test('a customer asks where the refund is', async () => {
  const { search, says } = await asking()
  await search('HB-3308')
  await says(
    '€212.00 was received, €50.00 was refunded; €162.00 is left.',
    'Refund of €50.00 asked for: done',
    'Key rf-3308-1 · The customer sent one book back',
    'Refunded €50.00 By push · node node-one · event re_9',
  )
})

test('a rate was missing yesterday', async () => {
  const { click, filter, says } = await asking()
  await click('Rates')
  await filter((page) =>
    page.getByRole('search', { name: 'Filter questions' }).getByLabel('Shop').fill('verger'),
  )
  await says(
    'Checkout to France, 4.2 kg, €61.20: 1 method',
    'abroad domestic Out no row for 4.2 kg to zone FR-1: the heaviest is 3 kg',
    'express Out no answer within 2500 ms',
    '1 question',
  )
})

test('a shop hears nothing', async () => {
  const { click, says } = await asking()
  await click('loom accepts no webhook')
  await says(
    'One probe every few minutes; the first 2xx sends everything at once.',
    '503 Service Unavailable 6 order 7710',
    'Waiting 9 orders',
  )
})

test('somebody changed the tariff', async () => {
  const { click, filter, says } = await asking()
  await click('Audit trail')
  await filter((page) => page.getByLabel('Action').selectOption({ label: 'Tariffs and other files' }))
  await says('2 entries', 'tariffs/tariff-2026.csv', '41be77c09d2f', 'node-one')
})

test('money came without an order', async () => {
  const { search, says } = await asking()
  await search('BT-LOST-1')
  await says(
    'Pushes that name it',
    'bankpay push-lost-00 No payment wren',
    'no payment has the reference BT-LOST-1',
  )
})

test('a push was not verified', async () => {
  const { click, says } = await asking()
  await click('3 pushes of cardpay could not be verified')
  await says(
    'cardpay 3 calls Not verified wren',
    'the signature does not fit. Check the signing secret of the adapter',
  )
})

test('it is asked which node learned of a chargeback', async () => {
  const { page, search, click, says } = await asking()
  await search('20481')
  await says('Charged back €129.00 By push · attempt 2 · node node-one · event dp_5Xk9Ve')
  await click('Health')
  await says('fra-1 pid 1987 · node-one Works')
  expect(new URL(page.url()).pathname).toBe('/console/health')
})

test('it is asked whether we are slow or the carrier', async () => {
  const { click, says } = await asking()
  await click('Rates')
  await says(
    'express Left alone Ask it again 1155 / 2310 / 2320 ms',
    'domestic Answers 5 / 9 / 19 ms',
    'POST api.express.example No answer express: no answer within 2500 ms',
  )
})
