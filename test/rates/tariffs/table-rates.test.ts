import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { createProvider, memoryStore, type OfferedShipmentMethod } from '../../../src/index.ts'
import { type TableRatesOptions, tableRates } from '../../../src/rates/index.ts'
import { fileWith } from '../../folder.ts'
import { asking, preparing, type To } from '../adapters/quote.ts'

const fileOf = (text: string, extension = 'csv') => fileWith(`tariff.${extension}`, text)

const table = (csv: string, options: Partial<TableRatesOptions> = {}) =>
  asking(tableRates({ file: fileOf(csv), taxRate: '0.21', ...options }))
/** A tariff with these columns beside id, title and country, of lines such as `door,Door,nl,5`. */
const tariff = (columns: string, ...lines: string[]) =>
  `id,title,country,${columns}\n${lines.map((line) => `${line}\n`).join('')}`

const zones = `id,title,country,zipcode,weight_to,price_excl
door,Door,nl,,10,5.00
door,Door,nl,88*,10,9.00
door,Door,nl,8881-8884,10,12.00
door,Door,nl,8880-8889,10,11.00
door,Door,*,,10,25.00
point,Point,nl|be,,10,4.00
`

test.each([
  ['nl', '1012 lg', ['door 5.00', 'point 4.00']],
  ['nl', '8855AB', ['door 9.00', 'point 4.00']],
  // A range inside a prefix wins over it.
  ['nl', '8882AB', ['door 12.00', 'point 4.00']],
  ['nl', '8889AB', ['door 11.00', 'point 4.00']],
  ['be', '1000', ['point 4.00', 'door 25.00']],
  ['fr', '75001', ['door 25.00']],
])('the narrowest zone wins: %s %s', async (country, zipcode, rates) => {
  expect(await table(zones).rates({ country, zipcode })).toEqual(rates)
})

// The zones of a method are numbered from 0.
test.each([
  ['a range', '1000-1999'],
  ['a prefix', '1*'],
  ['the country', ''],
])('zone 0 of a country, its first one, wins over all other countries: %s', async (_, zipcode) => {
  const own = `door,Door,nl,${zipcode},5.00`
  const alone = table(tariff('zipcode,price_excl', own))
  expect(await alone.rates({ zipcode: '1012LG' })).toEqual(['door 5.00'])
  const beside = table(tariff('zipcode,price_excl', own, 'door,Door,*,,25.00'))
  expect(await beside.rates({ zipcode: '1012LG' })).toEqual(['door 5.00'])
  expect(await beside.rates({ country: 'fr', zipcode: '1012' })).toEqual(['door 25.00'])
})

test('of a method that goes to no zipcode beside its zones, the others of the tariff are offered', async () => {
  const lines = ['door,Door,nl,1000-1999,5.00', 'point,Point,nl,2*,4.00']
  const { ask, rates, notes } = table(tariff('zipcode,price_excl', ...lines))
  expect(await rates({ zipcode: '2012' })).toEqual(['point 4.00'])
  expect(notes).toEqual(['door: not to this zipcode'])
  expect(await ask({ zipcode: '3012' })).toEqual({ none: 'no rate of the tariff fits nl' })
})

test('the price of a zipcode with a digit too many is none of the one that it begins with', async () => {
  const { rates } = table(tariff('zipcode,price_excl', 'door,Door,de,10115,9.00', 'door,Door,de,101155,5.00'))
  expect(await rates({ country: 'de', zipcode: '10115' })).toEqual(['door 9.00'])
})

test('of a tariff with regions, the region may be why a method is not shown', async () => {
  const { rates, notes } = table('id,title,country,region,price_excl\ndoor,Door,us,CA,5\n')
  expect(await rates({ country: 'us', region: 'TX' })).toEqual(['none: no rate of the tariff fits us'])
  expect(notes).toEqual(['door: not to this zipcode or region'])
})

test('of ranges that lie in each other the narrowest wins', async () => {
  const { rates } = table(zones.replace('door,Door,nl,88*,10,9.00\n', ''))
  expect(await rates({ zipcode: '8882 AB' })).toEqual(['door 12.00', 'point 4.00'])
  expect(await rates({ zipcode: '8885AB' })).toEqual(['door 11.00', 'point 4.00'])
  expect(await rates({ zipcode: '888' })).toEqual(['door 5.00', 'point 4.00'])
})

const bands = `id,title,country,weight_from,weight_to,value_from,value_to,price_excl
door,Door,nl,0,2,,,5.00
door,Door,nl,2,10,,,8.00
door,Door,nl,0,10,100,,3.00
door,Door,nl,10,,,,20.00
`

test.each([
  [0, '30', 'door 5.00'],
  [2000, '30', 'door 5.00'],
  [2001, '30', 'door 8.00'],
  [10_000, '30', 'door 8.00'],
  [10_001, '30', 'door 20.00'],
  [10_001, '300', 'door 20.00'],
  // Both fit: the tighter band of weight wins.
  [900, '100', 'door 5.00'],
])('%i grams worth %s: %s', async (weight, value, rate) => {
  expect(await table(bands).rates({ weight, value })).toEqual([rate])
})

test('of two equal bands the lower price wins', async () => {
  const { rates } = table('id,title,country,price_excl\ndoor,Door,nl,6\ndoor,Door,nl,5\n')
  expect(await rates()).toEqual(['door 5.00'])
})

test('a tariff without weights needs none, and one with weights says when the quote has none', async () => {
  const plain = table(tariff('price_excl', 'door,Door,nl,6'))
  expect(await plain.rates({ weight: undefined })).toEqual(['door 6.00'])
  await expect(table(bands).ask({ weight: null as never })).rejects.toThrow()
})

test('free from a value on, surcharges, and prices with tax', async () => {
  const csv = `id;title;country;price_incl;free_from;surcharge;surcharge_percent
door;Door;nl;12.10;50;;
fast;Fast;nl;24.20;;1.00;10
`
  const { ask } = table(csv, {
    surcharges: [
      { name: 'islands', amount: '2.42', country: 'nl', zipcode: '8881-8884|9166*' },
      { name: 'fuel', percent: 5, country: 'de' },
    ],
  })
  const prices = [{ price_incl: '12.10', price_excl: '10.00' }, { price_incl: '27.62' }]
  expect(await ask({ value: '49.99' })).toMatchObject(prices)
  const free = [{ price_incl: '0.00' }, { price_incl: '30.04' }]
  expect(await ask({ value: '50', zipcode: '8881AA' })).toMatchObject(free)
})

test.each([
  [{ country: 'us', zipcode: '10001', region: 'NY' }, 'door 5.00'],
  [{ country: 'us', zipcode: '10001', region: 'ca' }, 'door 6.00'],
  [{ country: 'us', zipcode: '', region: 'NV' }, 'door 6.00'],
  [{ country: 'us', zipcode: '90210', region: 'CA' }, 'door 7.00'],
  [{ country: 'us', zipcode: '90211', region: 'CA' }, 'door 8.00'],
  [{ country: 'us', zipcode: '90211', region: 'NY' }, 'door 5.00'],
  [{ country: 'gb', zipcode: 'BT1 1AA' }, 'none: no rate of the tariff fits gb'],
  [{ country: 'gb', zipcode: 'BH2' }, 'door 9.00'],
])('a line for regions wins over one without, and one for zipcodes over both: %o', async (to, rate) => {
  const { rates } = table(`id,title,country,zipcode,region,price_excl
door,Door,us,,,5
door,Door,us,,CA|US-NV,6
door,Door,us,90210,,7
door,Door,us,90211,CA,8
door,Door,uk,!BT*,,9
`)
  expect(await rates(to)).toEqual([rate])
})

test.each([
  [{ country: 'gb', zipcode: 'IV28 1AA' }, 'door 16.00'],
  [{ country: 'gb', zipcode: 'IV2 1AA' }, 'door 6.00'],
  [{ country: 'gb', zipcode: 'BT1 1AA' }, 'door 5.00'],
  [{ country: 'us', zipcode: '90210', region: 'CA' }, 'door 25.00'],
  [{ country: 'us', zipcode: '10001', region: 'NY' }, 'door 7.00'],
])(
  'surcharges of lines and options are for zipcodes and regions, or leave some out: %o',
  async (to, rate) => {
    const lines = [
      'door,Door,gb|us,,,,5.00,',
      'far,,gb,IV1-28|!IV2,,surcharge,,10',
      'west,,us,,CA,surcharge,,20',
    ]
    const north = { name: 'north', amount: 1, country: 'uk', zipcode: '!BT*' }
    const { rates } = table(tariff('zipcode,region,kind,price_excl,surcharge', ...lines), {
      surcharges: [north, { name: 'y', amount: 2, region: 'NY' }],
    })
    expect(await rates(to)).toEqual([rate])
  },
)

test('products are packed whole, and every parcel is paid at its own weight', async () => {
  const { rates } = table(bands, { parcel: { maxWeight: 10 } })
  const products = [{ weight: 7_000 }, { weight: 6_000 }, { weight: 1_500 }]
  const costs = async (to: To) => Number((await rates(to))[0]!.split(' ')[1])
  const apart = (await costs({ weight: 8_500 })) + (await costs({ weight: 6_000 }))
  expect(await costs({ weight: 14_500, products })).toBe(apart)
  const whole = rates({ weight: 14_500, products: [{ weight: 14_500 }] })
  await expect(whole).rejects.toThrow('is heavier than 10 kg')
})

test.each([
  [{ maxWeight: 0 }, 'parcel.maxWeight: must be above 0'],
  [{ maxLength: 100 }, 'parcel.lengthUnit: is missing: give the unit of maxLength'],
] as const)('conflicts of %j stop the start', (parcel, message) => {
  expect(() => tableRates({ file: 'tariff.csv', parcel })).toThrow(message)
})

test('a rule without the unit of its measure stops the start, and not a cart', () => {
  const provider = (units: object) =>
    createProvider({
      store: memoryStore(),
      rates: { adapters: tableRates({ file: 'tariff.csv', parcel: { volumetricDivisor: 5000 } }), units },
    })
  expect(() => provider({ weight: 'g' })).toThrow(
    'rates: the options of "table" read the volume of a cart, and rates.units has no volume: add volume: \'cm3\'',
  )
})

test('what is heavier than a parcel goes in several, each at its own price', async () => {
  const { rates } = table(bands, { parcel: { maxWeight: 10, maxParcels: 3 } })
  expect(await rates({ weight: 15_000 })).toEqual(['door 16.00'])
  await expect(rates({ weight: 31_000 })).rejects.toThrow('4 parcels, and at most 3 are allowed')
})

test.each([
  ['another one by name', ['door,Door,nl,eur,5', 'door,Door,nl,gbp,4'], 'eur'],
  ['none', ['door,Door,nl,gbp,4', 'door,Door,nl,,5'], undefined],
])('a shop gets the rows of its own currency, otherwise those of %s', async (_, lines, currency) => {
  const { ask } = table(tariff('currency,price_excl', ...lines))
  expect(await ask({ currency: 'gbp' })).toMatchObject([{ price_excl: '4.00', currency: 'gbp' }])
  expect(await ask({ currency: 'pln' })).toMatchObject([{ price_excl: '5.00', currency }])
})

test('texts come in every language the file has', async () => {
  const { ask } = table('id,title_nl,title_de,country,price_excl\ndoor,Aan de deur,An die Tür,nl,5\n')
  expect(await ask()).toMatchObject([{ title: { nl: 'Aan de deur', de: 'An die Tür' } }])
})

test('why a method is not shown is explained', async () => {
  const lines = ['door,Door,nl,10*,2,5', 'point,Point,nl,20*,20,5']
  const { ask, notes } = table(tariff('zipcode,weight_to,price_excl', ...lines))
  expect(await ask({ zipcode: '1012', weight: 3000 })).toEqual({ none: 'no rate of the tariff fits nl' })
  expect(notes).toEqual([
    'door: no line of zone nl 10* fits a parcel of 3 kg and the value',
    'point: not to this zipcode',
  ])
})

test('JSON says the same as CSV', async () => {
  const rows = [
    { id: 'door', title: { en: 'Door', nl: 'Deur' }, country: ['nl', 'be'], zipcode: '10*', price_excl: 5 },
    { id: 'door', title: 'Door', country: '*', price_excl: '25.00', is_pickup: true },
  ]
  for (const given of [rows, { rows }]) {
    const { ask } = asking(tableRates({ file: fileOf(JSON.stringify(given), 'json'), taxRate: 0 }))
    expect(await ask()).toMatchObject([{ title: { en: 'Door', nl: 'Deur' }, price_excl: '5.00' }])
    expect(await ask({ country: 'fr' })).toMatchObject([{ price_excl: '25.00', is_pickup: true }])
  }
})

const oneOf = 'id,title,country,'
const priced = `${oneOf}price_excl\n`
const zoned = `${oneOf}zipcode,price_excl\n`
test.each([
  [
    `${zoned}x,X,nl,1*,5\nx,X,nl,10*|!1*,6`,
    ':3 zipcode: 10*|!1* leaves out all of its zipcodes: remove one of',
  ],
  [`${oneOf}price_excl,\ndoor,Door,nl,5,`, ':1 column 5: is not a column of a tariff'],
  ['id,title,price_excl\ndoor,Door,5', ':1 country: is missing: add a column country'],
  [`${oneOf}prise\ndoor,Door,nl,5`, ':1 prise: is not a column of a tariff: known are id, title'],
  [`${oneOf}price_ex\ndoor,Door,nl,5`, ':1 price_ex: is not a column of a tariff: did you mean price_excl?'],
  [
    `${priced}x,X,nl,5\nx,"X,be,6\nx,X,de,7\n`,
    ':3 line: is not CSV: a quote opens in this line and is never closed',
  ],
  [
    `${priced}x,"X\n5"" wide",nl,5\nx,X "x",be,6\n`,
    ':4 line: is not CSV: a quote opens in the middle of a cell',
  ],
  [`${priced}door,Door,nl,"4,95"`, ':2 price_excl: 4,95 has a comma: write 4.95'],
  ['id;title;country;price_excl\ndoor;Door;nl;4,95', ':2 price_excl: 4,95 has a comma: write 4.95'],
  [`${priced}door,Door,xx,5`, ':2 country: xx is not a country: write two letters such as nl'],
  [`${priced}door,Door,yu,5`, ':2 country: yu is not a country: write rs'],
  [`${priced}door,Door,nl,-1`, ':2 price_excl: -1 is below 0: write 0 or more'],
  [`${priced}door,Door,nl,`, ':2 price_excl: is empty: write 0 for what is free'],
  [`${priced}door,Door,nl`, ':2 line: has 3 cells and the header 4'],
  [`${oneOf}weight_from,weight_to,price_excl\nx,X,nl,5,5,1`, ':2 weight_to: 5 is not above weight_from 5'],
  [`${zoned}door,Door,nl,2000-1000,1`, ':2 zipcode: 2000-1000 is not a range'],
  [`${oneOf}tax_rate,price_excl\nx,X,nl,21,1`, ':2 tax_rate: 21 is 21 times the price: did you mean 0.21?'],
  [`${oneOf}currency,price_excl\ndoor,Door,nl,euro,1`, ':2 currency: euro is not a currency'],
  [`${priced}"door,Door,nl,5`, ':2 line: is not CSV'],
  ['', ':1 file: has no rows: write a header and one line for each rate'],
])('a tariff with a fault is refused at the start with its place: %#', async (csv, message) => {
  const rates = tableRates({ file: fileOf(csv), ...(!csv.includes('tax_rate') && { taxRate: '0.21' }) })
  const provider = createProvider({ store: memoryStore(), rates })
  const start = provider.listen({ port: 0 })
  await expect(start).rejects.toMatchObject({ name: 'PurveyorError', code: 'RATE_TABLE_INVALID' })
  await expect(start).rejects.toThrow(`tariff.csv${message}`)
  await provider.stop()
})

test('every fault of a file is listed at once', async () => {
  const file = fileOf('id,title,country,price_excl\ndoor,,nl,x\n,Door,zz,-4\n')
  await expect(Promise.resolve(tableRates({ file, taxRate: 0 }).prepare?.(preparing))).rejects.toThrow(
    /title: is empty.*\n.*x is not a number.*\n.*id: is empty.*\n.*-4 is below 0.*\n.*zz is not a country/,
  )
})

test.each([
  [{}, 'file: '],
  [{ file: 'a.csv', taxRate: -1 }, 'taxRate: must be a number of 0 or more'],
  [{ file: 'a.csv', weightUnit: 'stone' }, 'weightUnit: '],
  [{ file: 'a.csv', weigthUnit: 'kg' }, 'weigthUnit'],
])('wrong options are a TypeError that names them: %o', (options, message) => {
  expect(() => tableRates(options as TableRatesOptions)).toThrow(
    expect.objectContaining({ code: 'CONFIGURATION_INVALID' }),
  )
  expect(() => tableRates(options as TableRatesOptions)).toThrow(message)
})

test('a file that is not there stops the start', async () => {
  const prepared = Promise.resolve(tableRates({ file: 'nowhere.csv', taxRate: 0 }).prepare?.(preparing))
  await expect(prepared).rejects.toThrow(
    `tableRates(): file nowhere.csv is not there: paths begin at ${process.cwd()}, the working directory`,
  )
})

test('lines and surcharges have dates, and no cache answers with a price of yesterday', async () => {
  const csv = `id,title,country,kind,applies_to,price_excl,surcharge_percent,valid_from,valid_until
door,Door,nl,,,5.00,,,2026-12-31
door,Door,nl,,,6.00,,2027-01-01,
point,Point,nl,,,4.00,,,
fuel,Fuel,*,surcharge,door,,10,2026-12-01,2026-12-31
`
  const setup = table(csv)
  const at = async (text: string) => {
    setup.later(Date.parse(text) - setup.ctx.now())
    const answer = (await setup.ask()) as OfferedShipmentMethod[]
    const until = (goodUntil = 0) => new Date(goodUntil).toISOString()
    return answer.map(({ id, price_excl, goodUntil }) => `${id} ${price_excl} ${until(goodUntil)}`)
  }
  const december = '2026-11-30T23:00:00.000Z'
  const january = '2026-12-31T23:00:00.000Z'
  expect(await at('2026-11-22T12:00:00Z')).toEqual([`door 5.00 ${december}`, `point 4.00 ${december}`])
  expect(await at(december)).toEqual([`door 5.50 ${january}`, `point 4.00 ${january}`])
  expect(await at('2026-12-31T22:59:59Z')).toEqual([`door 5.50 ${january}`, `point 4.00 ${january}`])
  const never = new Date(0).toISOString()
  expect(await at(january)).toEqual([`door 6.00 ${never}`, `point 4.00 ${never}`])
})

test.each([
  ['kind,price_excl\nfuel,Fuel,*,surcharge,5', 'price_excl: is not a column of a surcharge'],
  ['kind,price_excl,surcharge\nfuel,Fuel,*,surcharge,,', 'surcharge_percent: is empty'],
  ['kind,price_excl\ndoor,Door,nl,surcharges,5', 'kind: surcharges is not a kind'],
  ['price_excl,applies_to\ndoor,Door,nl,5,door', 'applies_to: is only for lines of kind surcharge'],
  [
    'kind,applies_to,price_excl,surcharge\ndoor,Door,nl,,,5,\nfuel,,nl,surcharge,door|Dor,,1',
    '3 applies_to: Dor is not the id of a method: did you mean door?',
  ],
  ['price_excl,valid_from\nx,X,nl,5,2026-02-30', 'valid_from: 2026-02-30 is not a day: write 2026-12-31'],
  [
    'price_excl,valid_from,valid_until\nx,X,nl,5,2027-01-01,2026-12-31',
    'valid_until: 2026-12-31 is before valid_from',
  ],
])('dates and surcharges with a fault are refused: %#', async (csv, message) => {
  await expect(table(`id,title,country,${csv}\n`).rates()).rejects.toThrow(message)
})

test('each shop has its own tariff, and one with a fault has none', async () => {
  const file = (price: string) => fileOf(`id,title,country,price_excl\ndoor,Door,nl,${price}\n`)
  const settings = z.object({ file: z.string(), heaviest: z.number().optional() })
  const adapter = tableRates({ settings, file: (own) => own.file, folder: tmpdir(), taxRate: '0.21' })
  const { ctx, ask } = asking(adapter)
  const ratesOf = async (own: z.output<typeof settings>) => {
    Object.assign(ctx, { settings: own })
    const answer = await ask()
    return Array.isArray(answer) ? answer.map(({ price_excl }) => price_excl) : answer
  }
  const [one, other, wrong] = [{ file: file('5') }, { file: file('6') }, { file: file('x') }]
  await adapter.prepare?.(preparing)
  expect(await ratesOf(one)).toEqual(['5.00'])
  expect(await ratesOf(other)).toEqual(['6.00'])
  await expect(ratesOf(wrong)).rejects.toThrow('price_excl: x is not a number')
  expect(await ratesOf({ ...one })).toEqual(['5.00'])
  const sizes = adapter.files!.list().map(({ size }) => size)
  expect(sizes.sort()).toEqual([0, 1, 1])
})
