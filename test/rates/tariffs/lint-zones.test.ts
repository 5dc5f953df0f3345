import { describe, expect, test } from 'vitest'
import { lintTable } from '../../../src/rates/tariffs/lint.ts'
import { rowReader } from '../../../src/rates/tariffs/row.ts'
import { tableOf } from '../../../src/rates/tariffs/table.ts'

/** The findings of a tariff with these lines, as `line kind zone: message`. */
function findings(header: string, ...lines: string[]) {
  const faults: string[] = []
  const read = rowReader(
    `id,title,price_excl,country,zipcode${header && `,${header}`}`.split(','),
    { taxRate: '0.21' },
    ({ line, message }) => void faults.push(`${line} ${message}`),
  )!
  const rows = lines.map((line, at) => read(`door,Door,5,${line}`.split(','), at + 2)!)
  expect(faults).toEqual([])
  return lintTable(tableOf(rows)).map(
    ({ line, kind, zone, message }) => `${line} ${kind} ${zone}: ${message}`,
  )
}

const noForm = (country: string) =>
  `does not have the form of zipcodes of ${country}: correct it, or remove it`
/** A gap of line 2 that line 3 does not fill. */
const gap = (zone: string, what: string, around: string) =>
  `2 gap ${zone}: ${what} here, and line 3 for ${around} is not asked: the narrower zone wins`
const above10 = 'nothing covers weights above 10'

describe('zones in zones', () => {
  test('zones that lie in each other, or apart, are fine', () => {
    expect(findings('', 'nl,', 'nl,1*', 'nl,1012-1013', 'nl,1012AB', 'nl,2000-2999', 'nl,!1*')).toEqual([])
    expect(findings('', 'gb,', 'gb,BT*', 'gb,BT1 1AA', 'gb,BH2-BH4', 'gb,BH20', 'gb,!BT*')).toEqual([])
  })

  test('zones that overlap are named with the line that each other is of', () => {
    expect(findings('', 'nl,1000-1999', 'nl,1500-2499')).toEqual([
      '3 overlap nl 1500-2499: overlaps nl 1000-1999 of line 2: where both fit, the one with fewer zipcodes wins. Put one inside the other, or divide them',
    ])
    expect(findings('', 'gb,!BT*', 'gb,!IM*').join()).toContain('overlaps gb !BT* of line 2')
    expect(findings('', 'gb,PO1-PO10', 'gb,PO3*').join()).toContain('overlaps gb PO1-PO10 of line 2')
    expect(findings('', 'hk,1000-1999', 'hk,1500-2499').join()).toContain('overlaps hk 1000-1999 of line 2')
  })

  test('a line whose zipcodes are all taken by narrower ones never wins', () => {
    const lines = ['nl,10*', 'nl,1000-1049', 'nl,1050-1099']
    expect(findings('', ...lines)).toEqual([
      '2 never nl 10*: never wins: narrower lines cover all of its zipcodes. Remove it, or them',
    ])
    expect(findings('', ...lines.slice(0, 2))).toEqual([])
    expect(findings('', 'gb,W1', 'gb,W1A-W1Z')).toEqual([])
    const parts = Array.from({ length: 10 }, (_, at) => `de,${at}*`)
    expect(findings('', 'de,', ...parts)).toEqual([])
  })

  test('two ways to write one zone are one zone', () => {
    expect(findings('', 'nl,10*', 'nl,1000-1099')).toEqual([
      '3 twice nl 10*: says the same as line 2: the lower price is taken',
    ])
    expect(findings('weight_from,weight_to', 'nl,10*,0,5', 'nl,1000-1099,5,')).toEqual([])
  })

  test('weights that only the zone around a zone has are missing in it', () => {
    expect(findings('weight_to', 'fr,20*,10', 'fr,,31')).toEqual([gap('fr 20*', above10, 'fr')])
    expect(findings('weight_to', 'fr,20*,31', 'fr,,31')).toEqual([])
    expect(findings('weight_to,region', 'us,,10,CA', 'us,,31,')).toEqual([gap('us region CA', above10, 'us')])
    // The next zone around it counts, not the widest.
    expect(findings('weight_to', 'fr,20000,10', 'fr,20*,10', 'fr,,31')).toHaveLength(1)
  })

  test('weights that only the line for all other countries has are missing', () => {
    expect(findings('weight_to', 'fr,,10', '*,,31')).toEqual([gap('fr', above10, '*')])
    expect(findings('weight_to', 'fr,20*,10', '*,,31')).toHaveLength(1)
    // The zone around it has them.
    expect(findings('weight_to', 'fr,20*,31', 'fr,,31', '*,,31')).toEqual([])
    expect(findings('weight_to', 'fr,,31', '*,,10')).toEqual([])
  })

  test('days on which only the zone around a zone is in use are missing in it', () => {
    expect(findings('valid_from,valid_until', 'fr,20*,2026-12-01,2026-12-31', 'fr,,,')).toEqual([
      gap('fr 20*', 'no line is in use from 2027-01-01 on', 'fr'),
      gap('fr 20*', 'no line is in use until 2026-11-30', 'fr'),
    ])
  })
})

describe('zipcodes as their country writes them', () => {
  test('a range with fewer digits names the zeros that a spreadsheet dropped', () => {
    expect(findings('', 'fr,1000-1999')).toEqual([
      '2 zipcode fr 1000-1999: has 4 digits, and zipcodes of fr have 5: write 01000-01999 if a spreadsheet dropped zeros, or 1000*-1999* if more digits follow',
    ])
    expect(findings('', 'us,501').join()).toContain('write 00501 if a spreadsheet dropped zeros, or 501* if')
    expect(findings('', 'pl,950').join()).toContain('has 3 digits, and zipcodes of pl have 5')
    // A part may stand alone.
    const parts = ['nl,1000-1999', 'jp,100-102', 'pl,00', 'us,90210', 'fr,1000*-1999*', 'fr,20*']
    expect(findings('', ...parts)).toEqual([])
  })

  test('what no zipcode of the country begins with is named', () => {
    expect(findings('', 'de,B1000')).toEqual([`2 zipcode de B1000: ${noForm('de')}`])
    expect(findings('', 'nl,AB10*').join()).toContain('form of zipcodes of nl')
    expect(findings('', 'gb,1012').join()).toContain('form of zipcodes of gb')
  })

  test('a zipcode with too many characters is named, and is none of the zone that it begins with', () => {
    expect(findings('', 'de,10115', 'de,101155')).toEqual([`3 zipcode de 101155: ${noForm('de')}`])
    const long = ['nl,1012ABC', 'de,10115 10117', 'nl,1012 to 1013', 'vn,100000-199999']
    expect(findings('', ...long)).toHaveLength(long.length)
  })

  test('a part of a zipcode that does not stand alone is named', () => {
    expect(findings('', 'ie,D4')).toEqual([
      '2 zipcode ie D4: has 2 characters, and zipcodes of ie have 3: write D4* if more characters follow',
    ])
    expect(findings('', 'ca,M5-M9').join()).toContain('write M5*-M9* if')
    expect(findings('', 'us,1').join()).toContain('has 1 digit, and')
    expect(findings('', 'ie,D4*', 'ie,D04', 'ca,M5V', 'nl,1012', 'gb,B', 'gb,PO3 5')).toEqual([])
  })

  test('zipcodes that a line leaves out are looked at too, once', () => {
    expect(findings('', 'fr,!1000-1999')).toEqual([
      '2 zipcode fr !1000-1999: 1000-1999 has 4 digits, and zipcodes of fr have 5: write 01000-01999 if a spreadsheet dropped zeros, or 1000*-1999* if more digits follow',
    ])
    expect(findings('', 'nl,10*|11*|!NL')).toEqual([`2 zipcode nl 10*|!NL: NL ${noForm('nl')}`])
  })
})
