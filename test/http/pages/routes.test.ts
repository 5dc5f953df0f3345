import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
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

const send = (url: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', body: new URLSearchParams(fields), headers, redirect: 'manual' })

test('every page, also one that says no, is sealed off: no script, no frame, no cache', async () => {
  const { url, origin } = await openPayment({})
  const answers = {
    page: await fetch(url),
    again: await send(url, { code: '1' }),
    refused: await send(url, { code: '1234' }, { origin: 'https://elsewhere.example' }),
    'too large': await send(url, { code: 'x'.repeat(70_000) }),
    fault: await send(url, { outcome: 'fail' }),
    'not found': await fetch(`${origin}/p/nothing`),
    done: await fetch(`${url}/done`),
  }
  expect(Object.values(answers).map(({ status }) => status)).toEqual([200, 422, 403, 413, 500, 404, 200])
  for (const [name, { headers }] of Object.entries(answers)) {
    const policy = headers.get('content-security-policy')
    expect(policy, name).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; img-src https: data:;/)
    expect(policy, name).toContain("form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
    expect(policy, name).not.toMatch(/script-src|unsafe/)
    expect(headers.get('cache-control'), name).toBe('no-store')
    expect(headers.get('referrer-policy'), name).toBe('same-origin')
    expect(headers.get('x-content-type-options'), name).toBe('nosniff')
    expect(headers.get('content-type'), name).toBe('text/html; charset=utf-8')
    expect(headers.get('x-powered-by'), name).toBeNull()
  }
})

test('what was typed into a page that failed is not repeated by it', async () => {
  const { url } = await openPayment({})
  const answer = await send(url, { code: '<script>5555', outcome: 'fail' })
  const text = await answer.text()
  expect(text).toContain('Something went wrong on our side')
  expect(text).not.toMatch(/5555|the page has a fault/)
})

test('a form that another site posts is refused, and changes nothing', async () => {
  const { url, status } = await openPayment({})
  for (const [header, value] of [
    ['origin', 'https://elsewhere.example'],
    ['origin', 'null'],
    ['sec-fetch-site', 'cross-site'],
    ['sec-fetch-site', 'same-site'],
    ['sec-fetch-site', 'none'],
  ] as const) {
    expect((await send(url, { code: '1234' }, { [header]: value })).status).toBe(403)
  }
  expect(await status()).toBe('pending')
})

test('a second click has no effect: what is paid stays paid', async () => {
  const { url, status } = await openPayment({})
  const answers = await Promise.all([send(url, { code: '1234' }), send(url, { code: '1234' })])
  for (const answer of answers) expect(answer.headers.get('location')).toBe(`${url}/done`)
  expect((await send(url, { outcome: 'cancel' })).status).toBe(303)
  expect(await status()).toBe('paid')
  expect(await (await fetch(url)).text()).toContain('http-equiv="refresh"')
})

test('the language is the order’s, then the one the browser asks for, then English', async () => {
  const title = async (url: string, asked?: string) => {
    const answer = await fetch(url, { headers: asked ? { 'accept-language': asked } : {} })
    return /<html lang="(\w\w)">.*<h1>([^<]*)</s.exec(await answer.text())?.slice(1)
  }
  const dutch = await openPayment({ language: 'nl' })
  expect(await title(dutch.url, 'de')).toEqual(['nl', 'Bestelling ORD1001 betalen'])
  const none = await openPayment({})
  expect(await title(none.url, 'da, fr-BE;q=0.9')).toEqual(['fr', 'Payer la commande ORD1001'])
  expect(await title(none.url)).toEqual(['en', 'Pay order ORD1001'])
  expect((await title(`${none.origin}/p/nothing`, 'es'))?.[0]).toBe('es')
  for (const language of ['de', 'es', 'xx']) {
    const { url } = await openPayment({ language })
    expect((await title(url))?.[0]).toBe(language === 'xx' ? 'en' : language)
  }
})
