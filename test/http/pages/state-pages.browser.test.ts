import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { html, type PageForm, type PaymentAdapter } from '../../../src/index.ts'
import { axeFaults, faultsOf, startChromium } from '../../chromium.ts'
import { folderWith } from '../../folder.ts'
import { isLong } from '../../long.ts'
import { postForm } from '../post.ts'
import { png } from './png.ts'
import { codePayments, openPayment } from './provider.ts'

/** One for all states: its process keeps what it has compiled of axe. */
let page: Page
let devtools: CDPSession

beforeAll(async () => {
  page = await (await startChromium()).newPage()
  devtools = await page.context().newCDPSession(page)
})
afterAll(() => page.close())

/** A language of the provider's own, from right to left. What it leaves out is in English. */
const arabic = {
  title: 'الطلب {order}',
  payAmount: 'ادفع {amount}',
  shop: 'المتجر',
  cancel: 'إلغاء والعودة إلى {shop}',
}
const looks = ['light', 'dark'] as const
const languages = isLong ? ['en', 'nl', 'de', 'fr', 'es', 'ar'] : ['en']
const widths = isLong ? [1280, 768, 390, 320] : [1280, 320]

interface State {
  outcome?: string
  forms?: number
  path?: string
  replaced?: true
}

/** The last path of a page in each of its states, once the customer has done this. */
const states: Record<string, State> = {
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

/** A payment whose page is in this state. The page stays where it is. */
async function openIn(
  { outcome, forms = 1, path = '', replaced }: State,
  opening: Parameters<typeof openPayment>[0],
) {
  const { url, replace } = await openPayment({ redirectUrl: 'http://127.0.0.1:9/thanks', ...opening })
  const code = outcome === 'paid' ? '1234' : '1'
  for (let more = 1; more < forms; more++) await postForm(url, { code, outcome: outcome! })
  const sent = outcome && postForm(url, { code, outcome }).catch(() => {})
  if (outcome !== 'slow') await sent
  else await expect.poll(async () => (await fetch(url)).text()).toContain('http-equiv="refresh"')
  if (replaced) await replace()
  onTestFinished(() => page.unrouteAll())
  await page.route(`${url}**`, async (route) => {
    const answer = await route.fetch()
    const text = (await answer.text()).replace(/<meta http-equiv="refresh"[^>]*>/, '')
    await route.fulfill({ response: answer, body: text })
  })
  return url + path
}

async function shoot(name: string): Promise<void> {
  if (!process.env.SHOTS) return
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 1_400 })
    await page.screenshot({ path: `${process.env.SHOTS}/${name}-${width}.png` })
  }
}

test.each(languages.flatMap((language) => Object.keys(states).map((name) => [language, name] as const)))(
  'in %s the page of a payment that is in the state %s can be used by everyone, has one thing to press, and leads to the shop',
  async (language, name) => {
    const url = await openIn(states[name]!, { language, payments: { texts: { ar: arabic } } })
    for (const colorScheme of looks) {
      await page.emulateMedia({ colorScheme })
      await page.goto(url)
      expect(await faultsOf(page, widths)).toEqual([])
      expect(await page.locator('html').getAttribute('lang')).toBe(language)
      expect(await page.locator('html').getAttribute('dir')).toBe(language === 'ar' ? 'rtl' : 'ltr')
      const way = page.locator('a[href$="/thanks"], form[action$="/cancel"] button')
      expect(await way.first().isVisible()).toBe(true)
      expect(await page.locator(':is(button, .button):not(.quiet, .link)').count()).toBe(1)
      expect(await page.getByText('127.0.0.1').count()).toBe(0)
      await shoot(`${name}-${language}-${colorScheme}`)
    }
  },
)

const word = 'Rindfleischetikettierungsueberwachungsaufgabenuebertragungsgesetzesbeispielwort80'
const longName = 'Two hundred letters of a name '.repeat(7).slice(0, 200)

const fieldsOf = (form: PageForm) =>
  form.whole({
    button: `Pay ${word}`,
    parts: [
      form.radios({
        name: 'bank',
        label: longName,
        choices: [longName, word].map((label) => ({ value: label, label })),
      }),
      form.row(
        form.field({ name: 'first', label: word, required: false }),
        form.field({ name: 'email', kind: 'email' }),
      ),
      form.hosted({ name: 'card', label: word }),
      form.checkbox({ name: 'terms', label: longName }),
    ],
  })
const faults = { bank: longName, first: word, card: 'hostedMissing', terms: 'invalid', email: 'required' }

const hard: PaymentAdapter = {
  ...codePayments,
  page: {
    ...codePayments.page!,
    lines: ({ money }) => [longName, word].map((title) => ({ title, amount: money('1234567.891') })),
    render: ({ form }) => html`${fieldsOf(form({ errors: faults })) as never}<p role="alert">${word}</p>`,
  },
}
const wideLogo = join(folderWith(), 'wide.png')
writeFileSync(wideLogo, png(1_000, 20))

const brand = {
  ...{ name: word.slice(0, 60), logo: wideLogo },
  ...{ accent: '#b00020', surface: '#fdf6e3', dark: { surface: '#10243a' }, radius: 24, font: 'serif' },
  ...{ support: 'help@shop.example', terms: 'https://shop.example/t', privacy: 'https://shop.example/p' },
}

test.each(['form', 'unsure'])(
  'the page %s holds long names and words, amounts of three digits, a wide logo, a brand of its own and text of twice the size',
  async (name) => {
    for (const language of ['de', 'ar']) {
      const order = { number: `${word}-1`, currency: 'kwd', price_incl: '1234567.891' }
      const payments = { adapters: hard, brand, texts: { ar: arabic } }
      const url = await openIn(states[name]!, { language, order, payments })
      for (const colorScheme of looks) {
        await page.emulateMedia({ colorScheme })
        for (const size of [16, 32]) {
          await devtools.send('Page.setFontSizes', { fontSizes: { standard: size, fixed: size } })
          await page.goto(url)
          for (const width of [1280, 768, 390, 320]) {
            await page.setViewportSize({ width, height: 800 })
            const [wide, text] = await page.evaluate<[number, string]>(
              '[document.documentElement.scrollWidth, getComputedStyle(document.documentElement).fontSize]',
            )
            expect([language, wide, text]).toEqual([language, width, `${size}px`])
          }
          if (size === 16 || isLong) expect(await axeFaults(page)).toEqual([])
          await shoot(`hard-${name}-${language}-${colorScheme}-${size}`)
        }
      }
    }
    await devtools.send('Page.setFontSizes', { fontSizes: { standard: 16, fixed: 13 } })
  },
)

test('the summary of what is wrong has the focus, and its lines lead to the fields', async () => {
  await page.goto(await openIn({}, { payments: { adapters: hard } }))
  const focused = () => page.evaluate<string>('document.activeElement.className || document.activeElement.id')
  expect(await focused()).toBe('errors')
  for (const name of ['bank', 'first', 'email', 'card', 'terms']) {
    await page.locator(`.errors a[href="#${name}"]`).click()
    expect(await focused(), name).toMatch(new RegExp(`^(?:${name}|hosted rows-1)$`))
  }
})
