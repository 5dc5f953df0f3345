import { expect, test } from 'vitest'
import { createProvider, memoryStore, type PaymentAdapter } from '../../src/index.ts'
import { codePayments } from '../http/pages/provider.ts'

const make = (payments: object) => () =>
  createProvider({ store: memoryStore(), development: true, payments: payments as PaymentAdapter })
const made = (over: object) => make({ ...codePayments, ...over })
const withPage = (over: object) => made({ page: { ...codePayments.page, ...over } })
const withTexts = (texts: unknown) => make({ adapters: codePayments, texts })
const read = () => undefined
const verify = () => true
const status = () => ({ status: 'open' as const })

test.each([
  [{ read, confirm: 'status' }, '.confirm of "code" needs status()'],
  [5, ' of "code" must be an object'],
  [{ read }, ' of "code" needs verify()'],
  [{ verify }, '.read of "code" is missing'],
])('the return %o is refused at the start', (returned, words) => {
  expect(made({ returned })).toThrow(`returned${words}`)
})

const here = import.meta.filename
const nowhere = `which is not there: paths begin at ${process.cwd()}, the working directory`
test.each<[object, string]>([
  [{ lines: 5 }, 'lines of "code" must be a function'],
  [{ texts: 5 }, 'texts of "code" must be an object of languages'],
  [{ texts: [] }, 'texts of "code" must be an object of languages'],
  [{ texts: null }, 'texts of "code" must be an object of languages'],
  [{ texts: { en: 'x' } }, 'texts.en of "code" must be an object'],
  [{ texts: { en: { a: 1 } } }, 'texts.en.a of "code" must be text'],
  [{ texts: { english: { a: 'x' } } }, 'texts.english of "code" must be a language such as pl'],
  [{ assets: 'nowhere' }, `assets of "code" names nowhere, ${nowhere}`],
  [{ assets: here }, `assets of "code" names ${here}, which is a file: name a folder`],
])('a page with %j is refused at the start', (over, words) => {
  expect(withPage(over)).toThrow(`page.${words}`)
})

const placeholders = '.back cannot be filled in: write its placeholders as in "Back to {shop}"'
const unfilled = ['Wróć do {shop', 'Wróć do {sklep}', 'Wróć do { toString }', 'Wróć {shop, date}']
type Refused = [language: string, texts: object, words: string]
test.each<Refused>([
  ...['PL', 'pl-PL', 'xx', 'pol'].map((one): Refused => [one, {}, ' must be a language such as pl']),
  ['pl', { back: 1 }, '.back must be text'],
  ['pl', { backk: 'Wróć' }, '.backk is not ours: did you mean back?'],
  ['pl', { constructor: 'Wróć' }, '.constructor is not ours'],
  ...[...unfilled, "Torna all'{shop}", '{shop, plural}'].map(
    (back): Refused => ['pl', { back }, placeholders],
  ),
])('texts of the provider in %s are refused at the start: %j', (language, texts, words) => {
  expect(withTexts({ [language]: texts })).toThrow(`payments.texts.${language}${words}`)
})

test('texts of the provider that are a list are refused at the start', () => {
  expect(withTexts([])).toThrow('payments.texts must be an object of languages')
})

test('a return that is verified or confirmed is taken', () => {
  expect(made({ returned: { read, verify } })).not.toThrow()
  expect(made({ returned: { read, confirm: 'status' }, status })).not.toThrow()
  expect(withPage({ texts: { en: { a: 'A' }, nl: {} }, lines: () => [] })).not.toThrow()
  expect(withPage({ texts: { pl: { a: '{anything' } } })).not.toThrow()
  expect(withTexts({ pl: { back: 'Wróć', title: '{order}: zapłać' }, en: {} })).not.toThrow()
})
