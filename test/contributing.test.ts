import { existsSync, globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { commandNames } from './cli/command-names.ts'

const repository = new URL('../', import.meta.url)
const read = (file: string): string => readFileSync(new URL(file, repository), 'utf8')
const page = read('CONTRIBUTING.md')
const { scripts, engines } = JSON.parse(read('package.json')) as {
  scripts: Record<string, string>
  engines: { node: string }
}

/** What stands between backticks, and each line of a block of shell. */
const spans = [...page.matchAll(/^```sh\n([^`]*)```$|`([^`\n]+)`/gm)].flatMap(([, lines, span]) =>
  lines === undefined ? [span!] : lines.trim().split('\n'),
)
const kinds = {
  path: spans.filter((span) => /^[\w.-]+\/[\w./-]*$|^\.?[\w-]+\.(?:md|json)$/.test(span)),
  npm: spans.filter((span) => /^npm /.test(span)),
  option: spans.filter((span) => /^--/.test(span)),
  name: spans.filter((span) => /^(?:new )?[\w.]+(?:\(.*\))?$/.test(span) && !/\.(?:md|json)$/.test(span)),
  /** Of `purveyor`, with two words. */
  command: spans.filter((span) => /^(?:purveyor|db) [a-z]+$/.test(span)),
  text: ['-contract', 'N passed, N failed'],
}

test('each word between backticks in CONTRIBUTING.md is of one kind, and so one of the tests below reads it', () => {
  expect(spans.length).toBeGreaterThan(130)
  const kindsOf = (span: string) => Object.values(kinds).filter((kind) => kind.includes(span)).length
  expect(spans.filter((span) => kindsOf(span) !== 1)).toEqual([])
})

test('every path in CONTRIBUTING.md exists, or is made by a script', () => {
  const inCommands = page.match(/\b(?:src|test|examples|docs)\/[\w./-]*/g)!
  const paths = [...new Set([...kinds.path, ...inCommands])]
  expect(paths.length).toBeGreaterThan(50)
  // They are there once the script has run.
  const made = paths.filter((path) => path.startsWith('dist/') && read('.ci/docs/build.ts').includes(path))
  expect(made).not.toEqual([])
  const kept = paths.filter((path) => !made.includes(path))
  expect(kept.filter((path) => !existsSync(new URL(path, repository)))).toEqual([])
})

const declared = (name: string) =>
  new RegExp(`\\b(?:const|function|interface|class) ${name}\\b|["']${name}["']`)

test('every name that CONTRIBUTING.md gives with its file is declared in that file', () => {
  const named = [
    ...page.matchAll(/`(\w+)` of `([\w./-]+\.ts)`/g),
    ...page.matchAll(/`(\w+)` \(`([\w./-]+\.ts)`\)/g),
  ]
  expect(named.length).toBeGreaterThan(8)
  for (const [, name, file] of named) expect(read(file!), `${name} of ${file}`).toMatch(declared(name!))
})

test('every name in CONTRIBUTING.md is in the source or in the tests', () => {
  const sources = globSync(['src/**/*.ts', 'test/**/*.ts', 'package.json'], {
    cwd: repository.pathname,
    exclude: ['test/contributing.test.ts'],
  }).map(read)
  // A command that is not ours.
  const ours = kinds.name.filter((name) => !['npx'].includes(name))
  const isKnown = (span: string) => {
    const name = span.replace(/^new /, '').replace(/\(.*/, '')
    // A call, such as `world.observer.refused(code)`, is of a method.
    return name.includes('.')
      ? sources.some((source) => source.includes(`${name}(`))
      : scripts[name] !== undefined || sources.some((source) => declared(name).test(source))
  }
  expect(ours.length).toBeGreaterThan(40)
  expect(ours.filter((span) => !isKnown(span))).toEqual([])
})

test('every command of purveyor in CONTRIBUTING.md is one', async () => {
  const names = (await commandNames()).map((path) => `purveyor ${path.join(' ')}`)
  expect(kinds.command.length).toBeGreaterThan(0)
  for (const command of kinds.command) expect(names).toContain(`purveyor ${command.replace('purveyor ', '')}`)
})

test('the output and the ending of a migration in CONTRIBUTING.md are those of the source', () => {
  expect(read('test/run.ts')).toContain('`N passed, N failed`')
  expect(read('src/store/tables/migrate.ts')).toContain("endsWith('-contract')")
})

test('Node is at least the one that package.json asks for', () => {
  const [, version] = /You need Node ([\d.]+) or newer/.exec(page) ?? []
  expect(engines.node).toBe(`>=${version}`)
})

/** The script of a command of npm with its words, such as `torture`, `--bugs` and `<words>`. */
function scriptIn(command: string): { script: string; words: string[] } {
  const [, script, words = ''] = /^npm (?:run (?:-s )?)?(\w+)(?: -- (.*))?$/.exec(command) ?? []
  return { script: script ?? command, words: words.split(' ').filter(Boolean) }
}

test('every npm script in CONTRIBUTING.md exists', () => {
  const named = kinds.npm.map((command) => scriptIn(command).script)
  const known = [...Object.keys(scripts), 'ci']
  expect(named.length).toBeGreaterThan(25)
  expect(named.filter((name) => !known.includes(name))).toEqual([])
})

test('every benchmark is named, and no other', () => {
  const [, row = ''] = /benchmarks by name: ([^|]*)/.exec(page) ?? []
  const named = [...row.matchAll(/`(\w+)`/g)].map(([, name]) => name)
  const benches = [...read('test/bench/main.ts').matchAll(/^ {2}(\w+): \(\) => import/gm)].map(
    ([, name]) => name,
  )
  expect(named).toEqual(benches)
  const compared = page.slice(page.indexOf('| benchmark '), page.indexOf('Tests of commands run'))
  const rows = [...compared.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name)
  expect(rows.toSorted()).toEqual(benches)
  const asked = kinds.npm.flatMap((command) => {
    const { script, words } = scriptIn(command)
    return script === 'bench' ? words.filter((word) => !word.startsWith('--')) : []
  })
  expect(asked.filter((name) => !benches.includes(name))).toEqual([])
})

const commandOptions = globSync('src/cli/**/*.ts', { cwd: repository.pathname }).flatMap((file) =>
  [...read(file).matchAll(/'(?:-\w, )?(--[\w-]+)[^']*':/g)].map(([, option]) => option!),
)

/** Whether the source of a script reads an option: it compares `'--quick'`, or gives `quick: {` to parseArgs. */
function takes(script: string, option: string): boolean {
  // vitest reads the options of `npm test`, and commander `--help`.
  if (script === 'test') return ['-u'].includes(option)
  if (script === 'purveyor') return [...commandOptions, '--help'].includes(option)
  const source = read(/(?:node |^)(\S+\.ts)/.exec(scripts[script]!)![1]!)
  return new RegExp(`'${option}'|^ +${option.slice(2)}: \\{`, 'm').test(source)
}

test('every option in CONTRIBUTING.md is taken by the script that it stands beside', () => {
  const inCommands = kinds.npm.flatMap((command) => {
    const { script, words } = scriptIn(command)
    return words.filter((word) => word.startsWith('-')).map((option) => ({ script, option }))
  })
  // By itself an option is one of the script that begins its paragraph, and in a table one of a command.
  const alone = page.split(/\n\n|\n(?=\|)/).flatMap((paragraph) => {
    const [, script = 'purveyor'] = /^`(\w+)` takes/.exec(paragraph) ?? []
    return [...paragraph.matchAll(/`(--[\w-]+)[^`]*`/g)].map(([, option]) => ({ script, option: option! }))
  })
  expect(alone.length).toBe(kinds.option.length)
  expect(inCommands.length).toBeGreaterThan(10)
  expect([...inCommands, ...alone].filter(({ script, option }) => !takes(script, option))).toEqual([])
})

test('every option of mutants is in CONTRIBUTING.md', () => {
  const documented = [...read('test/mutants/main.ts').matchAll(/^\/\/ {3}(--\w+)/gm)].map(
    ([, option]) => option!,
  )
  expect(documented.length).toBeGreaterThan(5)
  for (const option of documented) expect(page, option).toContain(option)
})
