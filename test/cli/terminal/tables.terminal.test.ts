import { describe, expect, test } from 'vitest'
import { coloured, hasColours, type Output, widthOf } from '../../../src/cli/terminal/tables.ts'

const output = (more: Partial<Output>): Output => ({ write: () => true, ...more }) as Output
const terminal = output({ isTTY: true, columns: 80, hasColors: () => true })
const plainTerminal = output({ isTTY: true, columns: 80, hasColors: () => false })
const pipe = output({})

describe('colours', () => {
  test.for([
    ['a terminal', terminal, {}, true],
    ['a terminal without colours', plainTerminal, {}, false],
    ['a pipe', pipe, {}, false],
    ['a terminal with NO_COLOR', terminal, { NO_COLOR: '1' }, false],
    ['a terminal with an empty NO_COLOR', terminal, { NO_COLOR: '' }, true],
    ['a pipe with FORCE_COLOR', pipe, { FORCE_COLOR: '1' }, true],
    ['a pipe with an empty FORCE_COLOR', pipe, { FORCE_COLOR: '' }, true],
    ['a terminal with FORCE_COLOR=0', terminal, { FORCE_COLOR: '0' }, false],
    ['a pipe with both', pipe, { FORCE_COLOR: '3', NO_COLOR: '1' }, true],
  ] as [string, Output, NodeJS.ProcessEnv, boolean][])('%s', ([_name, to, env, has]) => {
    expect(hasColours(to, env)).toBe(has)
  })

  test('a text gets a colour and loses it behind itself, and none on a pipe', () => {
    expect(coloured('red', 'no', pipe)).toBe('no')
    expect(coloured('red', '', terminal)).toBe('')
    const shown = coloured('red', 'no', terminal)
    if (process.env.NO_COLOR === undefined) expect(shown).toBe('\u001b[31mno\u001b[39m')
  })
})

test('only a terminal has a width, and one that knows it', () => {
  expect([terminal, pipe, output({ isTTY: true, columns: 0 })].map(widthOf)).toEqual([
    80,
    undefined,
    undefined,
  ])
  expect(widthOf(output({ columns: 80 }))).toBeUndefined()
})
