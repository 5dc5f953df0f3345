import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { blame } from '../../../src/code-place.ts'
import { PurveyorError } from '../../../src/errors.ts'
import {
  faultText,
  type SourceFault,
  sourceFault,
} from '../../../src/observability/source-faults/source-fault.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'purveyor-source-')))
afterAll(() => rmSync(folder, { recursive: true }))

const source = (path: string) => JSON.stringify(new URL(`../../../src/${path}`, import.meta.url).href)

const exportsNames = 'export const courier = 1\nexport interface Tariff {}\nexport { courier as van }\n'

/** A framework with one name in a part of its own. */
const purveyorPackage = {
  'node_modules/purveyor/package.json':
    '{ "type": "module", "exports": { ".": "./index.js", "./rates": "./rates.js" } }',
  'node_modules/purveyor/index.js': 'const price = 1\nexport { price }\n',
  'node_modules/purveyor/rates.js': 'const tableRates = 1\nexport { tableRates }\n',
}

/** A package with nothing but this code. */
const vansPackage = (code: string) => ({
  'node_modules/vans/package.json': '{ "type": "module", "exports": "./index.js" }',
  'node_modules/vans/index.js': code,
})

interface Mistake {
  code: string
  /** The files beside `a.ts`, which has the code. */
  also?: Record<string, string>
  shown: string
}

/** A mistake in an import that is the only line of `a.ts`. */
function wrongImport({
  code,
  column,
  message,
  remedy,
  also,
}: Pick<Mistake, 'code' | 'also'> & Record<'message' | 'remedy', string> & { column: number }): Mistake {
  const place = `  a.ts:1:${column}\n  1 | ${code}\n    | ${' '.repeat(column - 1)}^`
  return { code: `${code}\n`, also, shown: `${message}\n${place}\n${remedy}` }
}

/** Each mistake with its file and what a developer reads of it. */
const mistakes: Record<string, Mistake> = {
  'a syntax error': {
    code: 'const a = 1\nconst b = {,}\n',
    shown: `Syntax error: Unexpected token \`,\`. Expected identifier, string literal, numeric literal or [ for the computed key
  a.ts:2:12
  2 | const b = {,}
    |            ^
Correct this line, or the one before it.`,
  },
  'code that stops early': {
    code: 'const a = (\n',
    shown: `Syntax error: Expression expected
  a.ts:1:12
  1 | const a = (
    |            ^
Correct this line, or the one before it.`,
  },
  'code whose end is missing': {
    code: 'const a = {\n  b: [1],\n',
    shown: `Syntax error: the file ends before its code does
  a.ts:2:10
  2 |   b: [1],
    |          ^
Close what is open further up: a bracket, a brace, a quote or a comment has no end.`,
  },
  'syntax that only TypeScript compiles': {
    code: 'enum A { B }\n',
    shown: `Syntax error: TypeScript enum is not supported in strip-only mode
  a.ts:1:1
  1 | enum A { B }
    | ^
Node runs TypeScript by leaving out its types, so write this part in JavaScript.`,
  },
  'a name that is exported otherwise': wrongImport({
    code: "import { couriers } from './names.ts'",
    column: 10,
    message: './names.ts has no export named couriers',
    remedy: 'Did you mean courier?',
    also: { 'names.ts': exportsNames },
  }),
  'a name that a package exports otherwise': wrongImport({
    code: "import { createVan } from 'vans'",
    column: 10,
    message: 'vans has no export named createVan',
    remedy: 'Did you mean createVans? If createVan is a type, write `import type` or `type createVan`.',
    also: vansPackage('const createVans = 1\nexport { createVans }\n'),
  }),
  'a name that another part of the framework exports': wrongImport({
    code: "import { tableRates } from 'purveyor'",
    column: 10,
    message: 'purveyor has no export named tableRates',
    remedy: "purveyor/rates exports it: write from 'purveyor/rates'.",
    also: purveyorPackage,
  }),
  'a part of the framework that is not there': wrongImport({
    code: "import { tableRates } from 'purveyor/tariffs'",
    column: 28,
    message: 'purveyor has no part tariffs',
    remedy: "purveyor/rates exports tableRates: write from 'purveyor/rates'.",
    also: purveyorPackage,
  }),
  'a part of the framework that is not there, for a name that is nowhere': wrongImport({
    code: "import { zones } from 'purveyor/zones'",
    column: 23,
    message: 'purveyor has no part zones',
    remedy:
      'Its parts are purveyor/rates, purveyor/contract, purveyor/platform, purveyor/sandbox, purveyor/conformance, purveyor/testing.',
    also: purveyorPackage,
  }),
  'a part of another package that is not there': wrongImport({
    code: "import a from 'vans/parts'",
    column: 15,
    message: 'vans has no part parts',
    remedy: 'Import what the package exports.',
    also: vansPackage('export default 1\n'),
  }),
  'a name that is not exported': wrongImport({
    code: "import { tariff } from './names.ts'",
    column: 10,
    message: './names.ts has no export named tariff',
    remedy: 'It exports courier, van.',
    also: { 'names.ts': exportsNames },
  }),
  'a type without `type`': wrongImport({
    code: "import { Tariff } from './names.ts'",
    column: 10,
    message: 'Tariff of ./names.ts is a type',
    remedy: 'Write `type Tariff` in this import.',
    also: { 'names.ts': exportsNames },
  }),
  'an import without the ending': wrongImport({
    code: "import './names'",
    column: 8,
    message: 'There is no file names',
    remedy: 'Write names.ts: an import names the file with its own ending.',
    also: { 'names.ts': exportsNames },
  }),
  'an import with the ending of a build': {
    code: "\nimport './names.js'\n",
    also: { 'names.ts': exportsNames },
    shown: `There is no file names.js
  a.ts:2:8
  2 | import './names.js'
    |        ^
Write names.ts: an import names the file with its own ending.`,
  },
  'an import of a file that is not there': wrongImport({
    code: "import './nowhere.ts'",
    column: 8,
    message: 'There is no file nowhere.ts',
    remedy: 'Create nowhere.ts, or correct the path.',
  }),
  'an import of a package that is not installed': {
    code: "const a = 1\nimport b from 'not-here/part'\n",
    shown: `There is no package not-here
  a.ts:2:15
  2 | import b from 'not-here/part'
    |               ^
Run \`npm install not-here\`, or correct the name.`,
  },
  'a module of Node with a wrong name': wrongImport({
    code: "import fs from 'node:fss'",
    column: 16,
    message: 'Node has no module node:fss',
    remedy: 'Correct the name.',
  }),
  'JSON that is imported as code': wrongImport({
    code: "import b from './b.json'",
    column: 15,
    message: 'The import of b.json does not say that it is JSON',
    remedy: `Write \`import name from './b.json' with { type: 'json' }\`.`,
    also: { 'b.json': '{}' },
  }),
  'a file of JSON with a comma too many': {
    code: "import b from './b.json' with { type: 'json' }\n",
    also: { 'b.json': '{\n  "a": 1,\n}\n' },
    shown: `b.json is not JSON: Expected double-quoted property name
  b.json:3:1
  3 | }
    | ^
JSON has double quotes around names and texts, and no comma after the last value.`,
  },
  'an error at the start': {
    code: 'const load = () => {\n\tmissing.name()\n}\nload()\n',
    shown: `ReferenceError: missing is not defined
  a.ts:2:2
  2 |  missing.name()
    |  ^
    at a.ts:4:1`,
  },
  'a value that is no error': {
    code: "const a = 1\n// throw 'nothing works'\nif (a) throw 'nothing works'\n",
    shown: `the code threw the text "nothing works" and no error
  a.ts:3:8
  3 | if (a) throw 'nothing works'
    |        ^
Write throw new Error('...') instead: an error names the line that threw it.`,
  },
  'options that are wrong': {
    code: `import { flatRate } from ${source('adapters/index.ts')}
export const door = flatRate({
  id: 'door',
  titel: 'At your door',
  title: 'At your door',
  excl: '5',
  taxRate: '21',
})
`,
    shown: `flatRate() cannot use these options:
  a.ts:7:3  taxRate is a fraction below 1: did you mean 0.21?
  7 |   taxRate: '21',
    |   ^
  a.ts:4:3  titel is not an option: did you mean title?
  4 |   titel: 'At your door',
    |   ^`,
  },
  'an option that is missing': {
    code: `import { flatRate } from ${source('adapters/index.ts')}
flatRate({ id: 'door', excl: '5', taxRate: '0.21' })
`,
    shown: `title must be a text, or one for each language: { en: 'At your door', nl: 'Aan de deur' }
  a.ts:2:1
  2 | flatRate({ id: 'door', excl: '5', taxRate: '0.21' })
    | ^`,
  },
  'a member of an adapter with a near miss': {
    code: `import { createProvider } from ${source('index.ts')}
import { courier } from './courier.js'
createProvider({ rates: courier, development: true })
`,
    also: { 'courier.js': "export const courier = {\n  name: 'van',\n  quot: () => [],\n}\n" },
    shown: `rates: adapter "van" has no member quot: did you mean quote? Rename it if it is a member of your own
  courier.js:3:3
  3 |   quot: () => [],
    |   ^`,
  },
  'settings of which one is in a file': {
    code: `import { createProvider } from ${source('index.ts')}
process.env.PORT = 'eighty'
process.env.PURVEYOR_STOP_DELAY = 'long'
createProvider({ rates: { name: 'van', quote: () => [] }, development: true })
`,
    also: { '.env': 'PORT=eighty\n' },
    shown: `The configuration has problems:
  - port (PORT) must be a number
  - http.stopDelay (PURVEYOR_STOP_DELAY) must be a number of milliseconds
  .env:1:1`,
  },
  'a setting of .env': {
    code: `import { createProvider } from ${source('index.ts')}
process.env.PORT = 'eighty'
createProvider({ rates: { name: 'van', quote: () => [] }, development: true })
`,
    also: { '.env': 'PURVEYOR_LOG_LEVEL=info\nPORT=eighty\n' },
    shown: `port (PORT) must be a number
  .env:2:1`,
  },
}

const names = Object.keys(mistakes)
const folderOf = (name: string) => join(folder, String(names.indexOf(name)))

// Only Node itself makes these errors: one process loads all of them.
const load = `
import { sourceFault } from ${source('observability/source-faults/source-fault.ts')}
const faults = []
for (const folder of process.argv.slice(1)) {
  const before = { ...process.env }
  await import('file://' + folder + '/a.ts').then(
    () => faults.push(undefined),
    (error) => faults.push(sourceFault(error, folder)),
  )
  process.env = before
}
console.log(JSON.stringify(faults))
`

describe('a developer reads where a mistake is and what to do', () => {
  for (const [name, { code, also = {} }] of Object.entries(mistakes)) {
    mkdirSync(folderOf(name))
    writeFileSync(join(folderOf(name), 'package.json'), '{ "type": "module" }')
    for (const [file, text] of Object.entries({ 'a.ts': code, ...also })) {
      mkdirSync(dirname(join(folderOf(name), file)), { recursive: true })
      writeFileSync(join(folderOf(name), file), text)
    }
  }
  const { stdout, stderr } = spawnSync(
    join(import.meta.dirname, '../../../node_modules/.bin/node'),
    ['--input-type=module', '--eval', load, ...names.map(folderOf)],
    { encoding: 'utf8', env: { PATH: process.env.PATH } },
  )
  const faults: SourceFault[] = stdout === '' ? [] : JSON.parse(stdout)

  test.for(names)('%s', (name) => {
    expect(stderr).toBe('')
    expect(faultText(faults[names.indexOf(name)]!)).toBe(mistakes[name]!.shown)
  })
})

test('a part of the framework that is not there, where the command line resolves it and nothing is installed', () => {
  const file = join(folder, 'parts.ts')
  writeFileSync(file, "import { tableRates } from 'purveyor/rate'\n")
  const error = Object.assign(
    new Error(
      `Package subpath './rate' is not defined by "exports" in purveyor/package.json imported from file://${file}`,
    ),
    { code: 'ERR_PACKAGE_PATH_NOT_EXPORTED' },
  )
  expect(sourceFault(error, folder)).toMatchObject({
    message: 'purveyor has no part rate',
    lines: [{ file: 'parts.ts', line: 1, column: 28 }],
    remedy: "purveyor/rates exports tableRates: write from 'purveyor/rates'.",
  })
})

const invalid = (code: 'RATE_TABLE_INVALID', message: string, file: string, paths: [string, string][]) =>
  Object.assign(
    new PurveyorError(code, message, {
      place: join(folder, file),
      faults: paths.map(([path, said]) => ({ path, message: said })),
    }),
    { stack: `Error: ${message}` },
  )

describe('files of data', () => {
  test('a tariff: the cell of each fault', () => {
    writeFileSync(join(folder, 'tariff.csv'), 'id,country,price_excl\n"a, b",nl,"5,x"\nb,xx,6\n')
    const error = invalid('RATE_TABLE_INVALID', 'The tariff cannot be used:\n  ...', 'tariff.csv', [
      ['tariff.csv:2 price_excl', 'is not a number'],
      ['tariff.csv:3 country', 'is not a country'],
    ])
    expect(sourceFault(error, folder)).toEqual({
      message: 'The tariff cannot be used:',
      lines: [
        {
          file: 'tariff.csv',
          line: 2,
          column: 11,
          text: '"a, b",nl,"5,x"',
          message: 'price_excl: is not a number',
          cell: 'price_excl',
        },
        {
          file: 'tariff.csv',
          line: 3,
          column: 3,
          text: 'b,xx,6',
          message: 'country: is not a country',
          cell: 'country',
        },
      ],
      remedy: expect.stringContaining('purveyor rates lint'),
      frames: [],
    })
  })

  test('a tariff with semicolons, named from the working directory: a comma in a price is no next cell', () => {
    writeFileSync(join(folder, 'eu.csv'), '\uFEFF"ID";price_incl;Price_Excl\nb;5,5;x\n')
    const error = new PurveyorError('RATE_TABLE_INVALID', 'wrong', {
      place: 'eu.csv',
      faults: [{ path: 'eu.csv:2 price_excl', message: 'x is not a number' }],
    })
    expect(faultText(sourceFault(error, folder)).split('\n')).toEqual([
      'price_excl: x is not a number',
      '  eu.csv:2',
      '  2 | b;5,5;x',
      '    |       ^',
      expect.stringContaining('purveyor rates lint'),
    ])
  })

  test('a file that is not there is shown where the code names it', () => {
    const project = join(folder, 'project')
    mkdirSync(join(project, 'src'), { recursive: true })
    writeFileSync(join(project, 'src/rates.ts'), "const a = 1\nconst file = 'zones.csv'\n")
    const error = invalid('RATE_TABLE_INVALID', 'zones.csv cannot be read (ENOENT)', 'project/zones.csv', [])
    expect(sourceFault(error, project)).toMatchObject({
      message: 'zones.csv cannot be read (ENOENT)',
      lines: [{ file: 'src/rates.ts', line: 2, column: 15 }],
    })
  })
})

test('a fault of the brand is shown where the brand is declared, also in a file of its own', () => {
  const project = join(folder, 'branded')
  mkdirSync(project, { recursive: true })
  writeFileSync(
    join(project, 'provider.ts'),
    "import { brand } from './brand.ts'\ncreateProvider({\n  payments: { adapters: payments, brand },\n})\n",
  )
  writeFileSync(
    join(project, 'brand.ts'),
    "export const brand: Brand = {\n  name: 'x',\n  logo: './logo.pgn',\n}\n",
  )
  const error = new PurveyorError('CONFIGURATION_INVALID', 'wrong', {
    faults: [{ path: 'payments.brand.logo', message: 'names logo.pgn' }],
  })
  expect(sourceFault(error, project).lines).toMatchObject([{ file: 'brand.ts', line: 3 }])
})

describe('what is shown of a stack', () => {
  const thrown = (message: string, ...frames: string[]) =>
    Object.assign(new Error(message), { stack: `Error: ${message}\n${frames.join('\n')}` })

  test('only the frames of the project, and none that the message imitates', () => {
    writeFileSync(join(folder, 'rates.ts'), 'one\ntwo\nthree\n')
    const error = thrown(
      `gone\n    at fake (${folder}/fake.ts:1:1)`,
      `    at quote (file://${folder}/rates.ts?again=2:2:1)`,
      '    at process.processTicksAndRejections (node:internal/process/task_queues:105:5)',
      `    at call (file://${folder}/node_modules/carrier/index.js:9:9)`,
      `    at async ask (${folder}/rates.ts:3:2)`,
      `    at async ${folder}/other.ts:4:4`,
    )
    const { lines, frames } = sourceFault(error, folder)
    expect(frames).toEqual(['quote (rates.ts:2:1)', 'ask (rates.ts:3:2)', 'other.ts:4:4'])
    expect(lines).toEqual([{ file: 'rates.ts', line: 2, column: 1, text: 'two' }])
  })

  test('a line that may hold a secret, and one that a program wrote, are named and not shown', () => {
    const file = join(folder, 'hidden.ts')
    writeFileSync(file, `const apiKey = 'abc'\n${'x'.repeat(301)}\n`)
    for (const line of [1, 2])
      expect(sourceFault(thrown('no', `    at ${file}:${line}:1`), folder).lines).toEqual([
        { file: 'hidden.ts', line, column: 1 },
      ])
  })

  test('the message has the cause of an error', () => {
    const error = new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') })
    expect(sourceFault(error, folder).message).toBe('TypeError: fetch failed: connect ECONNREFUSED')
  })

  test('an error that never was in own code has the line of what caused it, otherwise of the adapter that it is about', () => {
    writeFileSync(join(folder, 'van.ts'), "\nexport const van = { name: 'van' }\n")
    const outside = () => thrown('no', '    at node:internal/x:1:1')
    const lineOf = (error: Error) =>
      sourceFault(error, folder).lines.map(({ file, line }) => `${file}:${line}`)
    expect(lineOf(outside())).toEqual([])
    expect(lineOf(blame(outside(), 'all/van', undefined))).toEqual(['van.ts:2'])
    expect(lineOf(Object.assign(outside(), { cause: blame(outside(), 'van', undefined) }))).toEqual([
      'van.ts:2',
    ])
    const own = thrown('no', `    at ${join(folder, 'own.ts')}:7:1`)
    expect(lineOf(Object.assign(blame(outside(), 'van', undefined), { cause: own }))).toEqual(['own.ts:7'])
    // The first adapter that was noted stays: the one inside.
    expect(lineOf(blame(blame(outside(), 'van', undefined), 'nobody', undefined))).toEqual(['van.ts:2'])
    expect(blame('a text', 'van', undefined)).toBe('a text')
    expect(() => blame(Object.freeze(outside()), 'van', undefined)).not.toThrow()
    const hostile = new Proxy(outside(), {
      getPrototypeOf: () => {
        throw new Error('no')
      },
    })
    expect(blame(hostile, 'van', undefined)).toBe(hostile)
  })

  test('an error whose members throw has a fault too', () => {
    const error = Object.defineProperty(new Error('x'), 'stack', {
      get() {
        throw new Error('no stack')
      },
    })
    expect(sourceFault(error)).toEqual({ message: 'an error that cannot be read', lines: [], frames: [] })
  })
})
