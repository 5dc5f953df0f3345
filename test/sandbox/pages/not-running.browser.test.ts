import type { Browser, BrowserContextOptions } from 'playwright-core'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { faultsOf, startChromium } from '../../chromium.ts'
import { shopWith } from '../provider.ts'

let browser: Browser

beforeAll(async () => {
  browser = await startChromium()
})

async function open(options: BrowserContextOptions) {
  const context = await browser.newContext(options)
  onTestFinished(() => context.close())
  context.setDefaultTimeout(60_000)
  return context.newPage()
}

const fault = {
  message: 'Syntax error: Expression expected',
  lines: [{ file: 'rates.ts', line: 5, column: 12, text: 'const a = {,}' }],
  remedy: 'Remove the comma.',
  frames: [],
}

test.each([
  ['with JavaScript', { javaScriptEnabled: true, colorScheme: 'light' }],
  ['without JavaScript', { javaScriptEnabled: false, colorScheme: 'dark' }],
] as const)(
  '%s, the page of a provider that broke gives way to the shop by itself',
  async (_how, options) => {
    const { sandbox } = await shopWith(() => undefined)
    const page = await open(options)
    sandbox.setProvider({ is: 'not running', fault })
    const answer = await page.goto(sandbox.url)
    expect([answer?.status(), await page.title()]).toEqual([
      503,
      expect.stringContaining('The provider is not running'),
    ])
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
    await page
      .getByRole('button', { name: 'Checkout' })
      .or(page.getByRole('link', { name: 'Checkout' }))
      .first()
      .waitFor()
    await page.getByRole('heading', { name: 'The provider is not running' }).waitFor({ state: 'detached' })
    expect(new URL(page.url()).pathname).toBe('/')
    expect(await page.getByText('The provider is not running').count()).toBe(0)
  },
)

test('on every other page the bar names the fault while it lasts', async () => {
  const { sandbox } = await shopWith(() => undefined)
  const page = await open({})
  await page.goto(`${sandbox.url}/switches`)
  const stopped = page.locator('#state .stopped')
  expect(await stopped.count()).toBe(0)
  sandbox.setProvider({ is: 'not running', fault })
  await stopped.waitFor()
  expect(await stopped.textContent()).toContain('rates.ts:5')
  sandbox.setProvider({ is: 'running' })
  await stopped.waitFor({ state: 'detached' })
})
