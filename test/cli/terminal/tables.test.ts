import { Writable } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  coloured,
  cutTo,
  inColumns,
  type Output,
  padded,
  widthIn,
  widthOf,
} from '../../../src/cli/terminal/tables.ts'
import { forAll } from '../../for-all.ts'

const titles = ['shop', 'order', 'last failure']
const rows = [
  ['bikes', '1042', 'the receiver answered 503 Service Unavailable'],
  ['cars', '7', 'timeout'],
]

describe('a table', () => {
  test('without a terminal has a line for each row, however long', () => {
    expect(inColumns(titles, rows, undefined)).toEqual([
      'shop   order  last failure',
      'bikes  1042   the receiver answered 503 Service Unavailable',
      'cars   7      timeout',
    ])
  })

  test('on a narrow terminal wraps its widest cells by words', () => {
    expect(inColumns(titles, rows, 40)).toEqual([
      'shop   order  last failure',
      'bikes  1042   the receiver answered 503',
      '              Service Unavailable',
      'cars   7      timeout',
    ])
  })

  test('wraps a word that is wider than its column, and loses none of it', () => {
    const id = 'a'.repeat(30)
    const lines = inColumns(['id', 'note'], [[id, 'x']], 20)
    expect(lines.every((line) => widthIn(line) <= 20)).toBe(true)
    expect(lines.join('').match(/a/g)).toHaveLength(30)
  })

  test('counts characters as wide as they are shown', () => {
    const cities = { 東京の店: 'Tokyo', café: 'Paris', '🚲 bikes': 'Gent', ｱｲｳ: 'half' }
    const lines = ['name      city', '東京の店  Tokyo', 'café      Paris', '🚲 bikes  Gent', 'ｱｲｳ       half']
    expect(inColumns(['name', 'city'], Object.entries(cities), undefined)).toEqual(lines)
  })

  test('shows nothing that steers the terminal', () => {
    expect(inColumns(['a'], [['\u001b[2J']], 80)).toEqual(['a', '\\u001b[2J'])
  })

  test('never is wider than the terminal, and never loses a letter', () => {
    const cell = fc.stringMatching(/^[a-z東🚲]{0,12}( [a-z東🚲]{1,12}){0,4}$/u)
    const table = fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 4 })
    forAll(table, fc.integer({ min: 28, max: 90 }), (cells, width) => {
      const lines = inColumns(['one', 'two', 'three'], cells, width)
      expect(Math.max(...lines.map(widthIn))).toBeLessThanOrEqual(width)
      const letters = (texts: readonly string[]) => [...texts.join('').replace(/ /g, '')].sort().join('')
      const shown = letters(lines)
      for (const letter of letters(cells.flat())) expect(shown).toContain(letter)
      expect(shown.length).toBeGreaterThanOrEqual(letters(cells.flat()).length)
    })
  })
})

test('a text is cut with an ellipsis where it is too wide', () => {
  expect([cutTo(10, 'short'), cutTo(5, 'longer'), cutTo(5, '東京の店')]).toEqual(['short', 'long…', '東京…'])
  expect(padded('東', 4)).toBe('東  ')
})

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
  const none = [pipe, output({ isTTY: true, columns: 0 }), output({ columns: 80 })]
  expect([terminal, ...none].map(widthOf)).toEqual([80, undefined, undefined, undefined])
})
