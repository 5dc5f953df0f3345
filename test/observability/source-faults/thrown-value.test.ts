import { join } from 'node:path'
import { expect, test } from 'vitest'
import { faultText, sourceFault } from '../../../src/observability/source-faults/source-fault.ts'
import { ThrownValue } from '../../../src/observability/source-faults/thrown-value.ts'
import { folderWith, purveyor } from '../../cli/command.ts'

const remedy = "Write throw new Error('...') instead: an error names the line that threw it."

const read = (code: string, value: unknown, also: Record<string, string> = {}) => {
  const folder = folderWith({ 'provider.ts': code, ...also })
  return faultText(sourceFault(new ThrownValue(value, join(folder, 'provider.ts')), folder))
}

test.each<[code: string, value: unknown, says: string, at?: string]>([
  ["throw 'x'\n", 'x', 'the text "x"', '1:1'],
  ['if (true) throw "x"\n', 'x', 'the text "x"', '1:11'],
  ['throw undefined\n', undefined, 'undefined', '1:1'],
  ['throw null\n', null, 'null', '1:1'],
  ['throw 5\nthrow 55\n', 5, 'a number', '1:1'],
  ['throw { code: 5 }\n', { code: 5 }, 'an object', '1:1'],
  ["throw ['x']\n", ['x'], 'a list', '1:1'],
  ["await Promise.reject('x')\n", 'x', 'the text "x"', '1:15'],
  ['await Promise.reject()\n', undefined, 'undefined', '1:15'],
  // The only one that is no error.
  ["const words = 'x'\nthrow new Error('y')\nthrow words\n", 'x', 'the text "x"', '3:1'],
  // Which of them it was cannot be known.
  ["throw 'x'\nthrow 'x'\n", 'x', 'the text "x"'],
  ['throw a\nthrow b\n', 'x', 'the text "x"'],
])('%j', (code, value, says, at) => {
  const text = read(code, value)
  expect(text).toContain(`the code threw ${says} and no error, while provider.ts was loaded\n`)
  expect(text).toMatch(/an error names the line that threw it\.$/)
  expect(/provider\.ts:(\d+:\d+)/.exec(text)?.[1]).toBe(at)
})

test('a file that the provider imports, and none that it does not', () => {
  const also = {
    'lib/zones.ts': "import './load.ts'\nexport const zones = 1\n",
    'lib/load.ts': "import '../provider.ts'\nthrow 'no zones'\n",
    'lib/other.ts': "throw 'no zones'\n",
  }
  expect(read("import { zones } from './lib/zones.ts'\n", 'no zones', also)).toBe(
    `the code threw the text "no zones" and no error, while provider.ts was loaded
  lib/load.ts:2:1
  2 | throw 'no zones'
    | ^
${remedy}`,
  )
})

test.for([
  ["throw 'no zones'\n", 'the text "no zones"'],
  ['const a: unknown = undefined\nthrow undefined\n', 'undefined'],
])('serve says where and what to write: %j', { timeout: 60_000 }, async ([code, says]) => {
  const cwd = folderWith({ 'provider.ts': code! })
  const { stderr, code: ended } = await purveyor(['serve'], { cwd })
  expect(stderr).toMatch(
    `purveyor: the code threw ${says} and no error, while provider.ts was loaded\n  provider.ts:`,
  )
  expect(stderr).toMatch(`${remedy}\n`)
  expect(ended).toBe(3)
})

test('a text that prepare() of an adapter throws is shown too', { timeout: 60_000 }, async () => {
  const cwd = folderWith({
    'provider.ts': `import { createProvider } from 'purveyor'
export default createProvider({
  rates: {
    name: 'van',
    quote: () => [],
    async prepare() {
      throw 'no van'
    },
  },
})
`,
  })
  const { stderr } = await purveyor(['serve', '--development', '--port', '0'], { cwd })
  expect(stderr).toContain('the code threw the text "no van" and no error\n  provider.ts:7:7\n')
  expect(stderr).toContain(remedy)
})
