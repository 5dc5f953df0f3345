import { expect, test } from 'vitest'
import type { AnyRateAdapter } from '../../../src/any-adapter.ts'
import { deliveryPromise, flatRate, markup, promised, taxed } from '../../../src/rates/index.ts'
import { door, ratesWith } from '../../helpers/rates.ts'

const promise = deliveryPromise({ timeZone: 'Europe/Amsterdam', cutOff: '17:00' })
const wrappers: [string, (inner: AnyRateAdapter) => AnyRateAdapter][] = [
  ['nothing', (inner) => inner],
  ['markup', (inner) => markup({ percent: 10, amount: 20 }, inner)],
  ['taxed', (inner) => taxed({ rate: '0.21' }, inner)],
  ['promised', (inner) => promised({ promise }, inner)],
  ['all of them', (inner) => taxed({ rate: 0 }, markup({ percent: 10 }, promised({ promise }, inner)))],
]
const offers = (...methods: unknown[]) => ({ name: 'carrier', quote: () => methods }) as AnyRateAdapter

test.each(wrappers)('under %s a wrong method is left out by place and costs no other', async (_, wrap) => {
  const wrong = [
    null,
    'door',
    { ...door, id: 'null', price_excl: null },
    { ...door, id: 'text', price_excl: 'on request' },
    { ...door, id: 'negative', price_excl: -5 },
    { ...door, id: 'no title', title: undefined },
  ]
  const { methods, adapters } = await ratesWith([wrap(offers(...wrong, door))]).ask()
  expect(methods.map(({ id }) => id)).toEqual(['door'])
  const leftOut = adapters[0]!.leftOut.map(({ place, reason }) => `${place} ${reason.split(' ')[0]}`)
  expect(leftOut.join()).toBe('1 it,2 it,3 price_excl,4 price_excl,5 price_excl,6 title')
})

test('a price that cannot be changed is left out too, and never sold unchanged', async () => {
  const dear = { ...door, id: 'dear', price_excl: '99999999999', price_incl: '120999999998.79' }
  const { methods, adapters } = await ratesWith([markup({ percent: 900_000 }, offers(dear, door))]).ask()
  expect(methods.map(({ id }) => id)).toEqual(['door'])
  expect(adapters[0]!.notes).toEqual(['method 1 is left out: its price cannot be changed'])
})

test('a fault of the shop’s settings fails the adapter: no method is sold without the markup', async () => {
  const percent = () => {
    throw new Error('no settings')
  }
  const inner = flatRate({ id: 'door', title: 'Door', excl: '5', taxRate: 0 })
  const { adapters } = await ratesWith([markup({ percent }, inner)]).ask()
  expect(adapters[0]!.result).toBe('failed')
})
