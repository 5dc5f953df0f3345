import { Writable } from 'node:stream'
import { expect, onTestFinished, test, vi } from 'vitest'
import { coloured, type Output, widthOf } from '../../../src/cli/terminal/tables.ts'

const output = (more: Partial<NodeJS.WriteStream>) => Object.assign(new Writable(), more) as Output
const terminal = output({ isTTY: true, columns: 80, getColorDepth: () => 8 })
const plainTerminal = output({ isTTY: true, columns: 80, getColorDepth: () => 1 })
const pipe = output({})

test.for([
  ['a terminal', terminal, undefined, true],
  ['a terminal without colours', plainTerminal, undefined, false],
  ['a pipe', pipe, undefined, false],
  ['a pipe with FORCE_COLOR', pipe, '1', true],
  ['a pipe with an empty FORCE_COLOR', pipe, '', true],
  ['a terminal with FORCE_COLOR=0', terminal, '0', false],
] as const)('%s', ([_name, to, forced, has]) => {
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('FORCE_COLOR', forced)
  vi.stubEnv('NO_COLOR', undefined)
  expect(coloured('red', 'no', to)).toBe(has ? '\u001b[31mno\u001b[39m' : 'no')
  expect(coloured('red', '', to)).toBe('')
})

test('only a terminal has a width, and one that knows it', () => {
  expect([terminal, pipe, output({ isTTY: true, columns: 0 })].map(widthOf)).toEqual([
    80,
    undefined,
    undefined,
  ])
  expect(widthOf(output({ columns: 80 }))).toBeUndefined()
})
