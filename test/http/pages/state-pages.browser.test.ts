import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { faultsOf, startChromium } from '../../chromium.ts'
import { isLong } from '../../long.ts'
import { postForm } from '../post.ts'
import { openPayment } from './provider.ts'

/** One for all states: its process keeps what it has compiled of axe. */
let page: Page

beforeAll(async () => {
  page = await (await startChromium()).newPage()
})
afterAll(() => page.close())

const looks = isLong ? (['light', 'dark'] as const) : (['light'] as const)
const languages = isLong ? ['en', 'nl', 'de', 'fr', 'es'] : ['en']

/** The last path of a page in each of its states, once the customer has done this. */
const states: Record<string, { outcome?: string; forms?: number; path?: string; replaced?: true }> = {
  form: {},
  again: { outcome: 'wrong' },
  paused: { outcome: 'wrong', forms: 6 },
  handling: { outcome: 'slow' },
  onward: { outcome: 'bank', path: '/go' },
  unfinished: { outcome: 'bank' },
  left: { outcome: 'bank', path: '/done' },
  unsure: { outcome: 'fail' },
  paid: { outcome: 'paid' },
  pending: { outcome: 'pending' },
  expired: { outcome: 'expired', path: '/done' },
  cancelled: { outcome: 'cancel' },
  replaced: { replaced: true },
}

test.each(languages.flatMap((language) => Object.keys(states).map((name) => [language, name] as const)))(
  'in %s the page of a payment that is in the state %s can be used by everyone, and leads to the shop',
  async (language, name) => {
    const { outcome, forms = 1, path = '', replaced } = states[name]!
    const { url, replace } = await openPayment({ redirectUrl: 'http://127.0.0.1:9/thanks', language })
    const code = outcome === 'paid' ? '1234' : '1'
    for (let more = 1; more < forms; more++) await postForm(url, { code, outcome: outcome! })
    const sent = outcome && postForm(url, { code, outcome }).catch(() => {})
    if (name !== 'handling') await sent
    else await expect.poll(async () => (await fetch(url)).text()).toContain('http-equiv="refresh"')
    if (replaced) await replace()
    // The page stays where it is.
    onTestFinished(() => page.unrouteAll())
    await page.route(`${url}**`, async (route) => {
      const answer = await route.fetch()
      const text = (await answer.text()).replace(/<meta http-equiv="refresh"[^>]*>/, '')
      await route.fulfill({ response: answer, body: text })
    })
    for (const colorScheme of looks) {
      await page.emulateMedia({ colorScheme })
      await page.goto(url + path)
      expect(await faultsOf(page)).toEqual([])
      expect(await page.locator('html').getAttribute('lang')).toBe(language)
      const way = page.locator('a[href$="/thanks"], form[action$="/cancel"] button')
      expect(await way.first().isVisible()).toBe(true)
      if (process.env.SHOTS)
        for (const width of [390, 1280]) {
          await page.setViewportSize({ width, height: 800 })
          await page.screenshot({
            path: `${process.env.SHOTS}/${name}-${language}-${colorScheme}-${width}.png`,
          })
        }
    }
  },
)
