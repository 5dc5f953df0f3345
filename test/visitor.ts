import type { BrowserContextOptions } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { startChromium } from './chromium.ts'

/** A browser of its own, with what its console says, until the end of the test: another customer, or another device. */
export async function visitor(options: BrowserContextOptions = {}) {
  const context = await (await startChromium()).newContext(options)
  onTestFinished(() => context.close())
  context.setDefaultTimeout(300_000)
  const page = await context.newPage()
  const messages: string[] = []
  page.on('console', (message) => messages.push(message.text()))
  return { context, page, messages }
}
