import { expect, test } from 'vitest'
import { keptLog, listening } from '../../listening.ts'
import { checkout, payment } from '../messages.ts'
import { paymentUrl, postForm } from '../post.ts'
import { codePayments } from './provider.ts'

const polish = {
  title: 'Zapłać za zamówienie {order}',
  lookAgain: 'Sprawdź <b> & ponów',
  cancel: 'Anuluj i wróć do {shop}',
}

/** A provider whose pages have these texts, and pages of payments in these languages. */
async function withTexts(texts: Record<string, Record<string, string>>, page: object = {}) {
  const { lines, logger } = keptLog()
  const payments = { adapters: { ...codePayments, page: { ...codePayments.page!, ...page } }, texts }
  const { endpoint } = await listening({ logger, payments })
  const origin = new URL(endpoint).origin
  const urlIn = (language?: string) => {
    const order = { ...payment({ method: 'code' }).order, id: language ?? 'none' }
    const shop = { ...checkout.shop, language }
    return paymentUrl(endpoint, { ...payment({ method: 'code' }), order, shop })
  }
  const source = async (url: string, asked = 'ja') =>
    (await fetch(url, { headers: { 'accept-language': asked } })).text()
  const read = async (...asked: Parameters<typeof source>) =>
    (await source(...asked)).replaceAll(/<\/?bdi>|[\u2066\u2069]/g, '')
  return { lines, read, source, urlIn, origin }
}

test('an English text on an Arabic page keeps its full stop at its end', async () => {
  const { source, urlIn } = await withTexts({ ar: { title: 'ادفع مقابل الطلب {order}' } })
  const shown = await source(await urlIn('ar'))
  expect(shown).toContain('<html lang="ar" dir="rtl">')
  expect(shown).toContain('\u2066Test page. No money moves.\u2069')
})

test('pages are in a language of the texts of the provider, and in English where a text is missing', async () => {
  const { lines, read, urlIn, origin } = await withTexts({ pl: polish })
  const shown = await read(await urlIn('pl-PL'), 'nl')
  expect(shown).toContain('<html lang="pl" dir="ltr">')
  expect(shown).toContain('<h1>Zapłać za zamówienie ORD1001</h1>')
  expect(shown).toContain('29,34')
  const url = await urlIn()
  expect(await read(url, 'ja, pl;q=0.9, nl;q=0.8')).toContain('<h1>Zapłać za zamówienie ORD1001</h1>')
  await fetch(`${url}/cancel`, { method: 'POST' })
  expect(await read(url, 'pl')).toContain('<h1>This payment was cancelled</h1>')
  expect(await read(`${origin}/p/nothing`, 'pl')).toContain('<html lang="pl" dir="ltr">')
  const own = lines.filter(({ msg }) => msg.includes('texts'))
  expect(own).toHaveLength(1)
  expect(own[0]!.msg).toMatch(
    /^payments\.texts\.pl lacks titleWithoutNumber, .*unreadableHint: pages show the English text$/,
  )
  expect(own[0]!.msg).not.toMatch(/ title,| lookAgain,/)
})

test('a text of the provider is text, and no HTML', async () => {
  const { read, urlIn } = await withTexts({ pl: polish })
  const url = await urlIn('pl')
  await postForm(url, { outcome: 'fail' })
  expect(await read(url)).toContain('<button>Sprawdź &lt;b&gt; &amp; ponów</button>')
})

test('a language of three letters is none of those whose two it begins with', async () => {
  const { read, urlIn } = await withTexts({ fi: { title: 'Maksa tilaus {order}' } })
  expect(await read(await urlIn(), 'fil-PH, nl;q=0.5')).toContain('<html lang="nl" ')
  expect(await read(await urlIn(), 'fi-FI, nl;q=0.5')).toContain('<html lang="fi" ')
})

test('texts of a language that pages have go before those, one by one, and miss none', async () => {
  const { lines, read, urlIn } = await withTexts({ nl: { title: 'Reken {order} af' } })
  const shown = await read(await urlIn('nl'))
  expect(shown).toContain('<h1>Reken ORD1001 af</h1>')
  expect(shown).toContain('Annuleren en terug naar de winkel</button>')
  expect(lines).toEqual([])
  expect(await read(await urlIn('en'))).toContain('<h1>Order ORD1001</h1>')
})

test('a text of another provider in the process is shown by that one only', async () => {
  const [one, other] = [await withTexts({ en: { title: 'Settle {order}' } }), await withTexts({})]
  expect(await one.read(await one.urlIn('en'))).toContain('<h1>Settle ORD1001</h1>')
  expect(await other.read(await other.urlIn('en'))).toContain('<h1>Order ORD1001</h1>')
})

const leftward = ['ar', 'he', 'fa', 'ur', 'yi', 'ps']
test.each(leftward)('a page in %s is read from right to left', async (language) => {
  const { read, urlIn } = await withTexts({ [language]: {} })
  expect(await read(await urlIn(language))).toContain(`<html lang="${language}" dir="rtl">`)
})

test('an adapter has texts in any language, and they are shown on pages in it', async () => {
  const texts = { en: { hello: 'Hello {name}' }, pl: { hello: 'Witaj {name}' }, uk: { hello: 'Вітаю' } }
  const render = (view: { language: string; text: (key: string, values?: object) => string }) =>
    `${view.text('hello', { name: 'Ada' })}; ${view.text('back', { shop: 'Shop' })} (${view.language})`
  const { read, urlIn } = await withTexts({ pl: { back: 'Wróć do {shop}' } }, { texts, render })
  expect(await read(await urlIn('pl'))).toContain('Witaj Ada; Wróć do Shop (pl)')
  expect(await read(await urlIn('uk'))).toContain('Hello Ada; Back to Shop (en)')
})
