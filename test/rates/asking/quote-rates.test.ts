import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AnyRateAdapter } from '../../../src/any-adapter.ts'
import { cleanBody, shipmentMethodsAnswer } from '../../../src/contract/index.ts'
import { createProvider, none, price, type RateAdapter } from '../../../src/index.ts'
import { ratesWith } from '../../helpers/rates.ts'
import { shop, throwing, unreadable } from '../../helpers/world.ts'
import { checkout } from '../../http/messages.ts'
import { sized } from '../../long.ts'

const fee = price({ excl: '5', taxRate: '0.21', currency: 'eur' })
const door = { id: 'door', title: 'Door', ...fee }

function setUp(...rates: AnyRateAdapter[]) {
  const made = ratesWith(rates)
  return { ...made, explain: () => made.ask(), quote: async () => (await made.ask()).methods }
}

const fail = throwing('no')
const ids = async (methods: Promise<{ id?: unknown }[]>) => (await methods).map(({ id }) => id)

test('adapters answer side by side, and one that fails never removes the others', async () => {
  const { quote, lines } = setUp(
    { name: 'table', quote: () => [door] },
    { name: 'slow', quote: async () => [{ ...door, id: 'slow' }] },
    { name: 'throws', quote: throwing('down') },
    { name: 'rejects', quote: () => Promise.reject(new Error('down')) },
    { name: 'no list', quote: () => 'none' as never },
  )
  expect(await ids(quote())).toEqual(['door', 'slow'])
  const failed = lines.filter(({ message }) => message === 'rate adapter failed')
  expect(failed.map(({ fields }) => fields.adapter)).toEqual(['throws', 'no list', 'rejects'])
})

test.each(['name', 'message', 'retryAt', 'status'])(
  'an adapter whose error has a %s that is no text never removes the others',
  async (member) => {
    const { quote } = setUp(
      { name: 'table', quote: () => [door] },
      { name: 'rejects', quote: () => Promise.reject(unreadable(member)) },
      {
        name: 'throws',
        cache: {
          ttl: 1,
          key: () => {
            throw unreadable(member)
          },
        },
        quote: () => [],
      },
    )
    expect(await ids(quote())).toEqual(['door'])
  },
)

test('what has come by the deadline is answered, and the one that hangs sees its signal aborted', async () => {
  let signal: AbortSignal | undefined
  const { quote, move } = setUp(
    { name: 'quick', quote: async () => [door] },
    {
      name: 'hangs',
      quote: (_request, ctx) => {
        signal = ctx.signal
        return new Promise(() => {})
      },
    },
  )
  const answer = ids(quote())
  await move(2499)
  expect(signal?.aborted).toBe(false)
  await move(1)
  expect(await answer).toEqual(['door'])
  expect(signal?.aborted).toBe(true)
})

test('an invalid method is left out with its reason, the valid ones stay', async () => {
  const unreadable = Object.defineProperty({ ...door, id: 'getter' }, 'title', { get: fail })
  const { explain } = setUp({
    name: 'mixed',
    quote: () => [
      { ...door, price_incl: Number.NaN },
      { ...door, price_excl: -1 },
      { ...door, price_incl: 1e21 },
      { ...door, tax_rate: Number.POSITIVE_INFINITY },
      unreadable,
      door,
      { ...door, title: 'Another with the same id' },
    ],
  })
  const { methods, adapters } = await explain()
  expect(methods.map(({ id }) => id)).toEqual(['door'])
  expect(adapters[0]!.leftOut).toEqual([
    { place: 1, reason: 'price_incl must be a decimal number from 0 to 999999999999' },
    { place: 2, reason: 'price_excl is below 0: set allowNegative of the adapter, if it is a discount' },
    { place: 3, reason: 'price_incl must be a decimal number from 0 to 999999999999' },
    { place: 4, reason: 'tax_rate must be a decimal number from 0 to 999999999999' },
    { place: 5, reason: 'it threw while it was read' },
    { place: 7, id: 'door', reason: 'another method has its id "door": give each method its own' },
  ])
})

test('an adapter says why it has nothing, and notes what decided', async () => {
  const { quote, lines } = setUp({
    name: 'far',
    quote(_request, ctx) {
      ctx.explain('zone 3')
      return none('too far')
    },
  })
  expect(await quote()).toEqual([])
  expect(lines.at(-1)?.fields).toMatchObject({ reason: 'too far', notes: ['zone 3'] })
})

test('a missing id is derived, and is the same every time', async () => {
  const { quote } = setUp({
    name: 'plain',
    quote: () => ['Door', 'Point'].map((title) => ({ title, ...fee })),
  })
  const [first, second] = [await ids(quote()), await ids(quote())]
  expect(first).toEqual(second)
  expect(new Set(first).size).toBe(2)
})

test('each adapter gets the personal fields it declared and no others', async () => {
  const seen: Record<string, unknown> = {}
  const watch = (name: string, needs?: RateAdapter<never>['needs']): AnyRateAdapter => ({
    name,
    needs,
    quote({ customer, billing_address, shipping_address }) {
      seen[name] = { customer, billing_address, shipping_address }
      return []
    },
  })
  const { quote } = setUp(
    watch('default'),
    watch('nosy', ['customer.email', 'shipping_address.city'] as never),
    watch('none', []),
  )
  await quote()
  const [where, email] = [{ country: 'nl', zipcode: '1012LG' }, 'jan@shop.example']
  expect(seen).toEqual({
    default: { customer: {}, billing_address: where, shipping_address: where },
    nosy: { customer: { email }, billing_address: {}, shipping_address: { city: 'Amsterdam' } },
    none: { customer: {}, billing_address: {}, shipping_address: {} },
  })
  expect(JSON.stringify(seen)).not.toContain('hunter2')
})

test('the type of a request holds the declared fields only', () => {
  createProvider({
    rates: {
      name: 'typed',
      needs: ['customer.email'],
      quote({ customer, shipping_address }) {
        void customer.email
        // @ts-expect-error the default fields are not given beside declared ones
        void shipping_address.zipcode
        return []
      },
      estimate(request) {
        void request.shipping_address.zipcode
        // @ts-expect-error a cart knows no customer
        void request.customer
        return []
      },
    },
  })
  createProvider({
    rates: {
      name: 'plain',
      quote({ shipping_address }) {
        void shipping_address.zipcode
        // @ts-expect-error city was not declared
        void shipping_address.city
        return []
      },
    },
  })
  expect(() =>
    createProvider({ rates: { name: 'typo', needs: ['customer'] as never, quote: () => [] } }),
  ).toThrow('a need looks like "customer.email"')
})

test('the cart is answered by the adapters that estimate', async () => {
  const { askEstimate } = setUp(
    { name: 'both', quote: () => [], estimate: () => [door] },
    { name: 'checkout only', quote: () => [{ ...door, id: 'other' }] },
  )
  const { methods } = await askEstimate()
  expect(methods.map(({ id }) => id)).toEqual(['door'])
})

test('an estimate shows zipcode, country, shop and quote, whatever the adapter declared', async () => {
  let seen: object = {}
  const { askEstimate } = setUp({
    name: 'nosy',
    needs: ['customer.email', 'shipping_address.name'],
    quote: () => [],
    estimate(request) {
      seen = request
      return none('no')
    },
  } as AnyRateAdapter)
  await askEstimate((body) => void cleanBody(Object.assign(body, structuredClone(checkout))))
  expect(Object.keys(seen).sort()).toEqual(['quote', 'shipping_address', 'shop'])
  expect(seen).toMatchObject({ shipping_address: { country: 'nl', zipcode: '1012LG' } })
  expect(JSON.stringify(seen)).not.toMatch(/Damrak|jan@|hunter2/)
})

test('of two adapters with one id the first keeps it', async () => {
  const { quote, lines } = setUp(
    { name: 'first', quote: async () => [{ ...door, title: 'First' }] },
    { name: 'second', quote: () => ['door', 'other'].map((id) => ({ ...door, id })) },
  )
  expect((await quote()).map(({ title }) => title)).toEqual(['First', 'Door'])
  const fields = { shop: shop.id, adapter: 'second' }
  expect(lines.at(-1)).toMatchObject({ message: 'rates explained', fields })
})

const fields = ['id', 'title', 'price_incl', 'price_excl', 'tax_rate']
const anything = fc.oneof(
  fc.anything(),
  fc.record(Object.fromEntries(fields.map((field) => [field, fc.anything()]))),
  fc.record({ title: fc.string(), price_incl: fc.double(), price_excl: fc.double(), tax_rate: fc.double() }),
)

const answers = fc.oneof(
  fc.anything(),
  { weight: 4, arbitrary: fc.array(anything, { maxLength: 5 }) },
  fc.constantFrom(
    [door],
    { none: 'why' },
    Array.from({ length: 100_000 }, (_, id) => ({ ...door, id })),
    Array.from({ length: 100_000 }, () => ({ title: -1 })),
    [{ price_incl: Number.NaN }, { price_incl: -1 }, { price_excl: 1e21 }].map((one) =>
      Object.assign({ ...door }, one),
    ),
    [Object.defineProperty({ ...door }, 'price_incl', { get: fail })],
  ),
)

const adapters = fc.record({
  offered: answers,
  how: fc.constantFrom('at once', 'later', 'throws', 'rejects', 'hangs'),
  estimate: fc.constantFrom(undefined, 'quote' as const),
  cache: fc.constantFrom(undefined, { ttl: 1000, staleFor: 1000 }),
})

test('whatever adapters give, the answer comes in time and keeps to the contract', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(adapters, { minLength: 1, maxLength: 4 }), async (list) => {
      const { workings, move, world, explain, askEstimate } = setUp(
        ...list.map(
          ({ offered, how, ...rest }, place): AnyRateAdapter => ({
            name: `any-${place}`,
            needs: ['shipping_address.country'],
            ...rest,
            quote() {
              if (how === 'throws') throw offered
              if (how === 'rejects') return Promise.reject(offered)
              if (how === 'hangs') return new Promise(() => {})
              return (how === 'later' ? Promise.resolve(offered) : offered) as never
            },
          }),
        ),
      )
      for (const ask of [explain, askEstimate, explain]) {
        const started = world.now()
        const answer = ask()
        await move(workings.rates.deadline)
        const { methods, ms } = await answer
        expect(ms).toBeLessThanOrEqual(workings.rates.deadline)
        expect(world.now() - started).toBe(workings.rates.deadline)
        expect(shipmentMethodsAnswer.safeParse({ shipment_methods: methods }).success).toBe(true)
        expect(methods.length).toBeLessThanOrEqual(100)
        expect(() => JSON.stringify(methods)).not.toThrow()
      }
    }),
    { numRuns: sized(100, 1_000) },
  )
})
