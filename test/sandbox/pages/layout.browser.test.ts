import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { axeFaults } from '../../chromium.ts'
import { postForm } from '../../http/post.ts'
import { isLong } from '../../long.ts'
import { clientOf } from '../../platform/sandbox.ts'
import { visitor } from '../../visitor.ts'
import { method, saying, shopWith } from '../provider.ts'

const word = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenherstellerverbandsamt'
const long = `${word} ${'and a name of many words '.repeat(6)}`.slice(0, 200)

const fault = {
  message: `Syntax error: ${long}`,
  lines: [{ file: `${word}.ts`, line: 5, column: 12, text: `const ${word} = {,}` }],
  remedy: 'Remove the comma.',
  frames: ['rates.ts:5', 'provider.ts:1'],
}

/** A shop in which everything has happened that a page could show: long names, an unbroken word, a currency with three digits. */
async function busyShop() {
  let status = 'pending'
  const named = { ...method, title: long, description: word }
  const { sandbox } = await shopWith((call) => {
    if (call.path === '/shipment_methods')
      return { body: { shipment_methods: [named, { ...named, id: 'two' }] } }
    if (call.path === '/payment_methods')
      return {
        body: {
          payment_methods: [
            { ...named, icon: 'pin' },
            { ...method, id: 'two', icon: 'https://icons.example/bank.png' },
          ],
        },
      }
    return call.path === '/payment' ? { body: {} } : saying(() => status)(call)
  })
  await postForm(`${sandbox.url}/cart/shops`, { title: word, currency: 'kwd' })
  const product = { quantity: '9999', priceExcl: '12345.678', tax: '21', weight: '99999' }
  for (const title of [long, word]) await postForm(`${sandbox.url}/cart/products`, { ...product, title })
  for (const end of ['paid', 'pending', 'cancelled', 'expired']) {
    status = end
    await sandbox.returnToShop((await sandbox.checkout().placeOrder()).id)
  }
  const { client } = clientOf(sandbox)
  const charge = { type: 'recurring', price: '9.95', callbackUrl: `${sandbox.url}/nowhere` } as const
  for (const title of [word, 'Pro']) await client.appSubscriptions.create({ ...charge, title })
  sandbox.decide(1, 'approve')
  sandbox.decide(2, 'decline')
  await sandbox.advance('1month')
  await client.appSubscriptions.create({ ...charge, title: 'Team' })
  sandbox.register({
    type: 'shipment',
    name: long.slice(0, 100),
    urlEndpoint: `https://provider.example/e/${word}`,
  })
  sandbox.set({ webhook: 'gone', noData: 'null', customer: 'returnsTwice' })
  await sandbox.run('paid', { patience: 10, choose: async () => {} })
  return sandbox
}

/** What axe finds, and where a page scrolls sideways: at each width, in each colour, with text of twice the size. */
async function faultsOf(page: Page, at: number): Promise<string[]> {
  const faults: string[] = []
  await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true')
  const colours = isLong ? (['light', 'dark'] as const) : ([at % 2 === 0 ? 'light' : 'dark'] as const)
  for (const colorScheme of colours) {
    await page.emulateMedia({ colorScheme })
    for (const width of [1280, 768, 390, 320]) {
      await page.setViewportSize({ width, height: 800 })
      for (const size of ['100%', '200%']) {
        const widest = await page.evaluate<number>(
          `document.documentElement.style.fontSize = '${size}', document.documentElement.scrollWidth`,
        )
        if (widest > width) faults.push(`${width} px, text of ${size}: scrolls sideways, ${widest} px wide`)
      }
      await page.evaluate(`document.documentElement.style.fontSize = ''`)
      // In the short form each page is looked at once, narrow and wide by turns.
      if (isLong || width === (at % 4 < 2 ? 320 : 1280))
        faults.push(...(await axeFaults(page)).map((one) => `${colorScheme}, ${width} px: ${one}`))
    }
  }
  return faults
}

test('every page holds at every width, light and dark, with long names and with large text', {
  timeout: 900_000,
}, async () => {
  const sandbox = await busyShop()
  const { page } = await visitor()
  const waiting = sandbox.charges.at(-1)!
  const paths = [
    ...'/ /?zipcode=1016GV&country=nl /?country=mars /checkout /orders /orders/1001 /orders/1002 /orders/1003'.split(
      ' ',
    ),
    ...'/services /charges /invoices /log /log?order=1001 /log?call=1 /log?failed=1&q=nothing'.split(' '),
    ...'/scenarios /switches /orders/99'.split(' '),
    `/charges/${waiting.id}/approval?token=${waiting.token}`,
  ]
  const wrong: Record<string, string[]> = {}
  let at = 0
  const look = async (what: string) => {
    const faults = await faultsOf(page, at++)
    if (faults.length > 0) wrong[what] = faults
  }
  for (const path of paths) {
    await page.goto(sandbox.url + path)
    await look(path)
  }
  await page.goto(`${sandbox.url}/services`)
  await page.getByLabel('Name', { exact: true }).fill('Far')
  await page.getByLabel('urlEndpoint').fill('http://provider.example/')
  await page.getByRole('button', { name: 'Register' }).click()
  expect(await page.getByRole('alert').textContent()).toContain('must use https')
  await look('a service that was refused')
  await page.goto((await fetch(`${sandbox.url}/log/1/again`, { method: 'POST' })).url)
  await look('a call that was sent again')
  await page.goto(`${sandbox.url}/scenarios`)
  await page.getByRole('button', { name: 'Run: The customer pays and returns' }).click()
  await page.getByText('1 skipped').waitFor()
  await look('scenarios that were run')
  sandbox.setProvider({ is: 'not running', fault })
  for (const path of ['/', '/orders']) {
    await page.goto(sandbox.url + path)
    await look(`${path} beside a provider that does not run`)
  }
  expect(wrong).toEqual({})
})

test('a page without entries says what makes the first one', async () => {
  const { sandbox } = await shopWith(undefined, { services: [] })
  const { page } = await visitor()
  const wrong: Record<string, string[]> = {}
  for (const [at, [path, way]] of Object.entries({
    '/orders': '/checkout',
    '/charges': '/services',
    '/invoices': '/checkout',
    '/log': '/checkout',
    '/log?scenario=paid': '/scenarios',
    '/scenarios?failed=1': '/scenarios',
  }).entries()) {
    await page.goto(sandbox.url + path)
    expect(await page.locator(`.empty a[href="${way}"]`).count(), path).toBe(1)
    const faults = await faultsOf(page, at)
    if (faults.length > 0) wrong[path] = faults
  }
  expect(wrong).toEqual({})
})

test('all pages have one stylesheet and one script, which a browser keeps for ever', async () => {
  const { sandbox } = await shopWith()
  const linked = new Set<string>()
  for (const path of '/ /checkout /orders /services /log /switches /nowhere'.split(' ')) {
    const answer = await fetch(sandbox.url + path)
    const text = await answer.text()
    const policy = answer.headers.get('content-security-policy')!
    expect(policy).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self' data: https:; script-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    )
    expect(text).not.toMatch(/<style|style="|<script(?![^>]* src=)/)
    for (const [, address] of text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)) linked.add(address!)
  }
  const files = await Promise.all(
    [...linked].sort().map(async (address) => {
      const answer = await fetch(sandbox.url + address)
      const content = Buffer.from(await answer.arrayBuffer())
      expect(answer.headers.get('cache-control'), address).toBe('public, max-age=31536000, immutable')
      return {
        name: address.replace(/\.\w{16}\./, '.'),
        size: content.length,
        packed: gzipSync(content).length,
      }
    }),
  )
  expect(files.map(({ name }) => name)).toEqual(['/assets/live.js', '/assets/pages.css', '/assets/total.js'])
  const [script, style] = files
  expect(script!.size).toBeLessThanOrEqual(3_072)
  expect(style!.size).toBeLessThanOrEqual(26 * 1024)
  expect(style!.packed).toBeLessThanOrEqual(6.5 * 1024)
  expect((await fetch(`${sandbox.url}/assets/pages.0000.css`)).status).toBe(404)
})

test('Place order is in sight without scrolling, on a screen and on a phone', async () => {
  const { sandbox } = await shopWith()
  const { page } = await visitor()
  for (const [width, height] of [
    [1280, 900],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.goto(`${sandbox.url}/checkout`)
    const box = (await page.getByRole('button', { name: 'Place order' }).boundingBox())!
    expect([width, box.y > 0 && box.y + box.height <= height]).toEqual([width, true])
  }
})

test('the slash goes to the search, Escape leaves it, and a copy button copies what is beside it', async () => {
  const { sandbox } = await shopWith()
  await sandbox.estimate({ zipcode: '1012LG', country: 'nl' })
  const { page, context, messages } = await visitor({ viewport: { width: 1280, height: 800 } })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(`${sandbox.url}/log?call=1`)
  const focused = () => page.evaluate<string>('document.activeElement.id')
  await page.keyboard.press('/')
  expect(await focused()).toBe('q')
  await page.keyboard.type('a/b')
  expect(await page.locator('#q').inputValue()).toBe('a/b')
  await page.keyboard.press('Escape')
  expect(await focused()).toBe('')
  await page.getByText('Request', { exact: true }).click()
  await page.locator('#sent-1 .copy').click()
  await page.getByText('Copied').waitFor()
  const copied = await page.evaluate<string>('navigator.clipboard.readText()')
  expect(JSON.parse(copied)).toMatchObject({ rate_estimate: true })
  expect(messages).toEqual([])
})
