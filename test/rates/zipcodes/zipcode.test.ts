import { expect, test } from 'vitest'
import { highestOf, numberOf, rankOf, zipcodeKey, zipcodeText } from '../../../src/rates/zipcodes/zipcode.ts'

test.each([
  ['nl', ' 1012 lg', '1012LG'],
  ['nl', 'NL-8881 AA', '8881AA'],
  ['nl', 'nl1012lg', '1012LG'],
  ['nl', '１０１２ＬＧ', '1012LG'],
  ['nl', '1012', '1012'],
  ['nl', '1012LGB1234567', '1012LGB123'],
  ['pl', '00-950', '00950'],
  ['lv', 'LV-1010', '1010'],
  ['lu', 'L-1009', '1009'],
  ['lt', 'LT-01100', '01100'],
  ['de', 'D-27498', '27498'],
  ['de', 'D 27498', '27498'],
  ['de', 'B-1000', 'B1000'],
  ['fi', 'AX-22100', '22100'],
  ['ad', 'AD500', '500'],
  ['eg', '١١٥١١', '11511'],
  ['ir', '۱۲۳۴۵۶۷۸۹۰', '1234567890'],
  ['us', '90210-1234', '902101234'],
  ['ca', 'CA K1A 0B1', 'K1A0B1'],
  ['ie', 'd6w xy00', 'D6WXY00'],
  ['mt', 'VLT 1117', 'VLT1117'],
  ['gb', 'PO3 5LX', 'PO03 5LX'],
  ['gb', 'po35lx', 'PO03 5LX'],
  ['gb', 'GB-PO3 5LX', 'PO03 5LX'],
  ['gb', 'PO35 5LX', 'PO35 5LX'],
  ['gb', 'BT1 1AA', 'BT01 1AA'],
  ['gb', 'BT11 1AA', 'BT11 1AA'],
  ['gb', 'W1A 1AA', 'W 01A1AA'],
  ['gb', 'B1 1AA', 'B 01 1AA'],
  ['gb', 'BH2', 'BH02'],
  ['gb', 'PO35', 'PO35'],
  ['gb', 'W1A', 'W 01A'],
  ['gb', 'PO3 5', 'PO03 5'],
  ['gb', 'PO3 5L', 'PO03 5L'],
  ['gb', 'PO', 'PO'],
  ['gb', 'GIR 0AA', 'GIR0AA'],
  ['im', 'IM1 1AA', 'IM01 1AA'],
  ['hk', '12-34', '1234'],
  ['', '', ''],
])('%s writes %s as %s', (country, text, key) => {
  expect(zipcodeKey(country, text)).toBe(key)
})

test.each(['PO3 5LX', 'PO3', 'W1A 1AA', 'W1A', 'B', 'PO', 'B1', 'PO35', 'PO3 5'])(
  'the key of %s is written as it was',
  (text) => {
    expect(zipcodeText('gb', zipcodeKey('gb', text))).toBe(text)
  },
)

test('keys sort as zipcodes do, a beginning in front of all that begin with it', () => {
  const keys = ['', 'B 01', 'BH02', 'BH02 2BC', 'BH03', 'BH20', 'BT01', '1012', '1012LG'].map((key) =>
    numberOf(key),
  )
  expect(keys.slice(0, 7)).toEqual(keys.slice(0, 7).toSorted((one, other) => one - other))
  expect(keys[7]! < keys[8]! && keys[8]! < highestOf('1012')).toBe(true)
  expect(Number.isSafeInteger(highestOf(''))).toBe(true)
})

test('a rank counts the whole zipcodes of a country', () => {
  const covers = (country: string, from: string, to = from) =>
    rankOf(country, to, true) - rankOf(country, from, false)
  expect(covers('nl', '')).toBe(10_000 * 26 * 26)
  expect([covers('nl', '1012AB'), covers('nl', '10'), covers('nl', '1000', '1099')]).toEqual([
    1, 67_600, 67_600,
  ])
  expect([covers('nl', 'B10'), covers('de', '1000', '1999'), covers('gb', 'BH02', 'BH04')]).toEqual([
    0,
    10_000,
    3 * 27 * 6760,
  ])
  // Without a form, a prefix and its range cover the same, and one lies in a wider one.
  expect(covers('hk', '10')).toBe(covers('hk', '1000', '1099'))
})
