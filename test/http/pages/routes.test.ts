import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { postForm } from '../post.ts'
import { openPayment } from './provider.ts'

const texts = new URL('../../../src/http/pages/texts/', import.meta.url)
const load = (file: string): Record<string, string> => JSON.parse(readFileSync(new URL(file, texts), 'utf8'))
const files = readdirSync(texts)

test('there are pages in English, Dutch, German, French and Spanish', () => {
  expect(files.sort()).toEqual(['de.json', 'en.json', 'es.json', 'fr.json', 'nl.json'])
})

test.each(files)('%s has every text, with the same values to fill in', (file) => {
  const [own, english] = [load(file), load('en.json')]
  expect(Object.keys(own)).toEqual(Object.keys(english))
  const toFillIn = (text: string) => text.match(/\{\w+/g) ?? []
  for (const [key, text] of Object.entries(own)) {
    expect(text.trim()).not.toBe('')
    expect(toFillIn(text)).toEqual(toFillIn(english[key]!))
  }
})

/** Where the answer to a form leads. */
const sent = async (...form: Parameters<typeof postForm>) => (await postForm(...form)).headers.get('location')
const sendAndFollow = async (url: string, fields: Record<string, string>) => fetch((await sent(url, fields))!)
const textOf = async (url: string) => (await fetch(url)).text()

test('every page, also one that says no, is sealed off: no script, no frame, no cache', async () => {
  const { url, origin } = await openPayment({})
  const answers = {
    page: await fetch(url),
    again: await sendAndFollow(url, { code: '1' }),
    refused: await postForm(url, { code: '1234' }, { origin: 'https://elsewhere.example' }),
    'too large': await postForm(url, { code: 'x'.repeat(70_000) }),
    unsure: await sendAndFollow(url, { outcome: 'fail' }),
    'not found': await fetch(`${origin}/p/nothing`),
    done: await fetch(`${url}/done`),
    onward: await sendAndFollow((await openPayment({})).url, { outcome: 'bank' }),
  }
  expect(Object.values(answers).map(({ status }) => status)).toEqual([200, 200, 403, 413, 200, 404, 200, 200])
  for (const [name, { headers }] of Object.entries(answers)) {
    const policy = headers.get('content-security-policy')
    expect(policy, name).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; img-src 'self' data:;/)
    expect(policy, name).toContain("form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
    expect(policy, name).not.toMatch(/script-src|unsafe/)
    expect(Object.fromEntries(headers), name).toMatchObject({
      ...{ 'cache-control': 'no-store', 'referrer-policy': 'same-origin' },
      ...{ 'x-content-type-options': 'nosniff', 'content-type': 'text/html; charset=utf-8' },
    })
    expect(headers.get('x-powered-by'), name).toBeNull()
  }
})

test('a form whose code throws may have moved money: the page says not to pay again, and takes no other form', async () => {
  const { url, status } = await openPayment({})
  const text = await (await sendAndFollow(url, { code: '<script>5555', outcome: 'fail' })).text()
  for (const words of ['We could not confirm your payment yet', 'Please do not pay again', 'ORD1001'])
    expect(text).toContain(words)
  expect(text).not.toMatch(/5555|the page has a fault|name="code"/)
  expect(await sent(url, { code: '1234' })).toBe(url)
  expect((await fetch(`${url}/done`, { redirect: 'manual' })).headers.get('location')).toBe(url)
  expect(await status()).toBe('pending')
  // This adapter cannot be asked, so looking again changes nothing, and neither does turning back.
  for (const way of ['look', 'cancel']) expect((await sendAndFollow(`${url}/${way}`, {})).url).toBe(url)
  expect(await textOf(url)).toContain('We could not confirm your payment yet')
})

test('a form with a fault is shown again at the address of the page: a reload repeats nothing', async () => {
  const { url } = await openPayment({})
  expect(await textOf(url)).toContain('<title>Pay \u2068€29.34\u2069</title>')
  const answer = await postForm(url, { code: '9' })
  expect([answer.status, answer.headers.get('location')]).toEqual([303, url])
  for (let reload = 0; reload < 2; reload++) {
    const text = await textOf(url)
    expect(text).toContain('Wrong code')
    expect(text).toContain('<title>Error: Pay \u2068€29.34\u2069</title>')
  }
  expect(await sent(url, { code: '1234' })).toBe(`${url}/done`)
})

test('on the way to a bank the page leads there, and on the way back it says where to go on', async () => {
  const { url, status } = await openPayment({})
  const answer = await postForm(url, { outcome: 'bank' })
  expect([answer.status, answer.headers.get('location')]).toEqual([303, `${url}/go`])
  const acs = 'https://bank.example/acs?a=1&amp;b=2'
  expect(await textOf(`${url}/go`)).toContain(`<meta http-equiv="refresh" content="0; url=${acs}">`)
  const back = await textOf(url)
  expect(back).toContain('You have not finished at your bank')
  expect(back).toContain(`href="${acs}"`)
  // This service cannot be asked whether the customer has paid there: a second payment is not offered beside the first.
  expect(back).not.toContain('/again')
  expect(await sent(`${url}/again`, {})).toBe(url)
  expect(await textOf(url)).toContain('You have not finished at your bank')
  const left = await (await sendAndFollow(`${url}/cancel`, {})).text()
  expect(left).toContain('If you have confirmed this payment at your bank,')
  expect(left).toMatch(/http-equiv="refresh" content="0; url=http/)
  expect(await status()).toBe('pending')
})

test('a customer who turns back cancels the payment, once, and goes to the shop', async () => {
  const { url, status } = await openPayment({})
  const elsewhere = { origin: 'https://elsewhere.example' }
  for (const way of ['look', 'again', 'cancel'])
    expect((await postForm(`${url}/${way}`, {}, elsewhere)).status).toBe(403)
  expect(await status()).toBe('pending')
  expect(await sent(`${url}/cancel`, {})).toBe(`${url}/done`)
  expect(await status()).toBe('cancelled')
  expect(await textOf(url)).toContain('This payment was cancelled')
  expect(await sent(url, { code: '1234' })).toBe(`${url}/done`)
  expect(await status()).toBe('cancelled')
})

test('a form that another site posts is refused, and changes nothing', async () => {
  const { url, status } = await openPayment({})
  const origins = ['https://elsewhere.example', 'null'].map((origin) => ({ origin }))
  const sites = ['cross-site', 'same-site', 'none'].map((site) => ({ 'sec-fetch-site': site }))
  for (const header of [...origins, ...sites])
    expect((await postForm(url, { code: '1234' }, { ...header })).status).toBe(403)
  expect(await status()).toBe('pending')
})

test('a second click has no effect: what is paid stays paid', async () => {
  const { url, status } = await openPayment({})
  const both = await Promise.all([sent(url, { code: '1234' }), sent(url, { code: '1234' })])
  expect(both).toEqual([`${url}/done`, `${url}/done`])
  expect((await postForm(url, { outcome: 'cancel' })).status).toBe(303)
  expect(await status()).toBe('paid')
  const text = await textOf(url)
  expect(text).toContain('Your payment has been received')
  expect(text).not.toContain('http-equiv="refresh"')
  expect(await textOf(`${url}/done`)).toContain('http-equiv="refresh"')
})

test('the language is the order’s, then the one the browser asks for, then English', async () => {
  const title = async (url: string, asked?: string) => {
    const answer = await fetch(url, { headers: asked ? { 'accept-language': asked } : {} })
    const text = (await answer.text()).replaceAll(/<\/?bdi>/g, '')
    return /<html lang="(\w\w)" .*<h1>([^<]*)</s.exec(text)?.slice(1)
  }
  const dutch = await openPayment({ language: 'nl' })
  expect(await title(dutch.url, 'de')).toEqual(['nl', 'Bestelling ORD1001'])
  const none = await openPayment({})
  expect(await title(none.url, 'da, fr-BE;q=0.9')).toEqual(['fr', 'Commande ORD1001'])
  expect((await title(none.url, 'fr;q=0, de;q=0.2, nl;q=0.9'))?.[0]).toBe('nl')
  expect(await title(none.url)).toEqual(['en', 'Order ORD1001'])
  expect((await title(`${none.origin}/p/nothing`, 'es'))?.[0]).toBe('es')
  for (const language of ['de', 'es', 'xx']) {
    const { url } = await openPayment({ language })
    expect((await title(url))?.[0]).toBe(language === 'xx' ? 'en' : language)
  }
})

test('a form that is too large, or of another kind, is named as that, and leads to the page again', async () => {
  const { url } = await openPayment({})
  const large = await (await postForm(url, { code: 'x'.repeat(70_000) })).text()
  expect(large).toContain('This form is too large')
  const headers = { 'content-type': 'application/json' }
  const other = await (await fetch(url, { method: 'POST', headers, body: '{}' })).text()
  expect(other).toContain('This form could not be read')
  for (const text of [large, other]) {
    expect(text).toContain(`href="${url}"`)
    expect(text).not.toContain('not sent from this page')
  }
})

test('of a field that is sent twice the last value counts', async () => {
  const { url, status } = await openPayment({})
  const body = new URLSearchParams('code=1&code=1234')
  await fetch(url, { method: 'POST', body, redirect: 'manual' })
  expect(await status()).toBe('paid')
})

test('every address below a page answers with a page, and leads on', async () => {
  const { url } = await openPayment({})
  for (const way of ['cancel', 'look', 'again'])
    expect((await fetch(`${url}/${way}`, { redirect: 'manual' })).headers.get('location')).toBe(url)
  for (const path of [`${url}/nothing`, `${url}/return/more`]) {
    const answer = await fetch(path)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    expect(await answer.text()).toContain(`href="${url}"`)
  }
})

test('while the store is away after a form, nobody reads that they may pay again', async () => {
  const { url, store } = await openPayment({})
  Object.assign(store, { leasePage: () => Promise.reject(new Error('away')) })
  const answer = await postForm(url, { code: '1234' })
  expect(answer.status).toBe(500)
  const text = await answer.text()
  for (const words of ['Please do not pay again', 'ORD1001']) expect(text).toContain(words)
})

test('the form of an older page is not handled again: a late second click, or another tab, leads where the first one led', async () => {
  const { url, status } = await openPayment({})
  const numberOf = async () => /name="purveyor-form" value="(\d+)"/.exec(await textOf(url))![1]!
  const first = await numberOf()
  await postForm(url, { code: '9', 'purveyor-form': first })
  expect(await sent(url, { code: '1234', 'purveyor-form': first })).toBe(url)
  expect(await status()).toBe('pending')
  const second = { outcome: 'bank', 'purveyor-form': await numberOf() }
  await postForm(url, second)
  expect(await sent(url, second)).toBe(`${url}/go`)
})

test('a form that is not UTF-8 is unreadable, and a browser that hides where it comes from may pay', async () => {
  const { url, status } = await openPayment({})
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const odd = await fetch(url, { method: 'POST', headers, body: 'code=%FF1234' })
  expect(odd.status).toBe(400)
  expect(await odd.text()).toContain('This form could not be read')
  await postForm(url, { code: '1234' }, { origin: 'null', 'sec-fetch-site': 'same-origin' })
  expect(await status()).toBe('paid')
})

test('OPTIONS gets the methods of a page, and below it the answer to an unknown address', async () => {
  const { url } = await openPayment({})
  const options = async (address: string) => {
    const { status, headers } = await fetch(address, { method: 'OPTIONS' })
    return [status, headers.get('allow')]
  }
  expect(await options(url)).toEqual([200, 'GET, HEAD, POST'])
  for (const path of ['/return', '/cancel', '/look', '/nothing'])
    expect([path, ...(await options(`${url}${path}`))]).toEqual([path, 404, null])
})
