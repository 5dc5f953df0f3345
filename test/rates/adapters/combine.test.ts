import { expect, test } from 'vitest'
import { z } from 'zod'
import type { AnyRateAdapter } from '../../../src/any-adapter.ts'
import { none, price, type RateAdapter, type RateAnswer } from '../../../src/index.ts'
import { combine, flatRate, markup, onFailure, taxed, when } from '../../../src/rates/index.ts'
import { ratesWith } from '../../helpers/rates.ts'
import { asking, preparing, type To } from './quote.ts'

const door = flatRate({ id: 'door', title: 'Door', excl: '5.00', taxRate: '0.21' })

test('a flat rate goes where it is meant to, and is free from a value on', async () => {
  const { rates, ask } = asking(
    flatRate({
      ...{ id: 'door', title: { nl: 'Deur' }, incl: '6.05', taxRate: '0.21' },
      ...{ countries: ['nl', 'be'], freeFrom: 50 },
    }),
  )
  expect(await rates({ value: '49.99' })).toEqual(['door 5.00'])
  expect(await rates({ value: '50', country: 'be' })).toEqual(['door 0.00'])
  expect(await rates({ country: 'de' })).toEqual(['none: not to de'])
  expect(await ask()).toMatchObject([{ price_incl: '6.05', title: { nl: 'Deur' }, is_pickup: false }])
})

test.each([
  [{}, 'id: '],
  [{ id: 'a', title: 'A', taxRate: 0 }, 'give either excl or incl'],
  [{ id: 'a', title: 'A', excl: 1, incl: 1, taxRate: 0 }, 'give either excl or incl'],
  [{ id: 'a', title: 'A', excl: -1, taxRate: 0 }, 'excl: must be a number of 0 or more'],
  [{ id: 'a', title: 'A', excl: 1, taxRate: 21 }, 'taxRate: must be a fraction below 1'],
  [{ id: 'a', title: 'A', excl: 1, taxRate: 0, countries: ['NL'] }, 'NL is not a country: write nl'],
])('a flat rate with wrong options is a TypeError: %o', (options, message) => {
  expect(() => flatRate(options as never)).toThrow(message)
})

const elsewhere = 'none: not to this zipcode'
test.each<[Parameters<typeof when>[0], To, string]>([
  [{ countries: ['nl'] }, {}, 'door 5.00'],
  [{ countries: ['be'] }, {}, 'none: not to nl'],
  [{ zipcodes: ['10*', '2000-2999'] }, {}, 'door 5.00'],
  [{ zipcodes: ['20*'] }, {}, elsewhere],
  [{ zipcodes: ['!20*'] }, {}, 'door 5.00'],
  [{ zipcodes: ['10*', '!1012LG'] }, {}, elsewhere],
  [{ countries: ['gb'], zipcodes: ['!BT*'] }, { country: 'gb', zipcode: 'BT1 1AA' }, elsewhere],
  [{ countries: ['gb'], zipcodes: ['IV1-28'] }, { country: 'gb', zipcode: 'IV28 1AA' }, 'door 5.00'],
  // Without countries a zipcode is read as the country of the call writes it.
  [{ zipcodes: ['PO35*'] }, { country: 'gb', zipcode: 'PO3 5LX' }, elsewhere],
  [{ regions: ['CA', 'NV'] }, { country: 'us', region: 'us-ca' }, 'door 5.00'],
  [{ regions: ['CA'] }, { country: 'us', region: 'TX' }, `${elsewhere} or region`],
  [{ regions: ['CA'] }, { country: 'us' }, `${elsewhere} or region`],
  [{ value: { from: 30 } }, { value: '30' }, 'door 5.00'],
  [{ value: { from: 30.01 } }, { value: '30' }, 'none: only for quotes from 30.01 on'],
  [{ value: { below: '30' } }, { value: '30' }, 'none: only for quotes below 30'],
  [{ weight: { upTo: 2, unit: 'kg' } }, { weight: 2000 }, 'door 5.00'],
  [{ weight: { upTo: 2, unit: 'kg' } }, { weight: 2001 }, 'none: only up to 2 kg'],
  [{ weight: { above: 2, unit: 'kg' } }, { weight: 2000 }, 'none: only above 2 kg'],
  [{ customer: 'company' }, { customer: { type: 'company' } }, 'door 5.00'],
  [{ customer: 'company' }, {}, 'none: only for a company customer'],
  [{ customer: 'private' }, {}, 'door 5.00'],
])('when(%o) for %o: %s', async (condition, to, rate) => {
  expect(await asking(when(condition, door)).rates(to)).toEqual([rate])
})

test.each([
  [{ countries: ['xx'] }, 'countries.0: xx is not a country'],
  [{ zipcodes: ['2000-1000'] }, 'zipcodes: 2000-1000 is not a range'],
  [{ countries: ['nl'], zipcodes: ['10*', '!1*'] }, 'leaves out all of its zipcodes'],
  [{ countries: ['gb'], zipcodes: ['BH4-BH2'] }, 'write two districts of one area'],
  [{ zipcode: ['10*'] }, 'zipcode'],
])('a condition that says nothing sensible is refused: %o', (condition, message) => {
  expect(() => when(condition as never, door)).toThrow(message)
})

test('a condition on regions asks for the region, and one without does not', () => {
  expect(when({ regions: ['CA'] }, door).needs).toContain('shipping_address.region')
  expect(when({ zipcodes: ['10*'] }, door).needs).not.toContain('shipping_address.region')
})

test('an adapter inside another gets what it needs and nothing more', async () => {
  let seen: object = {}
  const nosy: AnyRateAdapter = {
    name: 'inner',
    needs: ['shipping_address.city'],
    quote(request) {
      seen = request
      return none('no')
    },
  }
  const outer = markup({ percent: 10 }, when({ customer: 'private', countries: ['nl'] }, nosy))
  const places = ['city', 'country', 'zipcode'].map((field) => `shipping_address.${field}`)
  expect(outer.needs).toEqual([...places, 'customer.type'])
  await ratesWith([outer, combine('both', [nosy, door])]).ask()
  expect(seen).toMatchObject({ customer: {}, billing_address: {}, shipping_address: { city: 'Amsterdam' } })
  expect(Object.keys((seen as { shipping_address: object }).shipping_address)).toEqual(['city'])
})

test('a markup is added to what costs something', async () => {
  const { rates } = asking(markup({ percent: '12.5', amount: '0.50' }, door))
  expect(await rates()).toEqual(['door 6.13'])
  const free = flatRate({ id: 'free', title: 'Free', excl: 0, taxRate: 0 })
  expect(await asking(markup({ amount: 2 }, free)).rates()).toEqual(['free 0.00'])
})

test('tax follows the destination, and is gone where it is shifted', async () => {
  const { ask, rates } = asking(taxed({ rate: { nl: '0.21', de: 0.19 } }, door))
  expect(await ask()).toMatchObject([{ price_excl: '5.00', price_incl: '6.05', tax_rate: '0.21' }])
  expect(await ask({ country: 'de' })).toMatchObject([{ price_incl: '5.95' }])
  expect(await rates({ country: 'fr' })).toEqual(['none: no tax rate is given for fr'])
  expect(await ask({ vatShifted: true })).toMatchObject([{ price_incl: '5.00', tax_rate: '0' }])
})

const carrier = (name: string, answer: () => RateAnswer | Promise<RateAnswer>): RateAdapter => ({
  name,
  quote: async () => answer(),
})
const at = (id: string, excl: number) => ({ id, title: id, ...price({ excl, taxRate: 0, currency: 'eur' }) })
const down = carrier('down', () => Promise.reject(new Error('refused')))

test('adapters are combined side by side, by price, or one after the other', async () => {
  const cheap = carrier('cheap', () => [at('door', 4), at('point', 3)])
  const dear = carrier('dear', () => [at('door', 6), at('night', 9)])
  const nothing = carrier('nothing', () => none('too far'))
  const by = (how: Parameters<typeof combine>[2], ...adapters: RateAdapter[]) =>
    asking(combine('both', adapters, how))
  expect(await by('all', dear, cheap).rates()).toEqual(['door 6.00', 'night 9.00', 'door 4.00', 'point 3.00'])
  expect(await by('cheapest', dear, cheap).rates()).toEqual(['door 4.00', 'night 9.00', 'point 3.00'])
  expect(await by('first', nothing, down, dear, cheap).rates()).toEqual(['door 6.00', 'night 9.00'])
  const partial = by('all', down, cheap)
  expect(await partial.rates()).toEqual(['door 4.00', 'point 3.00'])
  expect(partial.notes).toEqual(['down failed'])
  expect(await by('all', nothing, down).rates()).toEqual(['none: none of the combined adapters has a method'])
  await expect(by('all', down).rates()).rejects.toThrow('refused')
})

test('what is combined estimates with those that do, and each keeps its own cache', async () => {
  const a = { name: 'a', quote: () => [at('a', 1)], cache: { ttl: 5_000 } }
  const estimating: RateAdapter = { ...a, estimate: 'quote' }
  const silent: RateAdapter = { name: 'b', quote: () => [at('b', 2)], cache: { ttl: 9_000, staleFor: 10 } }
  const both = combine('both', [estimating, silent])
  expect(both.cache).toBeUndefined()
  const { askEstimate, counts } = ratesWith([both])
  for (let time = 0; time < 2; time++)
    expect((await askEstimate()).methods.map(({ id }) => id)).toEqual(['a'])
  expect(counts()).toMatchObject({ 'both/a': { hits: 1, misses: 1 } })
  expect(combine('none', [silent]).estimate).toBeUndefined()
})

test('an adapter with methods of a class works inside another', async () => {
  class Carrier implements RateAdapter {
    readonly name = 'carrier'
    #ready = false
    async prepare() {
      this.#ready = true
    }
    quote() {
      return this.#ready ? [at('door', 4)] : none('not ready')
    }
  }
  const adapter = markup({ percent: 10 }, when({ countries: ['nl'] }, new Carrier()))
  await adapter.prepare?.(preparing)
  expect(await asking(adapter).rates()).toEqual(['door 4.40'])
})

test('two schemas of settings under one name are refused at once, also of a fallback', () => {
  const own = (id: string, settings: z.ZodType, settingsName?: string) =>
    flatRate({ id, title: id, excl: 1, taxRate: 0, settings, settingsName })
  const [a, b] = [z.object({ a: z.string() }), z.object({ b: z.string() })]
  const message = '"x" and "y" share the settings "s", so both must have the same schema'
  expect(() => combine('c', [own('x', a, 's'), own('y', b, 's')])).toThrow(message)
  expect(() => combine('c', [onFailure(own('x', a, 's'), own('y', b, 's'))])).toThrow(message)
  expect(() => combine('c', [own('x', a), own('x', b)])).toThrow('"x" and "x" share the settings "x"')
  expect(combine('c', [own('x', a, 's'), own('y', a, 's'), own('z', b)]).settings).toBeDefined()
})

test.each([
  [() => combine('c', [undefined as never]), 'adapters.0: is not an adapter: it has no quote()'],
  [() => combine('c', [flat], 'chepest' as never), "how: must be 'all', 'cheapest' or 'first'"],
  [() => when({}, undefined as never), 'The adapter to change has no quote()'],
  [() => when({ countries: [] }, flat), 'countries: must name one country at least'],
  [() => markup({ amount: null as never }, flat), 'amount: must be a number, or a decimal string'],
])('a wrong call says what to write: %#', (call, message) => {
  expect(call).toThrow(message)
})

const flat = flatRate({ id: 'flat', title: 'Flat', excl: 1, taxRate: 0 })
