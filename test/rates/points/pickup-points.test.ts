import { expect, test } from 'vitest'
import { createProvider, memoryStore } from '../../../src/index.ts'
import { type PickupPointsOptions, pickupPoints } from '../../../src/rates/index.ts'
import { fileWith } from '../../folder.ts'
import { asking } from '../adapters/quote.ts'

const csv = fileWith(
  'points.csv',
  `id,name,street,number,zipcode,city,country,latitude,longitude
dam,Dam,Dam,1,1012 JS,Amsterdam,nl,52.3731,4.8926
zuid,Zuid,Zuidplein,36,1077 XV,Amsterdam,nl,52.3389,4.8730
utr,Utrecht,Stationshal,9,3511CE,Utrecht,nl,52.0894,5.1100
mst,Maastricht,Stationsplein,27,6221BT,Maastricht,nl,50.8500,5.7050
bru,Brussel,Place,2,1000,Brussel,be,50.8466,4.3528
`,
)
const priced = { excl: '3.50', taxRate: '0.21' }
const points = (options: Partial<PickupPointsOptions> = {}) =>
  asking(pickupPoints({ file: csv, ...priced, ...options }))
const names = (answer: unknown) => (answer as { id: string }[]).map(({ id }) => id)

test('the nearest points are offered, with their address and flag', async () => {
  const { ask } = points({ nearest: 2, title: { en: 'Collect', nl: 'Afhalen' } })
  expect(await ask({ zipcode: '1012LG' })).toMatchObject([
    {
      id: 'points-dam',
      title: { en: 'Collect: Dam', nl: 'Afhalen: Dam' },
      address: 'Dam 1, 1012 JS Amsterdam',
      price_excl: '3.50',
      is_servicepoint: true,
      is_pickup: false,
    },
    { id: 'points-zuid' },
  ])
  expect(names(await ask({ zipcode: '6211AA' }))).toEqual(['points-mst', 'points-utr'])
  expect(names(await ask({ country: 'be', zipcode: '1000' }))).toEqual(['points-bru'])
  expect(await ask({ country: 'fr', zipcode: '75001' })).toEqual({ none: 'no point near this zipcode in fr' })
})

test('all points are free from a value on, in their own currency', async () => {
  const { ask } = points({ nearest: 1, currency: 'usd', freeFrom: '75' })
  const paid = { price_excl: '3.50', currency: 'usd' }
  expect(await ask({ value: '74.99' })).toMatchObject([paid])
  const free = { price_excl: '0.00', price_incl: '0.00', currency: 'usd' }
  expect(await ask({ value: '75' })).toMatchObject([free])
})

test('a place can be looked up, and what is too far is left out', async () => {
  const { ask, notes } = points({
    kind: 'pickup',
    within: 60,
    locate: async ({ zipcode }) => (zipcode === '3581' ? { latitude: 52.08, longitude: 5.14 } : undefined),
  })
  expect(names(await ask({ zipcode: '3581' }))).toEqual(['points-utr', 'points-zuid', 'points-dam'])
  expect(notes[0]).toBe('utr: 2.3 km away')
  expect(await ask({ zipcode: '3581' })).toMatchObject([{ is_pickup: true, is_servicepoint: false }, {}, {}])
})

test('a locate that fails leaves the order of the zipcodes', async () => {
  const { ask, notes, lines } = points({ locate: () => Promise.reject(new Error('the geocoder is down')) })
  const plain = points({})
  expect(names(await ask({ zipcode: '1012' }))).toEqual(names(await plain.ask({ zipcode: '1012' })))
  expect(notes[0]).toBe('locate failed: zipcodes decide')
  expect(lines).toMatchObject([{ level: 'warn', message: 'locate failed: zipcodes decide' }])
})

test('GeoJSON says the same', async () => {
  const feature = (id: string, zipcode: string, coordinates: number[]) => ({
    type: 'Feature',
    properties: { id, name: id, zipcode, country: 'NL' },
    geometry: { type: 'Point', coordinates },
  })
  const features = [feature('a', '1012', [4.89, 52.37]), feature('b', '6221', [5.7, 50.85])]
  const text = JSON.stringify({ type: 'FeatureCollection', features })
  const { ask } = points({ file: fileWith('points.geojson', text) })
  expect(names(await ask({ zipcode: '6200' }))).toEqual(['points-b', 'points-a'])
})

test('the id of a feature is its own, where GeoJSON has it, unless its properties have one', async () => {
  const feature = (id: unknown, properties: object) => ({
    ...{ type: 'Feature', id, geometry: null },
    properties: { name: 'A', zipcode: '1012', country: 'nl', ...properties },
  })
  const features = [feature('a', {}), feature(7, { id: null }), feature('x', { id: 'c' })]
  const { ask } = points({ file: fileWith('ids.geojson', `\ufeff${JSON.stringify({ features })}`) })
  expect(names(await ask()).toSorted()).toEqual(['points-7', 'points-a', 'points-c'])
})

test('points without a zipcode are taken in countries that have none', async () => {
  const file = fileWith('hk.csv', 'id,name,city,country\na,A,Kowloon,HK \nb,B,,hk\n')
  const { ask } = points({ file })
  const both = [{ id: 'points-a', address: 'Kowloon' }, { id: 'points-b' }]
  expect(await ask({ country: 'hk', zipcode: '' })).toMatchObject(both)
  const { ask: asked } = api([{ id: 'c', name: 'C', country: 'ae' }])
  expect(names(await asked({ country: 'ae', zipcode: '' }))).toEqual(['points-c'])
})

test('without coordinates the zipcodes decide', async () => {
  const file = fileWith('plain.csv', 'id,name,zipcode,country\na,A,1012,nl\nb,B,3511,nl\nc,C,3581,nl\n')
  const { ask } = points({ file, nearest: 2 })
  expect(names(await ask({ zipcode: '3582' }))).toEqual(['points-c', 'points-b'])
})

test('a file that begins with a byte order mark, as spreadsheets write it, is read like any other', async () => {
  const file = fileWith('marked.csv', '\ufeff"id";"name";"zipcode";"country"\n"a";"A";"1012";"nl"\n')
  const { ask } = points({ file })
  expect(names(await ask())).toEqual(['points-a'])
})

test('a function can name the points', async () => {
  const asked: unknown[] = []
  const given: PickupPointsOptions['points'] = (destination) => {
    asked.push(destination)
    return ['x', 'y'].map((id) => ({ id, name: id, zipcode: '1000', country: 'nl' }))
  }
  const { ask } = asking(pickupPoints({ ...priced, nearest: 1, points: given! }))
  expect(names(await ask())).toEqual(['points-x'])
  expect(asked).toEqual([{ country: 'nl', zipcode: '1012LG' }])
})

const columns = 'id,name,zipcode,country'
/** The start of a provider with this file fails with this. */
async function stops(file: string, message: string) {
  const provider = createProvider({ store: memoryStore(), rates: pickupPoints({ file, ...priced }) })
  await expect(provider.listen({ port: 0 })).rejects.toThrow(message)
  await provider.stop()
}
const preparing = (file: string) =>
  Promise.resolve(pickupPoints({ file, ...priced }).prepare?.({ now: Date.now } as never))

test.each([
  ['\na,,1012,nl\n', ':2 name: is empty'],
  ['\na,A,,nl\n', ':2 zipcode: is empty'],
  [
    ',latitude,longitude\na,A,1012,nl,"52,3",4\n',
    ':2 latitude: must be a number from -90 to 90, with a point',
  ],
  ['\r\na,"A\r\nB",1012,nl\r\nb,B,1012,Nederland\r\n', ':4 country: must be two letters such as nl'],
  ['\na,A,1012,Nederland\n', ':2 country: must be two letters such as nl'],
  ['\n', ': has no points'],
  [',price_excl,price_incl\na,A,1012,nl,2,3\n', ':2 price_incl: give either price_excl or price_incl'],
  [',price\na,A,1012,nl,2\n', ':1 price: is not a column of points: did you mean price_excl?'],
  [',prise_excl\na,A,1012,nl,2\n', ':1 prise_excl: is not a column of points: did you mean price_excl?'],
  [',name\na,A,1012,nl,B\n', ':1 name: appears twice: remove one'],
  ['\na,A,1012,nl\na,B,1013,nl\n', ':3 id: is that of line 2 too'],
  ['\na,A "near" B,1012,nl\n"secret', ':2 line: is not CSV: a quote opens in the middle of a cell'],
])('a file with a fault stops the start: %#', async (text, message) => {
  await stops(fileWith('faulty-points.csv', `${columns}${text}`), `points.csv${message}`)
})

test.each(['', '{"features": [secret]}', 'null', '[]'])(
  'a file that is no GeoJSON is named, and its content is not: %j',
  async (text) => {
    const file = fileWith('faulty.geojson', text)
    const refused = await preparing(file).catch((error: Error) => error)
    expect(refused).toMatchObject({ code: 'PICKUP_POINTS_INVALID' })
    expect((refused as Error).message).toMatch(`pickupPoints(): file ${file} is not GeoJSON: `)
    expect((refused as Error).message).not.toContain('secret')
  },
)

test('a file that is missing is named with the option and the nearest one', async () => {
  const file = fileWith('lockers.csv', 'id,name,zipcode,country\na,A,1012,nl\n')
  const missing = file.replace('lockers', 'locker')
  const says = `pickupPoints(): file ${missing} is not there: did you mean lockers.csv?`
  await expect(preparing(missing)).rejects.toThrow(says)
})

test.each([
  [{ ...priced }, 'give either file or points'],
  [{ ...priced, file: 'a', points: () => [] }, 'give either file or points'],
  [{ file: 'a', taxRate: 0 }, 'give either excl or incl'],
  [{ ...priced, file: 'a', nearest: 0 }, 'nearest: '],
])('wrong options are a TypeError: %#', (options, message) => {
  expect(() => pickupPoints(options as PickupPointsOptions)).toThrow(message)
})

const spot = { id: 'a', name: 'A', zipcode: '1012AB', country: 'nl' }

test('a point may have its own price and currency, from itself or from a function', async () => {
  const dear = { ...spot, id: 'c', price_excl: '3', currency: 'gbp' }
  const all = [spot, { ...spot, id: 'b', price_incl: '2.42' }, dear]
  const given = { points: () => all, excl: '1', taxRate: '0.21' }
  expect(await asking(pickupPoints(given)).ask()).toMatchObject([
    { price_excl: '1.00', currency: undefined },
    { price_incl: '2.42', price_excl: '2.00' },
    { price_excl: '3.00', currency: 'gbp' },
  ])
  const price = ({ id }: { id: string }) => (id === 'a' ? { incl: '1.21' } : undefined)
  const rates = await asking(pickupPoints({ ...given, price })).rates()
  expect(rates).toEqual(['points-a 1.00', 'points-b 2.00', 'points-c 3.00'])
})

test('distance, opening hours and closed days are in the description, and a point that is closed for a week is left out', async () => {
  const { ask, notes } = api([
    { ...spot, kilometres: 1.26, opening_hours: '9-18', closed: ['1970-01-02', '1970-02-02'] },
    { ...spot, id: 'b', kilometres: 0.34 },
    { ...spot, id: 'c', closed: fortnight },
    { ...spot, id: 'd' },
  ])
  expect(await ask()).toMatchObject([
    {
      description: {
        en: '1.3 km · 9-18 · closed on Friday 2 January',
        nl: '1,3 km · 9-18 · gesloten op vrijdag 2 januari',
      },
      goodUntil: 23 * 3_600_000,
    },
    { id: 'points-b', description: { en: '350 m' } },
    { id: 'points-d', description: undefined },
  ])
  expect(notes).toContain('c: closed for a week')
})

test('answers of an API are kept for their time, and those that failed are not', async () => {
  let calls = 0
  const asked = async () => {
    if (++calls === 1) throw new Error('down')
    return [spot]
  }
  const { ask, later } = asking(pickupPoints({ ...priced, points: asked, pointsCache: { ttl: 60_000 } }))
  await expect(ask()).rejects.toThrow('down')
  await Promise.all([ask(), ask()])
  await ask()
  expect(calls).toBe(2)
  await ask({ zipcode: '9999ZZ' })
  expect(calls).toBe(3)
  later(60_000)
  await ask()
  expect(calls).toBe(4)
})

test.each<[object, string]>([
  [{ points: 'here' }, 'points: must be a function'],
  [{ file: 'a.csv', pointsCache: { ttl: 1 } }, 'pointsCache: is only for points(), which is missing'],
  [{ file: 'a.csv', within: 5 }, 'within: needs locate: only the place of the destination gives a distance'],
  [{ points: () => [], pointsCache: { ttl: 0 } }, 'pointsCache.ttl: '],
  [{ points: () => [], pointsCache: { ttl: 1, staleFor: -1 } }, 'pointsCache.staleFor: '],
])('%j is refused', (wrong, message) => {
  expect(() => pickupPoints({ excl: 1, taxRate: 0, ...wrong } as never)).toThrow(message)
})

const api = (found: readonly object[], options: Partial<PickupPointsOptions> = {}) =>
  asking(pickupPoints({ points: () => found as never, ...priced, ...options }))

test('points of an API that all have a distance come nearest first, and those beyond within are left out', async () => {
  const away = { far: 80, b: 4, a: 1 }
  const found = Object.entries(away).map(([id, kilometres]) => ({ ...spot, id, kilometres }))
  expect(names(await api(found, { within: 5 }).ask())).toEqual(['points-a', 'points-b'])
  expect(names(await api(found, { nearest: 1 }).ask())).toEqual(['points-a'])
  const unknown = [...found, { ...spot, id: 'own-order' }]
  const inOrder = await api(unknown, { within: 5 }).ask()
  expect(names(inOrder)).toEqual(['points-b', 'points-a', 'points-own-order'])
})

const fortnight = Array.from({ length: 14 }, (_, at) => `1970-01-${String(at + 1).padStart(2, '0')}`)

test('a closed point takes no place of an open one, from an API and from a file', async () => {
  const days = fortnight.join('|')
  const lines = [`a,A,1012LG,nl,${days}`, `b,B,1012LA,nl,${days}`, 'c,C,1077,nl,', 'd,D,3511,nl,']
  const file = fileWith('closed.csv', [`${columns},closed`, ...lines].join('\n'))
  const found = ['a', 'b', 'c', 'd'].map((id) => ({ ...spot, id, closed: id < 'c' ? fortnight : [] }))
  for (const { ask, notes } of [points({ file, nearest: 1 }), api(found, { nearest: 1 })]) {
    expect(names(await ask())).toEqual(['points-c'])
    expect(notes).toContain('a: closed for a week')
  }
})

test('the reason says that points are closed, or have no price', async () => {
  const closed = [{ ...spot, closed: fortnight }]
  expect(await api(closed).ask()).toEqual({
    none: 'every point near this zipcode in nl is closed for a week',
    goodUntil: 23 * 3_600_000,
  })
  const { ask } = api([spot], { excl: undefined, price: () => undefined })
  expect(await ask()).toEqual({ none: 'no point near this zipcode in nl has a price' })
})

test('one bad point of an API costs no other, and is logged', async () => {
  const bad = { ...spot, id: 'b', price_excl: 'x' }
  const { ask, notes, lines } = api([spot, bad, { ...spot, id: 'c', closed: null }])
  expect(names(await ask())).toEqual(['points-a', 'points-c'])
  const sentence = 'point 2 "b" is left out: price_excl must be a number of 0 or more, with a point: 3.50'
  expect(notes).toContain(sentence)
  const message = `the API answered points with faults: ${sentence}`
  expect(lines).toMatchObject([{ level: 'warn', message }])
})

test('an API may answer none', async () => {
  const { ask } = asking(pickupPoints({ points: (_, { none }) => none('no lockers here'), ...priced }))
  expect(await ask()).toEqual({ none: 'no lockers here' })
})

test('no distance is shown, and within leaves nothing out, where the place of the destination is unknown', async () => {
  const { ask, notes } = points({ nearest: 1, within: 5, locate: () => undefined })
  expect(await ask({ zipcode: '1999ZZ' })).toMatchObject([{ id: 'points-dam', description: undefined }])
  expect(notes).toEqual(['within does not apply to points whose distance is unknown'])
})

test('one id may stand for a point in each of two countries, and a column without a name counts as none', async () => {
  const file = fileWith('two.csv', 'ID,name,zipcode,country,\na,A,1012,nl,\na,B,1000,be,\n')
  expect(await points({ file }).ask({ country: 'be' })).toMatchObject([{ title: 'B' }])
})

test('a fault in GeoJSON names the point, counted from 1, and the property', async () => {
  const features = [
    { properties: { id: 'a', name: 'A', zipcode: '1012', country: 'nl' } },
    { properties: { id: 'b', name: '', zipcode: '1013', country: 'nl' } },
  ]
  const file = fileWith('faulty.geojson', JSON.stringify({ features }))
  await stops(file, 'faulty.geojson: point 2 name: is empty')
})
