import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { pages } from '../../src/console/console.ts'
import { axeFaults } from '../chromium.ts'
import { isLong } from '../long.ts'
import { visitor } from '../visitor.ts'
import { serveHouse } from './serve.ts'

type Serving = Parameters<typeof serveHouse>[0]

async function served(options: Serving = {}) {
  const house = await serveHouse(options)
  onTestFinished(() => house.end())
  return house
}

const widths = isLong ? [1280, 768, 390, 320] : [1280, 320]

/**
 * What axe finds, and where the page scrolls sideways: with everything open, at each width, light and dark. In the short form axe looks at
 * the one of them narrow and at the other wide, by turns.
 */
async function faultsOf(page: Page, at = 0): Promise<string[]> {
  const faults: string[] = []
  await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true')
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 })
      const widest = await page.evaluate<number>('document.documentElement.scrollWidth')
      if (widest > width) faults.push(`${width} px: scrolls sideways, ${widest} px wide`)
      if (isLong || (colorScheme === 'light') === ((width === 320) === (at % 2 === 0)))
        faults.push(...(await axeFaults(page)).map((one) => `${colorScheme}, ${width} px: ${one}`))
    }
  }
  return faults
}

/** Where each page of the console lies, and what has to stand on it. */
const addressesOf = (shop: string, order: string, host: string): Record<keyof typeof pages, string> => {
  const [payment, lane] = [`/payments/${shop}/${order}`, `/webhooks/${shop}/${host}`]
  return {
    ...{ '/': '/', '/payments': '/payments', '/anomalies': '/anomalies?closed=1', '/webhooks': '/webhooks' },
    ...{ '/payments/:shop/:order': payment, '/payments/:shop/:order/raw': `${payment}/raw` },
    ...{ '/webhooks/:shop/:host': lane, '/rates': '/rates?all=1', '/rates/try': '/rates/try' },
    ...{ '/shops': '/shops', '/shops/:shop': `/shops/${shop}`, '/changes': '/changes', '/audit': '/audit' },
    '/health': '/health',
  }
}

/** Looks at each address; its status comes first. */
async function looked(page: Page, url: string, paths: readonly string[]) {
  const wrong: Record<string, string[]> = {}
  const statuses: Record<string, number | undefined> = {}
  for (const [at, path] of paths.entries()) {
    const answer = await page.goto(url + path)
    statuses[path] = answer?.status()
    const faults = await faultsOf(page, at)
    if (faults.length > 0) wrong[path] = faults
  }
  return { wrong, statuses }
}

test('every page holds at every width, light and dark, also with names of 200 characters', {
  timeout: 900_000,
}, async () => {
  const { url, house } = await served()
  const { shop, order, reference } = await house.addLong()
  const { page, messages } = await visitor()
  const usual = addressesOf('wren', '20481', 'hooks.wren.example')
  expect(Object.keys(usual).sort()).toEqual(Object.keys(pages).sort())
  const long = addressesOf(shop, order, `${'w'.repeat(60)}.example`)
  const paths = [
    ...new Set([...Object.values(usual), ...Object.values(long)]),
    ...['/webhooks/loom/hooks.loom.example', '/payments/wren/20455', '/payments/harbour/3308'],
    ...['/payments?q=BT-LOST-1', '/payments?q=60.40', `/payments?q=${reference}${reference[0]}`],
    ...['/shops/verger', '/anomalies?by=age&shop=loom', `/payments?shop=${shop}&review=1`],
  ]
  const { wrong, statuses } = await looked(page, url, paths)
  expect(Object.values(statuses).filter((status) => status !== 200)).toEqual([])
  expect(wrong).toEqual({})
  expect(messages).toEqual([])
})

test('a page without anything to show, one that is not there, and one that failed hold too', {
  timeout: 900_000,
}, async () => {
  const { url, store } = await served({ stories: false })
  const { page } = await visitor()
  const paths = Object.keys(pages).filter((path) => !path.includes(':'))
  const { wrong, statuses } = await looked(page, url, paths)
  expect(new Set(Object.values(statuses))).toEqual(new Set([200]))
  const missing = await looked(page, url, [
    '/nowhere',
    '/payments/wren/1',
    '/shops/wren',
    '/payments?q=nothing',
  ])
  expect(Object.values(missing.statuses)).toEqual([404, 404, 404, 200])
  expect({ ...wrong, ...missing.wrong }).toEqual({})
  expect(await page.getByText('No payment is named nothing.').count()).toBe(1)

  await store.close()
  const failed = await looked(page, url, ['/payments'])
  expect(failed).toEqual({ statuses: { '/payments': 503 }, wrong: {} })
  expect(await page.title()).toBe('Error: It did not work - Console console')
  expect(await page.getByRole('alert').textContent()).toContain('The SQLite file cannot be used now.')
})

test('the pages of whoever has not signed in hold, and say how to', async () => {
  const { url } = await served({ stories: false, isProduction: true })
  const { page } = await visitor()
  const paths = ['/payments/wren/20481', `/link/${'t'.repeat(43)}`, '/signed-in']
  const { wrong, statuses } = await looked(page, url, paths)
  expect(Object.values(statuses)).toEqual([401, 200, 401])
  expect(wrong).toEqual({})
  await page.goto(`${url}/`)
  expect(new URL(page.url()).pathname).toBe('/console/sign-in')
  expect(await page.locator('main').textContent()).toContain(
    'purveyor console link --name mila --role support',
  )
})

test('all pages have one stylesheet and one script, which a browser keeps for ever', async () => {
  const { url } = await served()
  const linked = new Set<string>()
  for (const path of [...Object.values(addressesOf('wren', '20481', 'hooks.wren.example')), '/nowhere']) {
    const answer = await fetch(url + path)
    expect(answer.headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self' data:; script-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    )
    const text = await answer.text()
    expect(text).not.toMatch(/<style|style="|<script(?![^>]* src=)/)
    for (const [, address] of text.matchAll(/(?:href|src)="([^"]*\/assets\/[^"]+)"/g)) linked.add(address!)
  }
  const files = await Promise.all(
    [...linked].sort().map(async (address) => {
      const answer = await fetch(new URL(address, url))
      const content = Buffer.from(await answer.arrayBuffer())
      expect(answer.headers.get('cache-control'), address).toBe('public, max-age=31536000, immutable')
      const [size, packed] = [content.length, gzipSync(content).length]
      return { name: address.replace(/\.[\w-]{16}\./, '.'), size, packed }
    }),
  )
  expect(files.map(({ name }) => name)).toEqual(['/console/assets/live.js', '/console/assets/pages.css'])
  const [script, style] = files
  expect(script!.size).toBeLessThanOrEqual(3_072)
  expect(style!.size).toBeLessThanOrEqual(26_000)
  expect(style!.packed).toBeLessThanOrEqual(6_500)
})

test('what is refused stands above the payment, and nothing was changed', async () => {
  const { url } = await served()
  const { page } = await visitor({ viewport: { width: 320, height: 800 } })
  await page.goto(`${url}/payments/wren/20481`)
  await page.getByText('More', { exact: true }).click()
  await page.getByText('Report by hand').click()
  await page.locator('#by-hand').getByLabel('Reason').fill('too short')
  await page.getByRole('button', { name: 'Report' }).click()
  const alert = page.getByRole('alert')
  expect(await alert.textContent()).toContain('Write why in 10 characters or more.')
  expect(await alert.evaluate((one) => one === one.ownerDocument.activeElement)).toBe(true)
  expect(await page.title()).toMatch(/^Error: Order 20481/)
  expect(await page.locator('#by-hand').getByLabel('Reason').inputValue()).toBe('too short')
  expect(await page.locator('#by-hand').getByLabel('Reason').isVisible()).toBe(true)
  expect(await faultsOf(page)).toEqual([])
})

test('without JavaScript, filters, pages and details work, and each page says of when it is', async () => {
  const { url } = await served({ others: 60 })
  const { page } = await visitor({ javaScriptEnabled: false, viewport: { width: 1280, height: 800 } })
  const rows = page.locator('#list tbody tr')
  await page.goto(`${url}/payments`)
  expect(await rows.count()).toBe(50)
  expect(await page.getByText(/^As of \d\d:\d\d:\d\d, load again$/).isVisible()).toBe(true)
  expect(await page.getByText('Copy').count()).toBe(0)
  await page.getByRole('link', { name: 'Older' }).click()
  expect(await rows.count()).toBe(22)
  await page.getByRole('search', { name: 'Filter payments' }).getByLabel('Shop').fill('loom')
  await page.getByRole('checkbox', { name: 'Needs review' }).check()
  await page.getByRole('button', { name: 'Filter' }).click()
  expect(await rows.count()).toBe(3)
  expect(new URL(page.url()).searchParams.get('shop')).toBe('loom')
  await page.goBack()
  expect(await rows.count()).toBe(22)

  await page.goto(`${url}/`)
  const remedy = page.getByText('Answer the dispute at the payment service')
  expect(await remedy.isVisible()).toBe(false)
  await page.getByText('What to do').nth(1).click()
  expect(await remedy.isVisible()).toBe(true)
})

test('the slash goes to the search, and Escape leaves it', async () => {
  const { url } = await served({ stories: false })
  const { page, messages } = await visitor({ viewport: { width: 1280, height: 800 } })
  await page.goto(`${url}/health`)
  const focused = () => page.evaluate<string>('document.activeElement.id')
  await page.keyboard.press('/')
  expect(await focused()).toBe('q')
  await page.keyboard.type('a/b')
  expect(await page.locator('#q').inputValue()).toBe('a/b')
  await page.keyboard.press('Escape')
  expect(await focused()).toBe('')
  expect(messages).toEqual([])
})

test('an open page shows what happens, and keeps what somebody has opened or written', async () => {
  const { url, house, clock } = await served()
  const order = { orderId: '5001', amount: '40.00', openedAt: house.now }
  const { learn } = await house.order(order)
  const { page, messages } = await visitor({ viewport: { width: 1280, height: 800 } })
  const { page: now } = await visitor({ viewport: { width: 1280, height: 800 } })
  await page.goto(`${url}/payments/wren/5001`)
  await now.goto(`${url}/`)
  const [first] = await now.locator('#needs summary').all()
  await first!.click()
  const renewed = (text: () => Promise<string | null>) =>
    expect.poll(() => {
      // The stream looks for changes once in a second of this clock.
      clock.advance(1_000)
      return text()
    })
  const note = page.locator('#payment .note')
  expect(await note.textContent()).toContain('The customer has not finished paying.')

  await learn(clock.now(), { word: 'paid', amount: '40.00', currency: 'eur', event: 'ch_5' })
  await renewed(() => note.textContent()).toContain('The order is paid.')
  expect(await page.locator('#story').textContent()).toContain('event ch_5')

  await page.getByText('More', { exact: true }).click()
  await page.getByText('Report by hand').click()
  const reason = page.locator('#by-hand').getByLabel('Reason')
  const what = page.locator('#by-hand').getByLabel('What happened')
  await what.selectOption('refunded')
  await learn(clock.now(), { word: 'charged_back', amount: '40.00', currency: 'eur', event: 'dp_5' })
  await renewed(() => page.locator('#review').textContent()).toContain('The bank took €40.00 back.')
  expect(await what.inputValue()).toBe('refunded')
  await what.selectOption('paid')
  await reason.fill('The customer sent it')
  await learn(clock.now(), { word: 'chargeback_won', amount: '40.00', currency: 'eur', event: 'dp_6' })
  await renewed(() => page.locator('#story').textContent()).toContain('event dp_6')
  expect(await reason.inputValue()).toBe('The customer sent it')
  expect(await note.textContent()).toContain('The order is paid.')
  await reason.fill('')
  await renewed(() => note.textContent()).toContain('The bank took €40.00 back.')
  expect(await reason.isVisible()).toBe(true)

  await renewed(() => now.locator('#needs').textContent()).toContain('The bank took €40.00 back (order 5001)')
  expect(await now.locator('#needs details[open]').count()).toBe(1)
  expect(messages).toEqual([])
})

test('a page that shows one moment holds no connection to the stream', async () => {
  const { url } = await served()
  const { page } = await visitor()
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.goto(`${url}/audit`)
  await page.goto(`${url}/payments?q=60.40`)
  await page.waitForLoadState('networkidle')
  expect(asked.filter((path) => !path.includes('/assets/'))).toEqual(['/console/audit', '/console/payments'])
  await Promise.all([page.waitForRequest(`${url}/live`), page.goto(`${url}/`)])
})
