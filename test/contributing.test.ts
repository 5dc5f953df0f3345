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

test('the options of torture and mutants are theirs', () => {
  for (const script of ['torture', 'mutants']) {
    const source = read(`test/${script}/main.ts`)
    const lines = page.split('\n').filter((line) => line.includes(`npm run -s ${script}`))
    const options = lines.flatMap((line) => [...line.matchAll(/--(\w+)/g)].map(([option]) => option))
    expect(options.length).toBeGreaterThan(1)
    for (const option of options) expect(source, option).toContain(option)
  }
  const documented = [...read('test/mutants/main.ts').matchAll(/^\/\/ {3}(--\w+)/gm)].map(
    ([, option]) => option!,
  )
  for (const option of documented) expect(page, option).toContain(option)
})
