import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const repository = new URL('../', import.meta.url)
const read = (file: string): string => readFileSync(new URL(file, repository), 'utf8')
const page = read('CONTRIBUTING.md')

test('every path in CONTRIBUTING.md exists', () => {
  const paths = [...page.matchAll(/\b(?:src|test|examples|docs)\/[\w./-]*|\b[A-Z]{6,}\.md\b/g)].map(
    ([path]) => path,
  )
  expect(paths.length).toBeGreaterThan(20)
  expect(paths.filter((path) => !existsSync(new URL(path.replace(/\.$/, ''), repository)))).toEqual([])
})

test('every name that CONTRIBUTING.md gives with its file is declared in that file', () => {
  const named = [...page.matchAll(/`(\w+)` of `([\w./-]+\.ts)`/g)]
  expect(named.length).toBeGreaterThan(8)
  for (const [, name, file] of named)
    expect(read(file!), `${name} of ${file}`).toMatch(
      new RegExp(`\\b(?:const|function|interface) ${name}\\b`),
    )
})

test('Node is at least the one that package.json asks for', () => {
  const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } }
  const [, version] = /You need Node ([\d.]+) or newer/.exec(page) ?? []
  expect(engines.node).toBe(`>=${version}`)
})

test('every npm script in CONTRIBUTING.md exists', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const named = [...page.matchAll(/\bnpm (?:run (?:-s )?)?(\w+)/g)].map(([, name]) => name!)
  const known = [...Object.keys(scripts), 'ci']
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter((name) => !known.includes(name))).toEqual([])
})

test('every benchmark is named, and no other', () => {
  const [, row = ''] = /benchmarks by name: ([^|]*)/.exec(page) ?? []
  const named = [...row.matchAll(/`(\w+)`/g)].map(([, name]) => name)
  const benches = [...read('test/bench/main.ts').matchAll(/^ {2}(\w+): \(\) => import/gm)].map(
    ([, name]) => name,
  )
  expect(named).toEqual(benches)
})

test('every option of a script in CONTRIBUTING.md is taken by it', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  // Names of the list of benchmarks, and of commands, are tested beside them.
  const named = [...page.matchAll(/`?npm (?:run (?:-s )?)?(\w+) -- ([^`\n|]*)/g)].flatMap(
    ([, script, words]) => [...words!.matchAll(/--[a-z]+/g)].map(([option]) => ({ script: script!, option })),
  )
  const also = [...page.matchAll(/`(--[a-z]+)[^`]*`/g)].map(([, option]) => ({
    script: 'mutants',
    option: option!,
  }))
  const sourceOf = (script: string) => read(/(?:node |^)(\S+\.ts)/.exec(scripts[script]!)![1]!)
  const bare = also.filter(({ option }) => !['--help', '--json'].includes(option))
  expect(named.length + bare.length).toBeGreaterThan(12)
  expect(new Set(named.map(({ script }) => script)).size).toBeGreaterThan(2)
  const help = ['--help']
  expect(
    [...named, ...bare].filter(
      ({ script, option }) =>
        !(script === 'purveyor' && help.includes(option)) && !sourceOf(script).includes(option),
    ),
  ).toEqual([])
})

test('every option of mutants is in CONTRIBUTING.md', () => {
  const documented = [...read('test/mutants/main.ts').matchAll(/^\/\/ {3}(--\w+)/gm)].map(
    ([, option]) => option!,
  )
  for (const option of documented) expect(page, option).toContain(option)
})
