import { join } from 'node:path'
import { expect, test } from 'vitest'
import { faultText, sourceFault, ThrownValue } from '../../../src/observability/source-faults/source-fault.ts'
import { folderWith, purveyor } from '../../cli/command.ts'

const remedy = "Write throw new Error('...') instead: an error names the line that threw it."

test.each<[value: unknown, says: string]>([
  ['x', 'the text "x"'],
  [undefined, 'undefined'],
  [null, 'null'],
  [5, 'a number'],
  [{ code: 5 }, 'an object'],
  [['x'], 'a list'],
])('%j, which has no stack', (value, says) => {
  const folder = folderWith({ 'provider.ts': '' })
  const text = faultText(sourceFault(new ThrownValue(value, join(folder, 'provider.ts')), folder))
  expect(text).toBe(`the code threw ${says} and no error, while provider.ts was loaded\n${remedy}`)
})

test.for([
  ["throw 'no zones'\n", 'the text "no zones"'],
  ['const a: unknown = undefined\nthrow undefined\n', 'undefined'],
])('serve says in which file and what to write: %j', { timeout: 60_000 }, async ([code, says]) => {
  const cwd = folderWith({ 'provider.ts': code! })
  const { stderr, code: ended } = await purveyor(['serve'], { cwd })
  expect(stderr).toMatch(`purveyor: the code threw ${says} and no error, while provider.ts was loaded\n`)
  expect(stderr).toMatch(`${remedy}\n`)
  expect(ended).toBe(3)
})

test('a text that prepare() of an adapter throws is shown too', { timeout: 60_000 }, async () => {
  const cwd = folderWith({
    'provider.ts': `import { createProvider } from 'purveyor'
export default createProvider({
  rates: { name: 'van', quote: () => [], prepare: () => Promise.reject('no van') },
})
`,
  })
  const { stderr } = await purveyor(['serve', '--development', '--port', '0'], { cwd })
  expect(stderr).toContain('the code threw the text "no van" and no error\n')
  expect(stderr).toContain(remedy)
})
