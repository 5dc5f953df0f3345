import { expect, test } from 'vitest'
import type { TableFault } from '../../../src/adapters/table-rates/cells.ts'
import { lintTable } from '../../../src/adapters/table-rates/lint.ts'
import { rowReader } from '../../../src/adapters/table-rates/row.ts'
import { tableOf } from '../../../src/adapters/table-rates/table.ts'

/** The findings of a tariff for the Netherlands, as `line kind message`. */
function findings(header: string, ...lines: string[]) {
  const faults: TableFault[] = []
  const fault = (one: TableFault) => void faults.push(one)
  const names = ['id', 'title', 'country', 'price_excl', ...header.split(',')]
  const read = rowReader(names, { taxRate: '0.21', currency: undefined }, fault)!
  const rows = lines.map((line, at) => read(['door', 'Door', 'nl', '5', ...line.split(',')], at + 2)!)
  expect(faults).toEqual([])
  return lintTable(tableOf(rows, fault)!).map(({ line, kind, message }) => `${line} ${kind} ${message}`)
}
const weights = 'weight_from,weight_to'
const both = `${weights},value_from,value_to`

test('bands that follow each other are fine, and so is one without an end', () => {
  expect(findings(weights, ',2', '2,10', '10,')).toEqual([])
})

test('weights that no line covers are named with the lines around them', () => {
  expect(findings(weights, '1,2', '3,10', '10,')).toEqual([
    '2 gap nothing covers weights from 0 to 1',
    '3 gap nothing covers weights from 2 to 3, between line 2 and this one',
  ])
  // A narrow line within a wide one ends no band.
  expect(findings(weights, ',9', '1,2', '10,')).toContain(
    '4 gap nothing covers weights from 9 to 10, between line 2 and this one',
  )
})

test('values that no line covers are named within their band of weight, to the last', () => {
  expect(findings(both, ',2,,50', ',2,60,100', '2,,,')).toEqual([
    '3 gap nothing covers values from 50 to 60, between line 2 and this one',
    '3 gap nothing covers values from 100 on',
  ])
})

test('lines that cover the same are named, those that touch are not', () => {
  expect(findings(weights, ',2', ',2', '2,')).toEqual([
    '3 twice says the same as line 2: the lower price is taken',
  ])
  expect(findings(weights, '1,', ',2')).toEqual([
    '3 overlap overlaps line 2: where both fit, the tighter band is taken',
  ])
  expect(findings(both, ',,,50', ',,50,')).toEqual([])
})
