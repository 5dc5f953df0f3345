// `node test/docs/screens.ts` makes the pictures of the start page anew, with the words they show.
import { writeFileSync } from 'node:fs'
import '../from-source.ts'
import type { Page } from 'playwright-core'
import { createProvider } from '../../src/index.ts'
import { createSandbox } from '../../src/sandbox/index.ts'
import { memoryStore } from '../../src/stores/memory.ts'
import { startChromium } from '../chromium.ts'
import { House } from '../console/house.ts'
import { servedConsole } from '../console/served.ts'
import { lastingStore } from '../production-store.ts'

export const screenNames = ['shop', 'payment-page', 'log', 'console', 'console-payment'] as const
type ScreenName = (typeof screenNames)[number]

export const screenFile = (name: ScreenName): URL => new URL(`../../docs/screen-${name}.jpg`, import.meta.url)
/** The words of all pictures, so that a picture is made anew where a page says something else. */
export const wordsFile = new URL('./screens.txt', import.meta.url)

/** A checkout of the template `full` from the cart to its log: each page as a picture, and what it says without its figures. */
export async function takeScreens(): Promise<Map<ScreenName, { picture: Buffer; words: string }>> {
  const { brand } = await import('../../templates/full/brand.ts')
  const { testPayments } = await import('../../templates/full/payments.ts')
  const { rates } = await import('../../templates/full/rates.ts')
  const payments = { adapters: testPayments, brand }
  const provider = createProvider({ development: true, store: lastingStore(), rates, payments })
  const { endpoint } = await provider.listen({ port: 0, host: '127.0.0.1' })
  const shop = createSandbox({ endpoint, services: ['rates', 'payments'] })
  await shop.listen()
  const context = await (await startChromium()).newContext({
    viewport: { width: 1024, height: 640 },
    locale: 'en',
  })
  const found = new Map<ScreenName, { picture: Buffer; words: string }>()
  try {
    const page = await context.newPage()
    const take = async (name: ScreenName) =>
      found.set(name, {
        picture: await page.screenshot({ type: 'jpeg', quality: 40 }),
        words: await wordsOf(page),
      })
    await page.goto(`${shop.url}/checkout`)
    await take('shop')
    await page.getByRole('button', { name: 'Place order' }).click()
    await page.getByRole('button', { name: 'Paid' }).waitFor()
    await take('payment-page')
    await page.getByRole('button', { name: 'Paid' }).click()
    await page.getByRole('heading', { name: 'is paid' }).waitFor()
    await page.goto(`${shop.url}/log`)
    await page.getByRole('link', { name: 'Webhook' }).waitFor()
    await take('log')
    await takeConsole(page, take)
    return found
  } finally {
    await context.close()
    await shop.close()
    await provider.stop()
  }
}

/** The console on a store with the stories of people who call. */
async function takeConsole(page: Page, take: (name: ScreenName) => Promise<unknown>): Promise<void> {
  const now = Date.UTC(2027, 3, 1, 14, 32, 7)
  const store = memoryStore()
  await store.open()
  await new House(store, now).fill()
  const console = await servedConsole(store, now)
  try {
    await page.goto(`${console.url}/`)
    await take('console')
    await page.goto(`${console.url}/payments/wren/20481`)
    await take('console-payment')
  } finally {
    await console.close()
  }
}

/** Each line once, without its figures and choices: how often and in which order calls come depends on the machine. */
async function wordsOf(page: Page): Promise<string> {
  const choices = new Set(await page.locator('option').allInnerTexts())
  // biome-ignore lint/performance/useDomNodeTextContent: what is shown, line by line
  const lines = (await page.locator('body').innerText()).split('\n').map((line) => line.trim())
  const said = lines.filter((line) => line !== '' && !choices.has(line))
  return [...new Set(said.map((line) => line.replaceAll(/\d[\d,.]*/g, '0')))].toSorted().join('\n')
}

export const wordsOfAll = (screens: ReadonlyMap<string, { words: string }>): string =>
  [...screens].map(([name, { words }]) => `== ${name}\n${words}\n`).join('\n')

if (process.argv[1] === import.meta.filename) {
  const screens = await takeScreens()
  for (const [name, { picture }] of screens) writeFileSync(screenFile(name), picture)
  writeFileSync(wordsFile, wordsOfAll(screens))
  process.exit()
}
