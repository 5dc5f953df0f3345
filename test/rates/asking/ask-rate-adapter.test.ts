import { expect, test, vi } from 'vitest'
import type { AnyRateAdapter } from '../../../src/any-adapter.ts'
import { price } from '../../../src/index.ts'
import { combine } from '../../../src/rates/adapters/combine.ts'
import { door, ratesWith } from '../../helpers/rates.ts'
import { throwing } from '../../helpers/world.ts'

const down: AnyRateAdapter = { name: 'down', quote: throwing('connection refused') }
const own: AnyRateAdapter = { name: 'table', quote: () => [{ ...door, id: 'own' }] }

test('an adapter that fails five times in a row is left alone for ten seconds, for this shop', async () => {
  let works = false
  const quote = vi.fn(async () => (works ? [door] : throwing('down')()))
  const { ask, ids, move } = ratesWith([{ name: 'carrier', quote }, own])
  for (let time = 0; time < 5; time++) expect((await ask()).adapters[0]!.result).toBe('failed')
  const left = await ask()
  expect(left.adapters[0]).toMatchObject({
    result: 'skipped',
    reason: 'paused for 10 s after 5 failures in a row',
  })
  expect(left.methods.map(({ id }) => id)).toEqual(['own'])
  expect(quote).toHaveBeenCalledTimes(5)
  expect((await ask(undefined, 'another-shop')).adapters[0]!.result).toBe('failed')

  await move(10_001)
  expect((await ask()).adapters[0]!.result).toBe('failed')
  expect((await ask()).adapters[0]!.result).toBe('skipped')
  works = true
  await move(10_001)
  expect((await ask()).adapters[0]!.result).toBe('methods')
  expect(await ids()).toEqual(['door', 'own'])
})

test('one that hangs is left alone too, and answers in between start the count anew', async () => {
  let hangs = true
  const { ask, move } = ratesWith([
    { name: 'carrier', quote: () => (hangs ? new Promise(() => {}) : Promise.resolve([door])) },
  ])
  for (let time = 0; time < 4; time++) {
    const asked = ask()
    await move(2_500)
    expect((await asked).adapters[0]).toMatchObject({ result: 'failed', reason: 'no answer within 2500 ms' })
  }
  hangs = false
  expect((await ask()).adapters[0]!.result).toBe('methods')
  hangs = true
  for (let time = 0; time < 5; time++) {
    const asked = ask()
    await move(2_500)
    expect((await asked).adapters[0]!.result).toBe('failed')
  }
  expect((await ask()).adapters[0]!.result).toBe('skipped')
})

test('where an adapter failed and nothing is left, the fallback of the shop is answered', async () => {
  const nine = price({ excl: 9, taxRate: 0, currency: 'eur' })
  const fallback = [{ title: { en: 'Standard', nl: 'Standaard' }, ...nine }]
  const withFallback = ratesWith([down], { fallback: ({ id }) => (id === 'default' ? fallback : []) })
  const answer = await withFallback.ask()
  expect(answer.fallback).toBe(true)
  expect(answer.methods).toMatchObject([{ title: 'Standaard', price_incl: 9 }])
  expect(answer.methods[0]!.id).toBe((await withFallback.ask()).methods[0]!.id)
  expect((await withFallback.ask(undefined, 'other')).methods).toEqual([])
  expect(withFallback.lines.filter(({ level }) => level === 'error').map(({ message }) => message)).toEqual([
    'all adapters failed (down); returned the fallback rates',
    'all adapters failed (down); returned the fallback rates',
    'all adapters failed (down); returned no rates',
  ])
})

test.each([
  [throwing('no'), 'no'],
  [() => 'none' as never, 'rates.fallback() must answer with a list of methods'],
])('a fallback that fails costs nobody the answer, and its error is logged', async (fallback, message) => {
  const { ask, lines } = ratesWith([down], { fallback })
  expect(await ask()).toMatchObject({ methods: [], fallback: false })
  expect(lines).toContainEqual({
    level: 'error',
    message: 'the fallback rates failed',
    fields: { shop: 'default', err: expect.objectContaining({ message: expect.stringContaining(message) }) },
  })
  expect(lines.at(-1)).toMatchObject({ fields: { fallback: 0, leftOut: [] } })
})

test('nothing left is an error where the provider says so', async () => {
  const { ask } = ratesWith([down], { onNothing: 'error' })
  await expect(ask()).rejects.toMatchObject({ code: 'RATES_UNAVAILABLE', status: 503, retryAfter: 5 })
})

test('an answer has a hundred methods at most, and says how many were left out', async () => {
  const many = (count: number, from = 0) =>
    Array.from({ length: count }, (_, place) => ({ ...door, id: from + place }))
  const one = await ratesWith([{ name: 'many', quote: () => many(100_000) }]).ask()
  expect(one.methods).toHaveLength(100)
  expect(one.adapters[0]!.leftOut).toEqual([
    { place: 101, reason: '99900 further ones left out: an answer has at most 100 methods' },
  ])
  const two = await ratesWith([
    { name: 'first', quote: () => many(70) },
    { name: 'second', quote: () => many(70, 70) },
  ]).ask()
  expect(two.methods).toHaveLength(100)
  expect(two.adapters[1]!.leftOut).toHaveLength(40)
})

test('a rate in another currency is left out, unless the provider converts', async () => {
  const dollars = { ...door, ...price({ excl: '10', taxRate: '0.21', currency: 'usd' }), currency: 'USD' }
  const adapter = { name: 'abroad', quote: () => [dollars, { ...door, id: 'own', currency: 'eur' }] }
  const refused = await ratesWith([adapter]).ask()
  expect(refused.methods.map(({ id }) => id)).toEqual(['own'])
  expect(refused.adapters[0]!.leftOut).toEqual([
    { place: 1, reason: "currency is USD, and the shop's is eur: set rates.convert" },
  ])
  const converted = await ratesWith([adapter], {
    convert: ({ amount, from, to }) => (from === 'usd' && to === 'eur' ? Number(amount) * 0.9 : Number.NaN),
  }).ask()
  expect(converted.methods[0]).toMatchObject({ price_excl: 9, price_incl: 10.89, tax_rate: 0.21 })
  expect(JSON.stringify(converted.methods)).not.toContain('currency')
  const broken = await ratesWith([adapter], { convert: () => Number.NaN }).ask()
  expect(broken.adapters[0]!.leftOut[0]!.reason).toBe('currency could not be converted from USD to eur')
})

test('titles and descriptions are in the language of the shop, and the id stays the same in each', async () => {
  const title = { de: 'An die Tür', nl: 'Aan de deur', en: 'At your door' }
  const { ask } = ratesWith([
    { name: 'texts', quote: () => [{ ...door, id: undefined, title, description: { fr: 'Demain' } }] },
  ])
  const inLanguage = async (language: string) =>
    (await ask((body) => Object.assign(body.shop, { language }))).methods[0]!
  expect(await inLanguage('nl')).toMatchObject({ title: 'Aan de deur', description: 'Demain' })
  expect(await inLanguage('pl')).toMatchObject({ title: 'At your door' })
  expect((await inLanguage('nl')).id).toBe((await inLanguage('de')).id)
})

test('weights are converted by what the shop states, and parcels follow', async () => {
  const carrier: AnyRateAdapter = {
    name: 'carrier',
    quote({ quote }, ctx) {
      const { count } = ctx.parcels(quote, { unit: 'kg', maxWeight: 1, volumetricDivisor: 5000 })
      return [{ ...door, ...price({ excl: 5 * count, taxRate: 0, currency: 'eur' }) }]
    },
  }
  const heavy = (body: { quote: object }) => Object.assign(body.quote, { weight: 2_500, products: [] })
  const stated = await ratesWith([carrier], { units: () => ({ weight: 'g', volume: 'cm3' }) }).ask(heavy)
  expect(stated.methods[0]!.price_incl).toBe(15)
  expect(stated.adapters[0]!.parcels).toMatchObject([
    { unit: 'kg', actual: '2.5', chargeable: '2.5', count: 3, each: '0.833334' },
  ])
  const unstated = await ratesWith([carrier]).ask(heavy)
  expect(unstated.adapters[0]).toMatchObject({
    result: 'failed',
    reason:
      "the shop's unit of weight is not set: createProvider({ rates: { adapters, units: { weight: 'g' } } })",
  })
  const weightless = await ratesWith([carrier], { units: () => ({ weight: 'g' }) }).ask((body) =>
    Object.assign(body.quote, { weight: null }),
  )
  expect(weightless.adapters[0]).toMatchObject({ result: 'none', reason: 'the quote has no weight' })
})

test('an adapter that blocks the event loop is named', async () => {
  let now = 0
  const { ask, lines, world } = ratesWith([
    {
      name: 'busy',
      quote() {
        now += 80
        return [door]
      },
    },
    own,
  ])
  world.now = () => now
  expect((await ask()).methods).toHaveLength(2)
  const held = lines.filter(({ message }) => message === 'an adapter blocked the event loop')
  expect(held.map(({ fields }) => fields)).toEqual([{ adapter: 'busy', ms: 80 }])
})

test.each(['all', 'cheapest'] as const)(
  'a wrong method of one adapter costs the others of a combination (%s) nothing',
  async (how) => {
    const offers = (name: string, ...methods: unknown[]) => ({ name, quote: () => methods }) as AnyRateAdapter
    const wrong = offers('wrong', null, { ...door, price_excl: null }, { ...door, id: 'night' })
    const { ask } = ratesWith([combine('both', [offers('good', door), wrong], how)])
    const { methods, adapters } = await ask()
    expect(methods.map(({ id }) => id)).toEqual(['door', 'night'])
    expect(adapters[0]!.leftOut).toEqual([
      { place: 1, inside: 'wrong', reason: expect.stringMatching(/^wrong: it /) },
      { place: 2, inside: 'wrong', reason: expect.stringMatching(/^wrong: price_excl /) },
    ])
  },
)

test('an adapter that holds others gets their methods as they offered them, in any currency', async () => {
  const dollars = { ...door, title: { en: 'Door', nl: 'Deur' }, currency: 'USD', price_excl: '5.00' }
  let got: unknown
  const holder: AnyRateAdapter = {
    name: 'holder',
    async quote(request, ctx) {
      got = await ctx.ask({ adapter: { name: 'inner', quote: () => [dollars as never] } }, { quote: request })
      return [door]
    },
  }
  await ratesWith([holder]).ask()
  expect(got).toEqual([dollars])
})

test('behind a combination an error keeps its words and its place', async () => {
  const broken: AnyRateAdapter = {
    name: 'broken',
    quote() {
      throw new Error('my own words')
    },
  }
  const { ask } = ratesWith([combine('both', [broken, { name: 'good', quote: () => [door] }])])
  expect((await ask()).adapters[0]!.notes).toEqual([
    expect.stringMatching(/^broken failed: Error: my own words at ask-rate-adapter\.test\.ts:\d+$/),
  ])
})

test('behind a combination a failure without words is named by its reason alone', async () => {
  const { ask, workings } = ratesWith([combine('both', [down, { name: 'good', quote: () => [door] }])])
  workings.rates.development = false
  const [note] = (await ask()).adapters[0]!.notes
  expect(note).toMatch(/^down failed: /)
  expect(note).not.toMatch(/: (?:$|at )/)
})

test('an adapter that hangs leaves its fallback a part of the time, and the answer counts as that of the fallback', async () => {
  const hangs: AnyRateAdapter = { name: 'hangs', quote: () => new Promise(() => {}), fallback: own }
  const { ask, move, answers } = ratesWith([hangs])
  const asked = ask()
  await move(2_499)
  const { methods } = await asked
  expect(methods.map(({ id }) => id)).toEqual(['own'])
  expect(answers()).toMatchObject({ hangs: { fallback: 1 } })
})

test('in development prices in cents are warned of, once and with the place of the method', async () => {
  const inCents = { ...door, price_incl: '1210000', price_excl: '1000000' }
  const { ask, workings, lines } = ratesWith([
    { name: 'carrier', quote: () => [{ ...door, price_incl: 'free' as never }, inCents] },
  ])
  const warned = () => lines.filter(({ message }) => message === 'a price looks wrong')
  Object.assign(workings.rates, { development: false })
  await ask()
  expect(warned()).toEqual([])
  Object.assign(workings.rates, { development: true })
  await ask()
  await ask()
  const fault = 'its price of 1000000 looks like cents: did you mean 10000.00?'
  expect(warned().map(({ fields }) => fields)).toEqual([{ adapter: 'carrier', method: 2, fault }])
})

test('prices that disagree are offered as they are, and explained, logged and counted once for each answer', async () => {
  const equal = { ...door, id: 'equal', price_incl: '5.00', price_excl: '5.00' }
  const swapped = { ...door, id: 'swapped', price_incl: door.price_excl, price_excl: door.price_incl }
  const { ask, workings } = ratesWith([
    { name: 'carrier', cache: { ttl: 60_000 }, quote: () => [{ ...door, title: '' }, equal, swapped, door] },
  ])
  const refused: unknown[] = []
  const observed = (code: string, about?: object) => void refused.push({ code, ...about })
  workings.world.observer = { ...workings.world.observer, refused: observed }
  const [explained] = (await ask()).adapters
  await ask()
  expect(explained!.methods.map(({ id, price_incl }) => [id, price_incl])).toEqual([
    ['equal', 5],
    ['swapped', 5],
    ['door', 6.05],
  ])
  expect(explained!.notes).toEqual([
    'equal: its price_incl 5 is not price_excl 5 with tax_rate 0.21',
    'swapped: its price_incl 5 is not price_excl 6.05 with tax_rate 0.21',
  ])
  const fault = 'price_incl is not price_excl with tax_rate: compute the three with price()'
  expect(refused.filter((one) => (one as { code: string }).code === 'PRICES_DISAGREE')).toEqual(
    [2, 3].map((method) => expect.objectContaining({ adapter: 'carrier', method, fault })),
  )
})

test('a price below 0 is a discount where the adapter says so, and is left out by name elsewhere', async () => {
  const back = price({ excl: '-2.00', taxRate: '0.21', currency: 'eur' })
  const discount = { id: 'collect', title: 'Collect', ...back }
  const quote = () => [discount, { ...door, price_excl: -5 }, { ...door, price_incl: '-1e2' }, door] as never
  const shop = { name: 'shop', quote, allowNegative: true }
  const carrier = { name: 'carrier', quote }
  const [own, other] = (await ratesWith([shop, carrier]).ask()).adapters
  expect(own!.methods.map(({ id, price_incl }) => [id, price_incl])).toEqual([
    ['collect', -2.42],
    ['door', 6.05],
  ])
  expect(other!.leftOut.map(({ place, reason }) => `${place} ${reason}`)).toEqual([
    '1 price_incl is below 0: set allowNegative of the adapter, if it is a discount',
    '2 price_excl is below 0: set allowNegative of the adapter, if it is a discount',
    expect.stringMatching(/^3 price_incl must be a decimal number/),
    expect.anything(),
  ])
  const both = (await ratesWith([combine('both', [carrier, { ...shop, name: 'own' }])]).ask()).adapters[0]!
  expect(both.methods.map(({ id }) => id)).toEqual(['door', 'collect'])
  expect(both.leftOut[0]!.reason).toContain('allowNegative')
})

const half = 30_000

test.each<[string, (now: number) => unknown, number]>([
  ['of half a minute ends then', (now) => now + half, half],
  ['of two minutes leaves the minute as it is', (now) => now + 4 * half, 2 * half],
  ['that is not a number counts as none', () => Number.NaN, 2 * half],
  ['without end counts as none', () => Number.POSITIVE_INFINITY, 2 * half],
  ['in words counts as none', () => 'tomorrow', 2 * half],
  ['that has passed counts as none', (now) => now - 1, 2 * half],
  ['of this instant counts as none', (now) => now, 2 * half],
])('an answer without methods is kept for a minute: a goodUntil %s', async (_what, end, lasts) => {
  const quote = vi.fn<AnyRateAdapter['quote']>(async (_request, { now }) => ({
    none: 'closed',
    goodUntil: end(now()) as number,
  }))
  const { ask, move, world } = ratesWith([{ name: 'carrier', cache: { ttl: 20 * half }, quote }])
  const given = end(world.now()) as number
  const [first] = (await ask()).adapters
  expect(first).toMatchObject({ result: 'none', reason: 'closed', cache: 'miss' })
  expect(first!.goodUntil).toBe(given > world.now() && given < Number.POSITIVE_INFINITY ? given : undefined)
  await move(lasts - 1)
  expect((await ask()).adapters[0]!.cache).toBe('hit')
  await move(1)
  expect((await ask()).adapters[0]!.cache).toBe('miss')
  expect(quote).toHaveBeenCalledTimes(2)
})
