import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { floorOf, floors } from './floors.ts'
import { glossary } from './glossary.ts'

const repository = new URL('../', import.meta.url)
const page = readFileSync(new URL('ARCHITECTURE.md', repository), 'utf8')

function tableOf(section: string): string[][] {
  const [, text = ''] = page.split(`\n## ${section}\n`)
  const rows = text
    .split('\n## ')[0]!
    .split('\n')
    .filter((line) => line.startsWith('|'))
  return rows.slice(2).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

test('every path in ARCHITECTURE.md exists', () => {
  const paths = [...page.matchAll(/\b(?:src|test)\/[\w./-]*/g)].map(([path]) => path)
  expect(paths.length).toBeGreaterThan(20)
  expect(paths.filter((path) => !existsSync(new URL(path.replace(/\.$/, ''), repository)))).toEqual([])
})

test('the floors are those that imports are held to, and every file and folder is on one', () => {
  const rows = tableOf('Floors').map(([, holds = '']) =>
    [...holds.matchAll(/`([\w./-]+)`/g)].map(([, name]) => name!),
  )
  expect(rows).toHaveLength(floors.length)
  for (const [place, names] of rows.entries())
    for (const name of names) expect(floorOf(name.endsWith('/') ? `${name}file.ts` : name), name).toBe(place)
  const all = readdirSync(new URL('src/', repository), { withFileTypes: true })
    .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
    .filter((name) => name !== 'index.ts' && name !== 'tsconfig.json')
  // A room of a folder may be on another floor.
  const whole = rows.flat().filter((name) => !name.slice(0, -1).includes('/'))
  expect(whole.sort()).toEqual(all.sort())
})

test('the glossary has at most 30 words, each with its meaning, in an order that repeats none', () => {
  const words = glossary.map(({ word }) => word)
  expect(words.length).toBeGreaterThan(20)
  expect(words.length).toBeLessThanOrEqual(30)
  expect(new Set(words).size).toBe(words.length)
  for (const { word, meaning } of glossary) expect(meaning, word).toMatch(/\w{2}.*\w{2}/)
})

test('each word of the glossary is used in the source', () => {
  const src = new URL('src/', repository)
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  const source = files.map((file) => readFileSync(new URL(file, src), 'utf8')).join('\n')
  for (const { word } of glossary) expect(new RegExp(word, 'i').test(source), word).toBe(true)
})

test('every file of src can be read in one sitting', () => {
  const files = readdirSync(new URL('src/', repository), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => ({
      file,
      lines: readFileSync(new URL(`src/${file}`, repository), 'utf8').split('\n').length,
    }))
  // The tables of the store are one list.
  const isRead = ({ file, lines }: (typeof files)[number]) => lines <= 401 || file === 'store/schema.ts'
  expect(files.filter((one) => !isRead(one))).toEqual([])
  const median = files.map(({ lines }) => lines).toSorted((one, other) => one - other)[
    Math.floor(files.length / 2)
  ]
  expect(median).toBeLessThan(150)
})

test('a folder of a room has at most 25 entries', () => {
  const folders = readdirSync(new URL('src/', repository), { recursive: true, withFileTypes: true })
    .filter((one) => one.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name))
  expect(folders.length).toBeGreaterThan(40)
  expect(folders.filter((folder) => readdirSync(folder).length > 25)).toEqual([])
})

test('a lint rule holds functions to 80 lines, and to 120 where they list commands of the store, but for tests and tables of queries', () => {
  const { rules, overrides } = JSON.parse(readFileSync(new URL('.oxlintrc.json', repository), 'utf8'))
  expect(rules['max-lines-per-function']).toEqual(['error', { max: 80 }])
  // Each of these files is one table of queries.
  const tables = 'src/queue/lane-queries.ts'
  expect(overrides).toEqual([
    {
      files: ['src/**/commands/*.ts', 'src/store/*.ts', 'src/queue/*.ts'],
      rules: { 'max-lines-per-function': ['error', { max: 120 }] },
    },
    { files: ['test/**', tables], rules: { 'max-lines-per-function': 'off' } },
  ])
})

test('every room has at most the lines that the page allows it', () => {
  const src = new URL('src/', repository)
  const lines = new Map<string, number>()
  for (const file of readdirSync(src, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts')) continue
    const room = file.includes('/') ? `\`${file.slice(0, file.indexOf('/') + 1)}\`` : 'files of `src` itself'
    lines.set(room, (lines.get(room) ?? 0) + readFileSync(new URL(file, src), 'utf8').split('\n').length - 1)
  }
  const rows = tableOf('Lines').map(
    ([names = '', , most = '']) =>
      [names.match(/`[a-z]+\/`|files.*|all/g)!, Number(most.replace(',', ''))] as const,
  )
  const [all, ...rooms] = rows.toReversed()
  expect(rooms.flatMap(([names]) => names).toSorted()).toEqual([...lines.keys()].toSorted())
  const sumOf = (names: readonly string[]) => names.reduce((sum, name) => sum + lines.get(name)!, 0)
  expect(rooms.filter(([names, most]) => sumOf(names) > most)).toEqual([])
  expect(all).toEqual([['all'], rooms.reduce((sum, [, most]) => sum + most, 0)])
})
