import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { none } from '../../../src/index.ts'
import { placeOfFunction } from '../../../src/observability/source-faults/function-place.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'purveyor-function-')))
afterAll(() => rmSync(folder, { recursive: true }))

const file = join(folder, 'adapters.cjs')
writeFileSync(
  file,
  `class Carrier {
  async quote() {}
}
const carrier = new Carrier()
module.exports = {
  method: carrier.quote,
  arrow: () => 1,
  bound: carrier.quote.bind(carrier).bind(undefined),
  native: [].map,
}
`,
)
const load = createRequire(import.meta.url)
const functions = load(file) as Record<string, unknown>

test.each([
  ['method', 2, 14],
  ['arrow', 7, 10],
  ['bound', 2, 14],
])('the place of a function: %s', (name, line, column) => {
  expect(placeOfFunction(functions[name])).toEqual({ file, line, column })
})

test.each([
  ['of the engine', functions.native],
  ['of Node', setTimeout],
  ['of a package', load('express')],
  ['of this framework', none],
  ['that is none', { quote: 1 }],
  ['that is missing', undefined],
])('there is no place of a function %s', (_what, code) => {
  expect(placeOfFunction(code)).toBeUndefined()
})

test('nothing is left behind in the global object', () => {
  const before = Reflect.ownKeys(globalThis)
  placeOfFunction(functions.arrow)
  expect(Reflect.ownKeys(globalThis)).toEqual(before)
})
