import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { asWords, retiredWord } from './glossary.ts'

const cwd = new URL('..', import.meta.url).pathname

/** Their words are history, or their own subject. */
const exempt = [
  // A retired word as an adapter's member is refused by name.
  'src/provider/adapter-members.ts',
  'test/provider/adapter-members.test.ts',
  'test/glossary.ts',
  'test/words.test.ts',
  // Words of other ecosystems are what people search by.
  'src/cli/docs/search.ts',
  'test/docs/search.test.ts',
  // It looks for one.
  'test/docs/prose.test.ts',
]

const files = globSync(
  [
    '*.{md,json}',
    '{docs,monitoring,templates,examples,src,test}/**/*.{ts,md,json,yml,yaml,csv,html}',
    '.ci/{run,**/*.{ts,mjs,js,css}}',
  ],
  { cwd, exclude: ['package-lock.json', '**/node_modules', '**/dist'] },
).filter((file) => !exempt.includes(file))

/** Names that others gave. */
const names = /REDOCLY_SUPPRESS_UPDATE_NOTICE|RedirectShopper|PresentToShopper|allowNotifications/g

/** ARCHITECTURE.md without the column of retired words. */
const withoutRetired = (page: string): string =>
  page.replace(/\n## Glossary\n[\s\S]*?\n## /, (section) => section.replace(/\|[^|\n]*\|$/gm, ''))

test('a retired word is found in names and sentences, and in no other word', () => {
  const found = (text: string) => retiredWord.exec(asWords(text))?.[0]
  expect(found('await tellAnomaly(workings)')).toBe('tell')
  expect(found('const NOTIFICATION_TIMEOUT = 1')).toBe('NOTIFICATION')
  expect(found('purveyor_notices_total')).toBe('notices')
  expect(found('purveyor sandbox --for shipment')).toBe('--for shipment')
  expect(found('const shopOwners = 1')).toBe('shop Owners')
  expect(found('the request for shipment methods')).toBeUndefined()
  expect(found('It looked over the shop.')).toBe('looked over')
  expect(found('a recommended satellite, intellectually')).toBeUndefined()
})

test('no name, message, number or page uses a word that the glossary retired', () => {
  expect(files.length).toBeGreaterThan(300)
  const places = files.flatMap((file) => {
    const text = readFileSync(`${cwd}/${file}`, 'utf8')
    const lines = (file === 'ARCHITECTURE.md' ? withoutRetired(text) : text).split('\n')
    return lines.flatMap((line, at) => {
      const word = retiredWord.exec(asWords(line.replace(names, '')))?.[0]
      return word ? [`${file}:${at + 1} ${word}`] : []
    })
  })
  expect(places).toEqual([])
})

test.each(['Clock', 'Provider', 'Served', 'ServiceType', 'Store', 'Workings', 'World'])(
  '%s is declared once',
  (name) => {
    const declared = new RegExp(`^(?:export )?(?:interface|type|class) ${name}\\b`, 'm')
    const sources = files.filter((file) => file.startsWith('src/'))
    expect(sources.filter((file) => declared.test(readFileSync(`${cwd}/${file}`, 'utf8')))).toHaveLength(1)
  },
)

/** A comment that opens with a clause such as `What is left on the disk`. */
const riddle = /(?:^|\s)(?:\/\*\*|\/\/|\*) (?:Who|Whoever|What|Whatever|Nobody) /

const code = files.filter((file) => /^(?:src|examples|templates)\/.*\.ts$/.test(file))

/** The places of lines of code, without comments, that match. */
const placesOf = (pattern: RegExp): string[] =>
  code.flatMap((file) =>
    readFileSync(`${cwd}/${file}`, 'utf8')
      .split('\n')
      .flatMap((line, at) =>
        pattern.test(line) && !/^\s*(?:\/\/|\/?\*)/.test(line) ? [`${file}:${at + 1}`] : [],
      ),
  )

/** Such as `uk is no country`; `there is no shop` and `is no longer here` are plain. */
const isNone = /['"`].*(?<!\b[Tt]here )\b(?:is|are|was|were) no(?:ne)?\b(?! longer| more)/

test('a message says what a value is not: is not a country', () => {
  expect(isNone.test('throw wrongCall("uk is no country")')).toBe(true)
  expect(isNone.test("'There is no shop with this name.'")).toBe(false)
  expect(placesOf(isNone)).toEqual([])
})

/** The message of a log line, such as `log.warn(about, 'what a bank sent cannot be read')`. */
const clause =
  /\blog\.\w+\(.*['"`](?:what|who|whoever|whatever|nobody) |^\s*['"`](?:what|who|whoever|whatever|nobody) [^'"`]*['"`],$/

test('a log line opens with its subject', () => {
  expect(clause.test("      'what a bank sent along with a customer cannot be read',")).toBe(true)
  expect(clause.test("    log.warn({ err }, 'what it answered was not noted')")).toBe(true)
  expect(placesOf(clause)).toEqual([])
})

test('a comment opens with its subject', () => {
  expect(riddle.test('  /** What is left on the disk. */')).toBe(true)
  const sources = files.filter((file) => file.startsWith('src/'))
  const places = sources.flatMap((file) =>
    readFileSync(`${cwd}/${file}`, 'utf8')
      .split('\n')
      .flatMap((line, at) => (riddle.test(line) ? [`${file}:${at + 1}`] : [])),
  )
  expect(places).toEqual([])
})
