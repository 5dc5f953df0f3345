import { expect, test } from 'vitest'
import { createProvider, memoryStore, type PaymentAdapter } from '../../src/index.ts'
import { codePayments } from '../http/pages/provider.ts'

const made = (over: object) => () =>
  createProvider({
    store: memoryStore(),
    development: true,
    payments: { ...codePayments, ...over } as PaymentAdapter,
  })
const withPage = (over: object) => made({ page: { ...codePayments.page, ...over } })
const withTexts = (texts: unknown) => () =>
  createProvider({
    store: memoryStore(),
    development: true,
    payments: { adapters: codePayments, texts: texts as never },
  })
const read = () => undefined
const status = () => ({ status: 'open' as const })

test.each<[string, () => unknown, string]>([
  ['a return that is not an object', made({ returned: 5 }), 'returned of "code" must be an object'],
  ['a return without a check', made({ returned: { read } }), 'returned of "code" needs verify()'],
  [
    'a return that nobody confirms',
    made({ returned: { read, confirm: 'status' } }),
    'returned of "code" confirms by status(), and has no status()',
  ],
  [
    'a return without a reader',
    made({ returned: { verify: () => true } }),
    'returned of "code" has no read()',
  ],
  ['lines that are no function', withPage({ lines: 5 }), 'page.lines of "code" must be a function'],
  ['texts that are a number', withPage({ texts: 5 }), 'page.texts of "code" must be an object of languages'],
  ['texts that are a list', withPage({ texts: [] }), 'page.texts of "code" must be an object of languages'],
  [
    'texts that are nothing',
    withPage({ texts: null }),
    'page.texts of "code" must be an object of languages',
  ],
  ['a language that is text', withPage({ texts: { en: 'x' } }), 'page.texts.en of "code" must be an object'],
  ['a text that is none', withPage({ texts: { en: { a: 1 } } }), 'page.texts.en.a of "code" must be text'],
  [
    'a language that is none',
    withPage({ texts: { english: { a: 'x' } } }),
    'page.texts.english of "code" must be a language such as pl',
  ],
  ['texts of the provider that are a list', withTexts([]), 'payments.texts must be an object of languages'],
  [
    'a text of the provider that is none',
    withTexts({ pl: { back: 1 } }),
    'payments.texts.pl.back must be text',
  ],
  ...['PL', 'pl-PL', 'xx', 'pol'].map((language): [string, () => unknown, string] => [
    `texts of the provider in ${language}`,
    withTexts({ [language]: {} }),
    `payments.texts.${language} must be a language such as pl`,
  ]),
  [
    'a key that there is not',
    withTexts({ pl: { backk: 'Wróć' } }),
    'payments.texts.pl.backk is not ours: did you mean back?',
  ],
  [
    'a key that objects have',
    withTexts({ pl: { constructor: 'Wróć' } }),
    'payments.texts.pl.constructor is not ours',
  ],
  ...[
    "Torna all'{shop}",
    'Wróć do {shop',
    'Wróć do {sklep}',
    'Wróć do { toString }',
    'Wróć {shop, date}',
    '{shop, plural}',
  ].map((text): [string, () => unknown, string] => [
    `the text ${text}`,
    withTexts({ pl: { back: text } }),
    'payments.texts.pl.back cannot be filled in: write its placeholders as in "Back to {shop}"',
  ]),
  [
    'a folder of assets that is not there',
    withPage({ assets: 'nowhere' }),
    `page.assets of "code" names nowhere, which is not there: paths begin at ${process.cwd()}, the working directory`,
  ],
  [
    'a file of assets',
    withPage({ assets: import.meta.filename }),
    `page.assets of "code" names ${import.meta.filename}, which is a file: name a folder`,
  ],
])('%s is refused at the start', (_name, make, words) => {
  expect(make).toThrow(words)
})

test('a return that is verified or confirmed is taken', () => {
  expect(made({ returned: { read, verify: () => true } })).not.toThrow()
  expect(made({ returned: { read, confirm: 'status' }, status })).not.toThrow()
  expect(withPage({ texts: { en: { a: 'A' }, nl: {} }, lines: () => [] })).not.toThrow()
  expect(withPage({ texts: { pl: { a: '{anything' } } })).not.toThrow()
  expect(withTexts({ pl: { back: 'Wróć', title: '{order}: zapłać' }, en: {} })).not.toThrow()
})
