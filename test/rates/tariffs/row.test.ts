import { expect, test } from 'vitest'
import type { TableFault } from '../../../src/rates/files/cells.ts'
import { readCountries, rowReader, type TableRow } from '../../../src/rates/tariffs/row.ts'

const usual = { taxRate: '0.21', currency: undefined } as const

/** Reads one line whose cells are named; what is not named is not in the header. */
function readRow(cells: Record<string, string>, defaults: Parameters<typeof rowReader>[1] = usual) {
  const all = { id: 'door', title: 'Door', country: 'nl', price_excl: '5', ...cells }
  const faults: TableFault[] = []
  const fault = (one: TableFault) => void faults.push(one)
  const read = rowReader(Object.keys(all), defaults, fault)
  const row = read?.(Object.values(all), 2)
  return {
    row: row as TableRow,
    faults: faults.map(({ line, name, message }) => `${line} ${name}: ${message}`),
  }
}

test('a line has its defaults, and bands without an end', () => {
  expect(readRow({}).row).toMatchObject({
    line: 2,
    countries: ['nl'],
    areas: [{ country: 'nl', name: '', region: '' }],
    weight: { from: 0, to: Number.POSITIVE_INFINITY },
    value: { from: 0, to: Number.POSITIVE_INFINITY },
    side: 'excl',
    amount: '5',
    taxRate: '0.21',
    currency: undefined,
    freeFrom: Number.POSITIVE_INFINITY,
    is_pickup: false,
  })
  expect(readRow({}, { ...usual, currency: 'EUR' }).row.currency).toBe('eur')
  expect(readRow({ currency: 'USD' }, { ...usual, currency: 'EUR' }).row.currency).toBe('usd')
})

test('a band is from a number up to another one, in millionths', () => {
  const bands = { weight_from: '0.5', weight_to: '2', value_from: '10', value_to: '', free_from: '100' }
  const { row } = readRow(bands)
  expect(row.weight).toEqual({ from: 500_000, to: 2_000_000 })
  expect(row.value).toEqual({ from: 10_000_000, to: Number.POSITIVE_INFINITY })
  expect(row.freeFrom).toBe(100_000_000)
  const { faults } = readRow({ weight_from: '2', weight_to: '2' })
  expect(faults).toEqual(['2 weight_to: 2 is not above weight_from 2'])
})

test.each([
  ['', false],
  ['0', false],
  ['FALSE', false],
  ['1', true],
  ['True', true],
])('a flag of "%s" is %s', (text, is) => {
  const { row } = readRow({ is_pickup: text, is_servicepoint: text, is_cash_on_delivery: text })
  expect([row.is_pickup, row.is_servicepoint, row.is_cash_on_delivery]).toEqual([is, is, is])
})

const regions = 'write states or provinces'
const whichNoShopSends = `which no shop sends: ${regions}`
const nothingLeft = 'leaves out all of its zipcodes: remove one of the two'
const districts = 'write two districts of one area, the lower one first, such as BH2-BH4'
test.each<[Record<string, string>, string]>([
  [
    { is_pickup: 'constructor' },
    'is_pickup: constructor is neither true nor false: write true, false, 1, 0 or nothing',
  ],
  [{ is_pickup: 'yes' }, 'is_pickup: yes is neither true nor false: write true, false, 1, 0 or nothing'],
  [{ id: '' }, 'id: is empty: write the id of the shipping method'],
  [{ title: ' ' }, 'title: is empty: write what the customer reads'],
  [{ country: '' }, 'country: is empty: write a code such as nl, or * for all others'],
  [{ country: 'nl|*' }, 'country: * stands alone: it means all other countries'],
  [{ country: 'dy' }, 'country: dy is not a country: write bj'],
  [{ country: '*', zipcode: '10*' }, 'zipcode: needs a country: * has no zipcodes'],
  [{ country: '*', region: 'CA' }, 'region: needs a country: * has no regions'],
  [{ country: 'us', region: 'CA|' }, `region: has an empty region: ${regions}, such as CA|NV`],
  [
    { country: 'us', region: '!CA' },
    `region: has a region with ! or *, ${whichNoShopSends}, or nothing for all`,
  ],
  [{ zipcode: '10*|!1*' }, `zipcode: 10*|!1* ${nothingLeft}`],
  [{ zipcode: '10*|!1000-1099' }, `zipcode: 10*|!1000-1099 ${nothingLeft}`],
  [{ country: 'gb', zipcode: 'BH4-BH2' }, `zipcode: BH4-BH2 is not a range: ${districts}`],
  [{ price_excl: '' }, 'price_excl: is empty: write 0 for what is free'],
  [{ price_excl: '4,95' }, 'price_excl: 4,95 has a comma: write 4.95'],
  [{ price_excl: 'five' }, 'price_excl: five is not a number: write digits and a point, such as 4.95'],
  [{ price_excl: '-1' }, 'price_excl: -1 is below 0: write 0 or more'],
  [{ price_incl: '6' }, 'price_incl: and price_excl are both there: leave one empty'],
  [{ currency: 'euro' }, 'currency: euro is not a currency: write three letters such as eur'],
  [{ tax_rate: '21' }, 'tax_rate: 21 is 21 times the price: did you mean 0.21?'],
  [{ tax_rate: '1' }, 'tax_rate: 1 is 1 times the price: did you mean 0.01?'],
])('a line with %j is refused with its place', (cells, fault) => {
  const { row, faults } = readRow(cells)
  expect(row).toBeUndefined()
  expect(faults).toEqual([`2 ${fault}`])
})

test('an empty tax rate is refused where the tariff has none', () => {
  const { faults } = readRow({ tax_rate: '' }, { ...usual, taxRate: undefined })
  expect(faults).toEqual(['2 tax_rate: is empty: write a fraction such as 0.21'])
})

test('a header without what every line needs is refused once', () => {
  const missing = (names: string[], defaults: Parameters<typeof rowReader>[1] = usual) => {
    const faults: TableFault[] = []
    const read = rowReader(names, defaults, (one) => void faults.push(one))
    expect(read === undefined).toBe(faults.length > 0)
    return faults.map(({ name }) => name)
  }
  const without = { taxRate: undefined, currency: undefined }
  expect(missing([])).toEqual(['id', 'title', 'country', 'price_excl'])
  expect(missing(['id', 'title_nl', 'country', 'price_incl'])).toEqual([])
  expect(missing(['id', 'title', 'country', 'price_excl'], without)).toEqual(['tax_rate'])
  expect(missing(['id', 'title', 'country', 'price_excl', 'tax_rate'], without)).toEqual([])
  expect(missing(['id', 'title', 'country', 'price_excl', 'colour'])).toEqual(['colour'])
  expect(missing(['id', 'title', 'country', 'price_excl', 'id'])).toEqual(['id'])
})

test('countries are lower-case codes, * stands for all others', () => {
  const faults: string[] = []
  const read = (text: string) => readCountries(text, (message) => void faults.push(message))
  expect([read('NL | be'), read('*'), read('uk|EL')]).toEqual([['nl', 'be'], ['*'], ['gb', 'gr']])
  expect(faults).toEqual([])
  // A code that is wrong is wrong on every line.
  read('xx')
  read('xx')
  expect(faults).toEqual(Array(2).fill('xx is not a country: write two letters such as nl'))
})
