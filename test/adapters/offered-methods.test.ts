import { expect, test } from 'vitest'
import {
  checkShipmentMethod,
  checkShipmentMethods,
  fallbackFaults,
  maxMethods,
} from '../../src/adapters/offered-methods.ts'
import { price } from '../../src/money/index.ts'
import { throwing } from '../helpers/world.ts'

const inEuro = { language: 'nl', currency: 'eur', convert: undefined }
const method = (more: object = {}) => ({
  id: 'door',
  title: 'Door',
  ...price({ excl: '5.00', taxRate: '0.21', currency: 'eur' }),
  ...more,
})
const faultsOf = (offered: unknown, to: Parameters<typeof checkShipmentMethod>[2] = inEuro) => {
  const checked = checkShipmentMethod('table', offered, to)
  return 'faults' in checked ? checked.faults.map(({ path, message }) => `${path} ${message}`) : []
}

test.each<[string, unknown, string]>([
  ['a list', [], 'it must be an object'],
  ['a text', 'door', 'it must be an object'],
  [
    'a price with a comma',
    method({ price_incl: '6,05' }),
    'price_incl has a comma: write a point, as in 5.00',
  ],
  [
    'a factor in place of a tax rate',
    method({ tax_rate: '1.21' }),
    'tax_rate must be a fraction: did you mean 0.21?',
  ],
  [
    'a price below the smallest unit',
    method({ price_incl: 0.001, price_excl: 0 }),
    'price_incl must be 0, or 0.01 eur or more',
  ],
  [
    'such a price by price()',
    method(price({ excl: '0.004', taxRate: '0.21', currency: 'eur' })),
    'price_incl must be 0, or 0.01 eur or more',
  ],
])('a method that is %s is left out in words that say what to write', (_what, offered, reason) => {
  expect(checkShipmentMethods('table', [offered], inEuro).leftOut).toEqual([{ place: 1, reason }])
})

test('an answer has at most a hundred methods, and says how many are left out', () => {
  const sound = Array.from({ length: maxMethods + 3 }, (_, at) => method({ id: `m${at}` }))
  expect(checkShipmentMethods('table', sound.slice(0, maxMethods), inEuro)).toMatchObject({
    methods: { length: maxMethods },
    leftOut: [],
  })
  expect(checkShipmentMethods('table', [{}, ...sound], inEuro)).toMatchObject({
    methods: { length: maxMethods },
    leftOut: [
      { place: 1 },
      { place: 102, reason: '3 further ones left out: an answer has at most 100 methods' },
    ],
  })
})

test('a single method too many is counted as one', () => {
  const sound = Array.from({ length: maxMethods + 1 }, (_, at) => method({ id: `m${at}` }))
  expect(checkShipmentMethods('table', sound, inEuro).leftOut[0]?.reason).toMatch(/^1 further one left out/)
})

test('of an answer of faults no more than two hundred are looked at', () => {
  const { methods, leftOut } = checkShipmentMethods('table', Array(205).fill({}), inEuro)
  expect(methods).toEqual([])
  expect(leftOut).toHaveLength(201)
  expect(leftOut.at(-1)).toEqual({
    place: 201,
    reason: '5 further ones left out: an answer has at most 100 methods',
  })
})

test('a currency that is not the shop’s is converted, or named as the fault that it is', () => {
  const dollars = method({ currency: 'usd' })
  expect(faultsOf(dollars)).toEqual(["currency is usd, and the shop's is eur: set rates.convert"])
  expect(faultsOf(method({ currency: 'dollar' }))).toEqual(['currency must be a three-letter code'])
  expect(faultsOf(method({ currency: 5 }))).toEqual(['currency must be a three-letter code'])
  const failing = { ...inEuro, convert: throwing('no rate') }
  expect(faultsOf(dollars, failing)).toEqual(['currency could not be converted from usd to eur'])
  expect(faultsOf(method({ currency: 'EUR' }))).toEqual([])
})

test.each<[string, object, number, object]>([
  ['as its adapter says', method({ currency: 'usd' }), 2, { price_excl: 2.5 }],
  [
    'by price()',
    method(price({ excl: '5.00', taxRate: '0.21', currency: 'USD' })),
    2,
    { price_excl: 2.5, price_incl: 3.03 },
  ],
  [
    'and given with tax is converted with tax',
    method(price({ incl: '10.00', taxRate: '0.21', currency: 'usd' })),
    1,
    { price_excl: 8.26, price_incl: 10, tax_rate: 0.21 },
  ],
])(
  'a price in another currency %s is never taken for one in the shop’s',
  (_how, dollars, rate, converted) => {
    expect(faultsOf(dollars)).toEqual(["currency is usd, and the shop's is eur: set rates.convert"])
    const convert = ({ amount }: { amount: string }) => String(Number(amount) / rate)
    const checked = checkShipmentMethod('table', dollars, { ...inEuro, convert: convert as never })
    expect(checked).toMatchObject({ method: converted })
  },
)

test('a method whose reading throws costs no other method', () => {
  const unreadable = Object.defineProperty(method(), 'title', { enumerable: true, get: throwing('boom') })
  expect(faultsOf(unreadable)).toEqual(['$ threw while it was read'])
  expect(checkShipmentMethods('table', [unreadable, method()], inEuro)).toMatchObject({
    methods: [{ id: 'door' }],
    leftOut: [{ place: 1, reason: 'it threw while it was read' }],
  })
})

test('a method without an id gets one that depends on what it is, not on what it costs or in which language', () => {
  const idOf = (more: object, to = inEuro) => {
    const { id: _, ...rest } = method({ title: { nl: 'Deur', en: 'Door' } })
    const checked = checkShipmentMethod('table', { ...rest, ...more }, to)
    return 'method' in checked ? checked.method.id : checked.faults
  }
  expect(idOf({})).toMatch(/^table-[0-9a-f]{12}$/)
  expect(idOf({ ...price({ excl: '9', taxRate: '0.21', currency: 'eur' }) })).toBe(idOf({}))
  expect(idOf({}, { ...inEuro, language: 'en' })).toBe(idOf({}))
  const others = [{ is_pickup: true }, { is_servicepoint: true }, { address: 'Dam 1' }, { title: 'B' }]
  expect(new Set([{}, ...others].map((one) => idOf(one))).size).toBe(5)
})

test('faults of fallback rates have their place, and sound ones none, in whatever currency', () => {
  expect(fallbackFaults([method(), method({ currency: 'usd' })], 'fallback')).toEqual([])
  const faults = fallbackFaults([method(), { id: 'a' }], 'fallback')
  expect(faults.map(({ path }) => path)).toContain('fallback[1].title')
})
