import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { neededFields } from '../../src/adapters/call-adapter.ts'
import type { AnyPaymentAdapter } from '../../src/any-adapter.ts'
import {
  cleanBody,
  paymentMethodsAnswer,
  paymentMethodsReader,
  readMessage,
} from '../../src/contract/index.ts'
import { createProvider, price } from '../../src/index.ts'
import { listPaymentMethods } from '../../src/payments/list-payment-methods.ts'
import { movableWorld, providerIn, shop, throwing, unreadable } from '../helpers/world.ts'
import { checkout } from '../http/messages.ts'
import { sized } from '../long.ts'

const setUp = (...given: Partial<AnyPaymentAdapter>[]) => setUpIn(true, ...given)

function setUpIn(development: boolean, ...given: Partial<AnyPaymentAdapter>[]) {
  const moved = movableWorld()
  const payments = given.map(
    (adapter, place): AnyPaymentAdapter => ({
      name: `psp${place + 1}`,
      methods: () => [{ id: 'card', title: 'Card' }],
      start: () => ({ later: true }),
      ...adapter,
    }),
  )
  const workings = providerIn(moved.world, { payments, development })
  const body = structuredClone(checkout)
  cleanBody(body)
  const request = readMessage(paymentMethodsReader(neededFields(payments)), body)
  const list = () => listPaymentMethods(workings, shop, request)
  return { ...moved, list, ids: async () => (await list()).map(({ id }) => id) }
}

test('each id carries the name of its adapter in front, with one adapter too', async () => {
  expect(await setUp({}).ids()).toEqual(['psp1:card'])
  expect(await setUp({}, {}).ids()).toEqual(['psp1:card', 'psp2:card'])
})

const down = throwing('down')

test('an adapter that fails, hangs or answers nonsense never removes the others', async () => {
  let signal: AbortSignal | undefined
  const { ids, move, lines } = setUp(
    {},
    { methods: down },
    { methods: () => Promise.reject(unreadable('name')) },
    { methods: () => ({ id: 'card' }) as never },
    {
      methods(_request, ctx) {
        signal = ctx.signal
        return new Promise(() => {})
      },
    },
    { methods: async () => [{ id: 'iban', title: 'Transfer' }] },
  )
  const answer = ids()
  await move(2500)
  expect(await answer).toEqual(['psp1:card', 'psp6:iban'])
  expect(signal?.aborted).toBe(true)
  expect(lines.filter(({ level }) => level === 'warn').map(({ fields }) => fields.adapter)).toEqual(
    expect.arrayContaining(['psp2', 'psp3', 'psp4', 'psp5']),
  )
})

test('a method that breaks the contract is left out with a warning, the others stay', async () => {
  const { ids, lines } = setUp({
    methods: () => [
      { id: 'nan', title: 'NaN', price_incl: Number.NaN, price_excl: 0, tax_rate: 0 },
      { id: 'huge', title: 'Huge', price_incl: 1e21, price_excl: 0, tax_rate: 0 },
      { id: 'negative', title: 'Negative', price_incl: -1, price_excl: -1, tax_rate: 0 },
      { id: 'percent', title: 'Percent', price_excl: 1, tax_rate: 21 },
      { id: 'below', title: 'Below', price_incl: 0.001, price_excl: 0.001, tax_rate: 0 },
      { id: 'untitled' } as never,
      undefined as never,
      Object.defineProperty({ id: '', title: 'Getter' }, 'id', { get: down }),
      { id: 'card', title: 'Card' },
      { id: 'card', title: 'Card again' },
    ],
  })
  expect(await ids()).toEqual(['psp1:card'])
  const leftOut = lines.filter(({ message }) => message === 'payment method left out')
  expect(leftOut).toHaveLength(9)
  const said = leftOut.map(({ fields }) => JSON.stringify(fields))
  expect(said[3]).toContain('must be a fraction: did you mean 0.21?')
  expect(said[4]).toContain('must be 0, or 0.01 eur or more')
  expect(said.at(-2)).toContain('threw while it was read')
  expect(said.at(-1)).toContain('as that of an earlier method: give each method its own')
})

test('a fee in another currency than that of the shop is left out with its reason, and one of nothing stays', async () => {
  const fee = (currency: unknown, excl: number) => ({
    ...{ id: `${currency} ${excl}`, title: 'Card' },
    ...{ ...price({ excl, taxRate: 0.21, currency: 'usd' }), currency: currency as string },
  })
  const { ids, lines } = setUp({
    methods: () => [fee('EUR', 1), fee(undefined, 1), fee('usd', 0), fee('usd', 1), fee(978, 1)],
  })
  expect(await ids()).toEqual(['psp1:EUR 1', 'psp1:undefined 1', 'psp1:usd 0'])
  const leftOut = lines.filter(({ message }) => message === 'payment method left out')
  expect(leftOut.map(({ fields }) => fields.faults)).toEqual(
    ['usd', '978'].map((given) => [{ path: 'currency', message: `is ${given}, and the shop's is eur` }]),
  )
})

test('an icon that cannot be used is left out with a warning, and never its method', async () => {
  const { list, lines } = setUp({
    methods: () => [
      { id: 'a', title: 'A', icon: 'http://icons.example/a.png' },
      { id: 'b', title: 'B', icon: 7 as never },
      { id: 'c', title: 'C', icon: 'https://icons.example/c.png' },
      { id: 'd', title: 'D', icon: 'pin' },
      { id: 'e', title: 'E' },
    ],
  })
  expect((await list()).map(({ id, icon }) => `${id} ${icon}`)).toEqual([
    'psp1:a ',
    'psp1:b ',
    'psp1:c https://icons.example/c.png',
    'psp1:d pin',
    'psp1:e ',
  ])
  const warnings = lines.filter(({ message }) => message === 'icon of a payment method left out')
  expect(warnings.map(({ fields }) => fields)).toEqual(
    [1, 2].map((method) => ({
      adapter: 'psp1',
      method,
      faults: [{ path: 'icon', message: 'must be an icon name or an https address' }],
    })),
  )
})

test('a name that nearly is an icon of the contract is kept, with a warning in development', async () => {
  const icons = ['bank-transfer', 'my-brand', 'pin']
  const methods = () => icons.map((icon, place) => ({ id: place, title: icon, icon }))
  for (const development of [true, false]) {
    const { list, lines } = setUpIn(development, { methods })
    expect((await list()).map(({ icon }) => icon)).toEqual(icons)
    const warnings = lines.filter(({ level }) => level === 'warn').map(({ message }) => message)
    expect(warnings).toEqual(
      development ? ['icon "bank-transfer" is not a name of the contract, did you mean "banktransfer"?'] : [],
    )
  }
})

test('each adapter gets the personal fields it declared, and nobody a password', async () => {
  const seen: unknown[] = []
  const watch = (needs?: readonly string[]): Partial<AnyPaymentAdapter> => ({
    needs: needs as never,
    methods({ customer, billing_address, shipping_address }) {
      seen.push({ customer, billing_address, shipping_address })
      return []
    },
  })
  await setUp(watch(), watch(['customer.email', 'customer.password']), watch([])).list()
  const where = { country: 'nl', zipcode: '1012LG' }
  expect(seen).toEqual([
    { customer: {}, billing_address: where, shipping_address: where },
    { customer: { email: 'jan@shop.example' }, billing_address: {}, shipping_address: {} },
    { customer: {}, billing_address: {}, shipping_address: {} },
  ])
  expect(JSON.stringify(seen)).not.toContain('hunter2')
})

test('the type of an attempt holds the declared fields only', () => {
  createProvider({
    payments: {
      name: 'typed',
      needs: ['customer.email', 'billing_address.name'],
      methods: () => [],
      start({ customer, billing_address, amount }) {
        void [customer.email, billing_address.name, amount]
        // @ts-expect-error not declared
        void customer.firstname
        // @ts-expect-error the default fields are not given beside declared ones
        void billing_address.country
        return { later: true }
      },
    },
  })
  const typed = { name: 'typed', methods: () => [], start: () => ({ later: true as const }) }
  // @ts-expect-error there is no such field
  const password = () => createProvider({ payments: { ...typed, needs: ['customer.password'] } })
  expect(password).toThrow('needs.0 of "typed" is "customer.password", and there is no such field')
})

test('whatever an adapter gives, the answer keeps to the contract', async () => {
  const method = fc.record({
    id: fc.oneof(fc.string(), fc.double(), fc.anything()),
    title: fc.oneof(fc.string(), fc.anything()),
    price_incl: fc.anything(),
    icon: fc.anything(),
    data: fc.anything(),
    post_payment: fc.anything(),
  })
  const offered = fc.oneof(fc.anything(), fc.array(fc.oneof(method, fc.anything()), { maxLength: 5 }))
  await fc.assert(
    fc.asyncProperty(offered, fc.boolean(), async (one, several) => {
      const { list } = setUp({ methods: () => one as never }, ...(several ? [{}] : []))
      const answer = JSON.parse(JSON.stringify({ payment_methods: await list() }))
      expect(paymentMethodsAnswer.safeParse(answer).success).toBe(true)
    }),
    { numRuns: sized(150, 2_000) },
  )
})

test('an adapter whose methods() hangs is left alone after five calls, tried again, and delays no checkout meanwhile', async () => {
  let hangs = true
  const card = [{ id: 'card', title: 'Card' }]
  const methods = vi.fn(async () => (hangs ? new Promise<never>(() => {}) : card))
  const { ids, move, lines, world } = setUp({ methods }, {})
  for (let checkout = 1; checkout <= 5; checkout++) {
    const answer = ids()
    await move(2_500)
    expect(await answer).toEqual(['psp2:card'])
  }
  const from = world.now()
  for (let checkout = 6; checkout <= 8; checkout++) expect(await ids()).toEqual(['psp2:card'])
  expect(world.now()).toBe(from)
  expect(methods).toHaveBeenCalledTimes(5)
  expect(lines.at(-1)).toMatchObject({
    level: 'info',
    message: 'payment methods explained',
    fields: {
      shop: 'default',
      adapter: 'psp1',
      reason: expect.stringMatching(/^paused for 10 s after 5/),
    },
  })
  hangs = false
  await move(10_000)
  expect(await ids()).toEqual(['psp1:card', 'psp2:card'])
  expect(await ids()).toEqual(['psp1:card', 'psp2:card'])
})

test('settings that a shop lacks, and mistakes of an adapter, leave no adapter alone', async () => {
  const methods = vi.fn(() => Promise.reject(new TypeError('a mistake')))
  const { ids } = setUp({ methods })
  for (let checkout = 1; checkout <= 8; checkout++) expect(await ids()).toEqual([])
  expect(methods).toHaveBeenCalledTimes(8)
})

test('an adapter says why it offers nothing, and titles each method by language', async () => {
  const { list, lines } = setUp(
    { methods: (_request, ctx) => ctx.none('orders above 5,000 EUR cannot be insured') },
    { methods: () => [{ id: 'card', title: { en: 'Card', nl: 'Kaart' } }] },
  )
  expect((await list()).map(({ id, title }) => [id, title])).toEqual([['psp2:card', 'Kaart']])
  const fields = { adapter: 'psp1', reason: 'orders above 5,000 EUR cannot be insured' }
  expect(lines).toMatchObject([{ level: 'info', message: 'payment methods explained', fields }])
})
