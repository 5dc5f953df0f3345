import { spawnSync } from 'node:child_process'
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { PurveyorError } from '../../../src/errors/errors.ts'
import {
  faultText,
  type SourceFault,
  sourceFault,
} from '../../../src/observability/source-faults/source-fault.ts'
import { folderWith } from '../../folder.ts'

const folder = realpathSync(folderWith())

const source = (path: string) => JSON.stringify(new URL(`../../../src/${path}`, import.meta.url).href)

const exportsNames = 'export const courier = 1\nexport interface Tariff {}\nexport { courier as van }\n'

/** A package with nothing but this code. */
const vansPackage = (code: string) => ({
  'node_modules/vans/package.json': '{ "type": "module", "exports": "./index.js" }',
  'node_modules/vans/index.js': code,
})

/** Each mistake with the code of `a.ts`, the files beside it, and what a developer reads of it. */
const mistakes: Record<string, { code: string; also?: Record<string, string>; shown: string }> = {
  'a syntax error': {
    code: 'const a = 1\nconst b = {,}\n',
    shown: `Syntax error: Unexpected token \`,\`. Expected identifier, string literal, numeric literal or [ for the computed key
  a.ts:2:12
  1 | const a = 1
  2 | const b = {,}
    |            ^
Correct this line, or the one before it.`,
  },
  'code that stops early': {
    code: 'const a = (\n',
    shown: `Syntax error: Expression expected
  a.ts:1
  1 | const a = (
Correct this line, or the one before it.`,
  },
  'code whose end is missing': {
    code: 'const a = {\n  b: [1],\n',
    shown: `Syntax error: the file ends before its code does
  a.ts:2
  2 |   b: [1],
Close the bracket, brace, quote or comment that is open further up.`,
  },
  'syntax that only TypeScript compiles': {
    code: 'enum A { B }\n',
    shown: `Syntax error: TypeScript enum is not supported in strip-only mode
  a.ts:1:1
  1 | enum A { B }
    | ^
Node removes types but does not translate TypeScript, so write this part in JavaScript.`,
  },
  'a name that is exported otherwise': {
    code: "import { couriers } from './names.ts'\n",
    also: { 'names.ts': exportsNames },
    shown: `The requested module './names.ts' does not provide an export named 'couriers'
  a.ts:1:10
  1 | import { couriers } from './names.ts'
    |          ^
Correct the name or the module. A type is imported with \`import type\`, or with \`type\` before its name.`,
  },
  'a part of another package that is not there': {
    code: "import a from 'vans/parts'\n",
    also: vansPackage('export default 1\n'),
    shown: `Package subpath './parts' is not defined by "exports" in ${folder}/5/node_modules/vans/package.json
  a.ts:1
  1 | import a from 'vans/parts'
Import what the package exports.`,
  },
  'an import without the ending': {
    code: "import './names'\n",
    also: { 'names.ts': exportsNames },
    shown: `There is no file names
  a.ts:1
  1 | import './names'
It is not there: check the path. An import names the file with its own ending.`,
  },
  'an import with the ending of a build': {
    code: "\nimport './names.js'\n",
    also: { 'names.ts': exportsNames },
    shown: `There is no file names.js
  a.ts:2
  2 | import './names.js'
It is not there: did you mean names.ts? An import names the file with its own ending.`,
  },
  'an import of a file that is not there': {
    code: "import './nowhere.ts'\n",
    shown: `There is no file nowhere.ts
  a.ts:1
  1 | import './nowhere.ts'
It is not there: check the path. An import names the file with its own ending.`,
  },
  'an import of a package that is not installed': {
    code: "const a = 1\nimport b from 'not-here/part'\n",
    shown: `Cannot find package 'not-here'
  a.ts:2
  2 | import b from 'not-here/part'
Run \`npm install not-here\`, or correct the name.`,
  },
  'a file of JSON with a comma too many': {
    code: "import b from './b.json' with { type: 'json' }\n",
    also: { 'b.json': '{\n  "a": 1,\n}\n' },
    shown: `b.json is not JSON: Expected double-quoted property name
  b.json:3:1
  2 |   "a": 1,
  3 | }
    | ^
JSON has double quotes around names and texts, and no comma after the last value.`,
  },
  'an error at the start': {
    code: 'const load = () => {\n\tmissing.name()\n}\nload()\n',
    shown: `ReferenceError: missing is not defined
  a.ts:2:2
  1 | const load = () => {
  2 |  missing.name()
    |  ^
  3 | }
    at a.ts:4:1`,
  },
  'a value that is no error': {
    code: "const a = 1\n// throw 'nothing works'\nif (a) throw 'nothing works'\n",
    shown: `the code threw the text "nothing works" and no error
Write throw new Error('...') instead: an error names the line that threw it.`,
  },
  'options that are wrong': {
    code: `import { flatRate } from ${source('rates/index.ts')}
export const door = flatRate({
  id: 'door',
  titel: 'At your door',
  title: 'At your door',
  excl: '5',
  taxRate: '21',
})
`,
    shown: `flatRate() cannot use these options:
  taxRate: must be a fraction below 1: did you mean 0.21?
  titel: is not an option: did you mean title?
  a.ts:2:21
  1 | import { flatRate } from ${source('rates/index.ts')}
  2 | export const door = flatRate({
    |                     ^
  3 |   id: 'door',`,
  },
  'an option that is missing': {
    code: `import { flatRate } from ${source('rates/index.ts')}
flatRate({ id: 'door', excl: '5', taxRate: '0.21' })
`,
    shown: `flatRate() cannot use these options:
  title: must be a text, or one for each language: { en: 'At your door', nl: 'Aan de deur' }
  a.ts:2:1
  1 | import { flatRate } from ${source('rates/index.ts')}
  2 | flatRate({ id: 'door', excl: '5', taxRate: '0.21' })
    | ^`,
  },
  'a member of an adapter with a near miss': {
    code: `import { createProvider } from ${source('index.ts')}
import { courier } from './courier.js'
createProvider({ rates: courier, development: true })
`,
    also: { 'courier.js': "export const courier = {\n  name: 'van',\n  quot: () => [],\n}\n" },
    shown: `The configuration has a problem:
  - rates: adapter "van" has no member quot: did you mean quote? Rename it if it is a member of your own
  a.ts:3:1
  2 | import { courier } from './courier.js'
  3 | createProvider({ rates: courier, development: true })
    | ^`,
  },
  'settings that are wrong': {
    code: `import { createProvider } from ${source('index.ts')}
process.env.PORT = 'eighty'
process.env.PURVEYOR_STOP_DELAY = 'long'
createProvider({ rates: { name: 'van', quote: () => [] }, development: true })
`,
    shown: `The configuration has problems:
  - port (PORT) must be a number
  - http.stopDelay (PURVEYOR_STOP_DELAY) must be a number of milliseconds`,
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

describe('files of data', () => {
  test('a tariff: the line of each fault', () => {
    const [file, place] = ['tariff.csv', join(folder, 'tariff.csv')]
    writeFileSync(place, 'id,country,price_excl\n"a, b",nl,"5,x"\nb,xx,6\n')
    const faults = [
      { path: 'tariff.csv:2 price_excl', message: 'is not a number' },
      { path: 'tariff.csv:3 country', message: 'is not a country' },
    ]
    const message = 'The tariff cannot be used:'
    const error = new PurveyorError('RATE_TABLE_INVALID', `${message}\n  ...`, { place, faults })
    expect(sourceFault(Object.assign(error, { stack: `Error: ${message}` }), folder)).toEqual({
      message,
      lines: [
        { file, line: 2, text: '"a, b",nl,"5,x"', message: 'price_excl: is not a number' },
        { file, line: 3, text: 'b,xx,6', message: 'country: is not a country' },
      ],
      remedy: expect.stringContaining('purveyor rates lint'),
      frames: [],
    })
  })

  test('a tariff that is named from the working directory', () => {
    writeFileSync(join(folder, 'eu.csv'), '\uFEFF"ID";price_incl;Price_Excl\nb;5,5;x\n')
    const error = new PurveyorError('RATE_TABLE_INVALID', 'wrong', {
      place: 'eu.csv',
      faults: [{ path: 'eu.csv:2 price_excl', message: 'x is not a number' }],
    })
    expect(faultText(sourceFault(error, folder)).split('\n')).toEqual([
      'price_excl: x is not a number',
      '  eu.csv:2',
      '  2 | b;5,5;x',
      expect.stringContaining('purveyor rates lint'),
    ])
  })
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
    const around = { before: 'one', text: 'two', after: 'three' }
    expect(lines).toEqual([{ file: 'rates.ts', line: 2, column: 1, ...around }])
  })

  test('a line that may hold a secret, and one that a program wrote, are named and not shown', () => {
    const file = join(folder, 'hidden.ts')
    writeFileSync(file, `const apiKey = 'abc'\n${'x'.repeat(301)}\n`)
    for (const line of [1, 2]) {
      const { lines } = sourceFault(thrown('no', `    at ${file}:${line}:1`), folder)
      expect(lines).toEqual([{ file: 'hidden.ts', line, column: 1 }])
    }
  })

  test('the message has the cause of an error', () => {
    const error = new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') })
    expect(sourceFault(error, folder).message).toBe('TypeError: fetch failed: connect ECONNREFUSED')
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
