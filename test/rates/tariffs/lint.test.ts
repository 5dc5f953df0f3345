import { describe, expect, test } from 'vitest'
import type { TableFault } from '../../../src/rates/files/cells.ts'
import { lintTable, mostFindings } from '../../../src/rates/tariffs/lint.ts'
import { gapsOfDays } from '../../../src/rates/tariffs/lint-zones.ts'
import { rowReader, type TableRow } from '../../../src/rates/tariffs/row.ts'
import { tableOf } from '../../../src/rates/tariffs/table.ts'

/** The findings of a tariff for the Netherlands, as `line kind message`. */
const findings = (header: string, ...lines: string[]) =>
  found(`id,title,country,price_excl,${header}`, ...lines.map((line) => `door,Door,nl,5,${line}`))

function found(header: string, ...lines: string[]) {
  const faults: TableFault[] = []
  const fault = (one: TableFault) => void faults.push(one)
  const read = rowReader(header.split(','), { taxRate: '0.21', currency: undefined }, fault)!
  const rows = lines.map((line, at) => read(line.split(','), at + 2)!)
  expect(faults).toEqual([])
  return lintTable(tableOf(rows)).map(({ line, kind, message }) => `${line} ${kind} ${message}`)
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
    '3 overlap overlaps line 2: where both fit, the narrower band is taken',
  ])
  expect(findings(both, ',,,50', ',,50,')).toEqual([])
})

test('lines that all overlap are no reason to look at every pair of them', () => {
  const lines = Array.from({ length: 500 }, (_, at) => `door,Door,nl,5,0,${at + 1}`)
  const all = found(`id,title,country,price_excl,${weights}`, ...lines)
  expect(all).toHaveLength(mostFindings)
  expect(all[0]).toBe('3 overlap overlaps line 2: where both fit, the narrower band is taken')
})

const priced = 'id,title,country,price_excl,currency'

test('a price in cents among prices in euros is found, whatever method or zone has it', () => {
  expect(found(priced, 'door,Door,nl,6.95,', 'door,Door,be,8.50,', 'point,Point,nl,695,')).toEqual([
    '4 cents price_excl is 695 among prices such as 8.50: did you mean 6.95? Write 695.00 if it is right',
  ])
  const incl = 'id,title,country,weight_to,price_incl'
  const band = (to: string, price: string) => `door,Door,nl,${to},${price}`
  expect(found(incl, band('1', '4.95'), band('2', '6.5'), band('5', '1295'), band('', '49.95'))).toContain(
    '4 cents price_incl is 1295 among prices such as 6.50: did you mean 12.95? Write 1295.00 if it is right',
  )
})

test.each([
  ['freight, which as cents would be less than all others', ['6.95', '8.50', '250'], ''],
  ['a high price with a point', ['6.95', '8.50', '695.00'], ''],
  ['prices that rise', ['9.95', '99.50', '950'], ''],
  ['prices without a point', ['500', '600', '80000'], ''],
  ['free delivery', ['0', '695'], ''],
  ['a currency without cents', ['6.95', '8.50', '695'], 'jpy'],
])('%s is no price in cents', (_, prices, currency) => {
  const lines = prices.map((price, at) => `door,Door,${['nl', 'be', 'de'][at]},${price},${currency}`)
  expect(found(priced, ...lines)).toEqual([])
})

test('prices in two currencies are not compared', () => {
  const lines = ['door,Door,nl,6.95,eur', 'door,Door,se,695,sek', 'door,Door,no,595.50,nok']
  expect(found(priced, ...lines)).toEqual([])
})

const dates = `${weights},valid_from,valid_until`

test('days between two lines that no line covers are named', () => {
  expect(findings(dates, ',,,2026-11-30', ',,2026-12-01,')).toEqual([])
  expect(findings(dates, ',,,2026-11-30', ',,2026-12-02,')).toEqual([
    '3 gap no line is in use on 2026-12-01, between line 2 and this one',
  ])
  expect(findings(dates, ',,2026-12-05,', ',,,2026-11-30')).toEqual([
    '2 gap no line is in use from 2026-12-01 to 2026-12-04, between line 3 and this one',
  ])
  // A line without dates covers the days between.
  expect(findings(dates, ',5,,2026-11-30', ',5,2026-12-02,', ',,,').join()).not.toContain(' gap ')
})

test.each([
  [dates, [',2,,', '2,10,,2026-11-30', '2,10,2026-12-02,'], 3],
  [dates, [',10,,2026-11-30', ',5,2026-12-01,', '5,10,2026-12-02,'], 2],
  [`${both},valid_from,valid_until`, [',,,50,,', ',,50,,,2026-11-30', ',,50,,2026-12-02,'], 3],
])(
  'days are looked at for each weight and value, also where the bands changed: %s %j',
  (header, lines, line) => {
    const gap = `4 gap no line is in use on 2026-12-01, between line ${line} and this one`
    expect(findings(header, ...lines)).toEqual([gap])
  },
)

test('a line that ends earlier covers no days of the weights and values behind it', () => {
  const before = [',10,,2026-11-30', ',10,2026-12-02,']
  const gap = 'gap no line is in use on 2026-12-01, between line 2 and this one'
  expect(findings(dates, ...before, ',5,,')).toContain(`3 ${gap}`)
  expect(findings(dates, ...before, ',,,')).not.toContain(`3 ${gap}`)
})

test('thousands of dated lines are looked at once for each band, and their days are written once', () => {
  const day = 86_400_000
  // Each line adds a band, and the days between it and the line before it lie in all bands from there on.
  const rows = Array.from({ length: 4_000 }, (_, at) => ({
    line: at + 2,
    weight: { from: at, to: Number.POSITIVE_INFINITY },
    value: { from: 0, to: Number.POSITIVE_INFINITY },
    validFrom: at * 2 * day,
    validUntil: (at * 2 + 1) * day,
  }))
  const gaps = gapsOfDays(rows as TableRow[])
  expect(gaps).toHaveLength(3_999)
  expect(gaps.at(-1)!.line).toBe(4_001)
})

describe('surcharges', () => {
  const columns = 'zipcode,price_excl,kind,applies_to,surcharge_percent,valid_from,valid_until'
  const surcharges = (...lines: string[]) =>
    found(`id,title,country,${columns}`, 'door,Door,nl,,5,,,,,', ...lines)

  const fuel = (from = '', until = '') => `fuel,,nl,,,surcharge,,10,${from},${until}`
  test.each([
    [fuel('2026-11-01', '2026-11-30'), fuel('2026-11-15'), ' from 2026-11-15 to 2026-11-30'],
    [fuel(), 'fuel,,*,,,surcharge,,12,,', ''],
    [fuel('2026-11-30', '2026-11-30'), fuel('', '2026-11-30'), ' on 2026-11-30'],
    [fuel('2026-11-01'), fuel(), ' from 2026-11-01 on'],
    [fuel('', '2026-11-01'), fuel(), ' until 2026-11-01'],
  ])('one surcharge that two lines charge at a time is found: %s and %s%s', (one, other, when) => {
    const twice = `4 twice is charged beside line 3${when}: both are added`
    expect(surcharges(one, other)).toEqual([twice])
  })

  test.each([
    ['other days', ',,nl,,,surcharge,,10,,2026-11-30', ',,nl,,,surcharge,,10,2026-12-01,'],
    ['other countries', ',,nl|lu,,,surcharge,,10,,', ',,be|de,,,surcharge,,10,,'],
    ['other zipcodes', ',,nl,10*,,surcharge,,10,,', ',,nl,1100-1999|2000,,surcharge,,10,,'],
    ['other methods', ',,nl,,,surcharge,door,10,,', ',,nl,,,surcharge,point,10,,'],
  ])('%s are charged apart', (_, one, other) => {
    expect(surcharges(`fuel${one}`, `fuel${other}`)).toEqual([])
  })

  test.each([
    ['a zipcode in a range', ',,nl,1000-1999,,surcharge,,10,,', ',,nl,1012AB,,surcharge,,10,,'],
    ['a prefix in a country', ',,nl,,,surcharge,,10,,', ',,nl,10*,,surcharge,,10,,'],
    ['a method of all', ',,nl,,,surcharge,,10,,', ',,nl,,,surcharge,door,10,,'],
  ])('%s pays twice', (_, one, other) => {
    expect(surcharges(`fuel${one}`, `fuel${other}`)).toHaveLength(1)
    expect(surcharges(`fuel${one}`, `oil${other}`)).toEqual([])
  })
})
