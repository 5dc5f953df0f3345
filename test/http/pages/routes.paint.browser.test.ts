import { expect, test } from 'vitest'
import { startChromium } from '../../chromium.ts'
import { postForm } from '../post.ts'
import { openPayment } from './provider.ts'

const most = 16_000

test('the first paint of a page without scripts takes one request and at most 16 KB', async () => {
  const browser = await startChromium()
  // Side by side: most of it is waiting for requests that do not come.
  const look = async (language: string) => {
    const form = await openPayment({ language })
    const wrong = await openPayment({ language })
    const unsure = await openPayment({ language })
    const cancelled = await openPayment({ language })
    await postForm(wrong.url, { code: 'wrong' })
    await postForm(unsure.url, { outcome: 'fail' })
    await postForm(cancelled.url, { outcome: 'cancel' })
    const context = await browser.newContext()
    for (const { url } of [form, wrong, unsure, cancelled]) {
      const page = await context.newPage()
      const asked: string[] = []
      page.on('request', (request) => asked.push(request.url()))
      const answer = await page.goto(url)
      await page.waitForLoadState('networkidle')
      expect(asked.filter((one) => !one.startsWith('data:'))).toEqual([url])
      expect((await answer!.body()).length).toBeLessThanOrEqual(most)
      await page.close()
    }
    await context.close()
  }
  await Promise.all(['en', 'nl', 'de', 'fr', 'es'].map(look))
})
