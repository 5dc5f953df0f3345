import { expect, test } from 'vitest'
import {
  destinationOf,
  extentOf,
  liesIn,
  meet,
  readAreas,
  regionKey,
} from '../../../src/rates/zipcodes/areas.ts'

function read(country: string, zipcode: string, region = '') {
  const faults: string[] = []
  const areas = readAreas(country, { zipcode, region }, (message) => void faults.push(message))
  return { areas, faults, names: areas.map(({ name }) => name) }
}
const has = (country: string, cell: string, zipcode: string) =>
  read(country, cell).areas.some((area) => {
    const { zip } = destinationOf(country, zipcode)
    return extentOf(area).keys.some(([from, to]) => from <= zip && zip <= to)
  })

test('a cell has zipcodes, prefixes and ranges, with or without the sign of the country', () => {
  expect(read('nl', '1012 lg|10*|1000-1999|1000-1000').names).toEqual(['1012LG', '10*', '1000-1999', '1000'])
  expect(read('lu', 'L-1000-1999|L-1000-L-1999|L-1009').names).toEqual(['1000-1999', '1000-1999', '1009'])
  expect(read('pl', '00-950|00-001-00-999|00–09').names).toEqual(['00950', '00001-00999', '00-09'])
  expect(read('pt', '1000-001|1000-1999').names).toEqual(['1000001', '1000-1999'])
  expect(read('us', '90210-1234|90000-90999|100*-101*').names).toEqual([
    '902101234',
    '90000-90999',
    '100-101',
  ])
  expect(read('gb', 'BH2-BH4|IV1-28|IV1 - IV28|PO3-5LX|W1A-W1W|B').names).toEqual([
    'BH2-BH4',
    'IV1-IV28',
    'IV1-IV28',
    'PO3 5LX',
    'W1A-W1W',
    'B',
  ])
  expect(read('nl', '').areas).toMatchObject([{ name: '', inside: { spans: [{ from: '', to: '' }] } }])
})

test.each([
  ['nl', '1999-1000', '1999-1000 is not a range: write two zipcodes of one length, the lower one first'],
  ['nl', '100-1999', 'the lower one first, such as 0100-1999 if a spreadsheet dropped zeros'],
  ['fr', '1000-20190', 'the lower one first, such as 01000-20190 if a spreadsheet dropped zeros'],
  ['it', '40-199', 'the lower one first, such as 00040-00199 if a spreadsheet dropped zeros'],
  ['hk', '40-199', 'the lower one first, such as 040-199 if a spreadsheet dropped zeros'],
  ['fr', '100-19', '100-19 is not a range'],
  ['nl', '10**', '10** is not a zipcode: write 1012AB, a prefix such as 10*, or a range such as 1000-1999'],
  ['nl', '*', '* is not a zipcode'],
  ['nl', '1000-', '1000- is not a zipcode'],
  ['gb', 'EH1-', 'EH1- is not a zipcode'],
  ['nl', '12345678901', '12345678901 is not a zipcode'],
  ['nl', '10*||20*', 'nothing is not a zipcode'],
  ['gb', 'BH4-BH2', 'BH4-BH2 is not a range: write two districts of one area, the lower one first'],
  ['gb', 'AB1-AL5', 'AB1-AL5 is not a range: write two districts of one area'],
  ['nl', '!*', '* is not a zipcode'],
])('%s %s is refused with what to write', (country, cell, message) => {
  expect(read(country, cell).faults.join()).toContain(message)
})

test.each([
  ['PO35*', 'PO35 5LX', 'PO3 5LX'],
  ['PH15*', 'PH15 2AA', 'PH1 5QF'],
  ['PO3', 'PO3 5LX', 'PO30 5LX'],
  ['PO3*', 'PO30 5LX', 'PO40 5LX'],
  ['PO3*', 'PO3 5LX', 'PO1 3AA'],
  ['PO3', 'PO3', 'PO35'],
  ['BH2-BH4', 'BH4 1AA', 'BH20 2BC'],
  ['IV1-28', 'IV28 1AA', 'IV30 1AA'],
  ['W1', 'W1A 1AA', 'W11 1AA'],
  ['W1A', 'W1A 1AA', 'W1B 1AA'],
  ['B', 'B1 1AA', 'BT1 1AA'],
  ['B*', 'BT1 1AA', 'CB1 1AA'],
  ['BT*', 'BT1 1AA', 'B1 1AA'],
  ['PO3 5', 'PO3 5LX', 'PO35 5LX'],
  ['PO3 5*', 'PO3 5LX', 'PO3 4LX'],
  ['PO3 5AA-PO3 5LX', 'PO3 5BB', 'PO3 5XX'],
  ['!BT*', 'PO3 5LX', 'BT1 1AA'],
  ['BH2', 'BH2', 'BH20'],
])('in gb %s has %s and not %s', (cell, inside, outside) => {
  expect([has('gb', cell, inside), has('gb', cell, outside)]).toEqual([true, false])
})

test('an area lies in another one by the zipcodes of the country, however both are written', () => {
  const extent = (country: string, cell: string) => extentOf(read(country, cell).areas[0]!)
  const within = (country: string, one: string, other: string) =>
    liesIn(extent(country, one), extent(country, other))
  expect(within('nl', '10*', '1000-1999')).toBe(true)
  expect([within('nl', '10*', '1000-1099'), within('nl', '1000-1099', '10*')]).toEqual([true, true])
  expect([within('nl', '1500-2499', '1000-1999'), within('gb', 'PO3*', 'PO1-PO10')]).toEqual([false, false])
  expect([within('gb', 'PO35', 'PO3*'), within('gb', 'BT*', '!BT*')]).toEqual([true, false])
  expect(within('hk', '10*', '1000-1999')).toBe(true)
})

test('two areas meet where a destination lies in both', () => {
  const one = (cell: string, region = '') => read('us', cell, region).areas[0]!
  expect([meet(one('10*'), one('1000-1999')), meet(one('10*'), one('11*'))]).toEqual([true, false])
  expect([meet(one('', 'CA'), one('9*')), meet(one('', 'CA'), one('', 'NV'))]).toEqual([true, false])
})

test('a region is the same in capitals, with accents, and with the country in front', () => {
  expect([regionKey('us', ' us-ca'), regionKey('ca', 'Québec'), regionKey('es', 'CA')]).toEqual([
    'CA',
    'QUEBEC',
    'CA',
  ])
  expect(read('us', '', 'CA|us-nv').names).toEqual(['region CA', 'region NV'])
})
