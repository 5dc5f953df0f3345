import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { Declarations, type Exports } from '../.ci/docs/declarations.ts'
import { createProvider, memoryStore, type Store } from '../src/index.ts'
import { builtTypes } from './built.ts'
import { entryPoints } from './exports.ts'
import { folderWith } from './folder.ts'

const repository = new URL('..', import.meta.url).pathname
const { exports: paths } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
  exports: Record<string, string>
}
const entries = Object.entries(paths).flatMap(([path, file]) =>
  file.endsWith('.js') ? [{ entry: join('purveyor', path), file: file.replace('./dist/', '') }] : [],
)

// Inside the repository, so that packages are found; removed afterwards.
const folder = folderWith({}, join(repository, 'node_modules/.cache'))
const exported = new Map<string, Exports>()
/** Of each entry point the others that export types which its signatures mention, and the types that none exports. */
const shared = new Map<string, { others: string[]; missing: string[] }>()

beforeAll(async () => {
  const types = await builtTypes()
  const declarations = new Declarations()
  const typesOf = new Map(
    entries.map(({ entry, file }) => [entry, join(types, file.replace(/\.js$/, '.d.ts'))]),
  )
  for (const { entry } of entries) {
    const exportsBeside = (others: readonly string[]) =>
      declarations.exportsOf(
        typesOf.get(entry)!,
        others.map((other) => typesOf.get(other)!),
      )
    exported.set(entry, exportsBeside([]))
    // `purveyor` comes first and has most: no other one counts for a type that it has.
    let others: string[] = []
    for (const { entry: other } of entries) {
      const before = exportsBeside(others).missing.length
      if (other !== entry && exportsBeside([...others, other]).missing.length < before) others.push(other)
    }
    others = others.toSorted()
    shared.set(entry, { others, missing: exportsBeside(others).missing })
  }
  const table = [...exported].map(
    ([entry, { values, types }]) => `| \`${entry}\` | ${values.join(', ')} | ${types.join(', ')} |`,
  )
  console.log(['| entry point | values | types |', '|---|---|---|', ...table].join('\n'))
})

test('purveyor exports at most 25 values', () => {
  const { values } = exported.get('purveyor')!
  expect(values).toContain('createProvider')
  expect(values.length).toBeLessThanOrEqual(25)
})

test.each(entries)('$entry exports the values that its types promise', async ({ entry, file }) => {
  const module = await import(join(repository, 'src', file.replace(/\.js$/, '.ts')))
  expect(Object.keys(module).sort()).toEqual(exported.get(entry)!.values)
})

test.each(entries)('a name is exported by its entry point in one plain form: $entry', ({ entry }) => {
  const { values, types } = exported.get(entry)!
  const listed = entryPoints().get(entry)!
  expect(listed.values.toSorted()).toEqual(values)
  expect(listed.types.toSorted()).toEqual(types)
})

// Each entry point exports the types that its signatures mention, but for these:
const elsewhere: Record<string, readonly string[]> = {
  // The client of `provider.platform()` has parts of its own. They are used without a provider too, and `docs/registration.md` names their
  // entry point beside `provider.platform()`.
  purveyor: ['purveyor/platform'],
  // Their users build or call a provider with `purveyor`: its adapters, decimals and errors have one name.
  'purveyor/rates': ['purveyor'],
  'purveyor/contract': ['purveyor'],
  'purveyor/platform': ['purveyor'],
  'purveyor/sandbox': ['purveyor'],
  'purveyor/conformance': ['purveyor'],
  // `startSandbox` and `checkProvider` return what those entry points describe.
  'purveyor/testing': ['purveyor', 'purveyor/conformance', 'purveyor/sandbox'],
}

test.each(entries)('$entry exports every type that its signatures mention, or shares it', ({ entry }) => {
  expect(shared.get(entry)).toEqual({ others: elsewhere[entry], missing: [] })
})

test('documentation names the entry point of the client beside provider.platform()', () => {
  const page = readFileSync(join(repository, 'docs/registration.md'), 'utf8')
  expect(page).toContain('`purveyor/platform`')
  expect(page).toContain('`await provider.platform(')
})

test('a type that is mentioned and not exported is found, however it is named', () => {
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  write(
    'far.d.ts',
    'export interface Far { near: Near }\nexport interface Near {}\nexport interface Base<T> { t: T }\n',
  )
  write(
    'made.d.ts',
    `import { type Far as Distant } from './far.js'
import type { Base, Near } from './far.js'
import type { Logger } from 'pino'
interface Own {}
type Short = Far
import { Far } from './far.js'
export interface Shown extends Base<string> { own: Own, logger: Logger, short: Short, picked: Pick<Far, 'near'> }
export declare class Made { private hidden: Near; far(): import('./far.js').Far }
export declare const made: (options: Partial<Distant>) => void
`,
  )
  write(
    'made-entry.d.ts',
    "export { type Shown, Made, made } from './made.js'\nexport type { Logger } from 'pino'\n",
  )
  expect(new Declarations().exportsOf(join(folder, 'made-entry.d.ts'))).toEqual({
    values: ['Made', 'made'],
    types: ['Logger', 'Shown'],
    missing: ['Made -> Far', 'Shown -> Base', 'Shown -> Far', 'Shown -> Near', 'Shown -> Own', 'made -> Far'],
  })
})

describe('a store', () => {
  test('shows no members', () => {
    const shown: keyof Store extends string ? 'members' : 'none' = 'none'
    expect(shown).toBe('none')
  })

  test('is one that Purveyor made, or the URL of a database', () => {
    const rates = { name: 'door', quote: () => [] }
    expect(createProvider({ store: memoryStore(), rates }).services).toEqual(['rates'])
    // @ts-expect-error these are the options of a store
    expect(() => createProvider({ store: { file: 'shops.db' }, rates })).toThrow(
      /store must be sqliteStore\(\), postgresStore\(\) or memoryStore\(\), or the URL of a database/,
    )
  })
})
