import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as contract from '../../src/contract/index.ts'
import { readDecimal } from '../../src/money/index.ts'
import { forAll } from '../for-all.ts'
import { offeredData, offeredDecimal, offeredFlag, offeredName, offeredText, wild } from './arbitraries.ts'
import { readPaymentMethods, readShipmentEstimate, readShipmentMethods } from './kinds.ts'
import { methodsBody, put, shipmentEstimateBody } from './messages.ts'

const { faultsOf, paymentMethodWriter, shipmentMethodWriter } = contract

test('the question for payment methods is read into one clean shape', () => {
  const read = readPaymentMethods(methodsBody())
  expect(read).toMatchObject({
    checkout_id: '9001',
    shop: { id: '1042', language: 'nl', currency: 'eur' },
    customer: { firstname: 'Jo', sameaddress: true },
    billing_address: { country: 'nl', number: '12' },
    quote: { price_incl: '36.3', price_excl: '30' },
  })
  expect(read).not.toHaveProperty('rate_estimate')
})

describe('the question of the checkout', () => {
  test('is read into one clean shape', () => {
    const read = readShipmentMethods(methodsBody())
    const fields = 'checkout_id shop customer billing_address shipping_address quote'
    expect(Object.keys(read)).toEqual(fields.split(' '))
    expect(read.checkout_id).toBe('9001')
    expect(read.shop).toEqual({ id: '1042', language: 'nl', currency: 'eur' })
    expect(read.quote.products.map(({ price_incl }) => price_incl)).toEqual(['12.1', '12.1', '12.1'])
  })

  test('needs a shop with a currency and a quote with its prices, and nothing else', () => {
    const prices = { price_incl: '0', price_excl: '0' }
    const flags = { additional_cost: false, vat_shifted: false }
    expect(readShipmentMethods({ shop: { currency: 'eur' }, quote: { ...prices, price_incl: 0 } })).toEqual({
      shop: { language: 'en', currency: 'eur' },
      customer: { sameaddress: false },
      billing_address: {},
      shipping_address: {},
      quote: { ...prices, ...flags, totals: { taxes: [] }, products: [] },
    })
  })
})

describe('the question of the cart', () => {
  test.each([
    ['knows of the customer nothing but zipcode and country', shipmentEstimateBody()],
    ['lets go of everything else that a platform sends along', { ...methodsBody(), rate_estimate: true }],
  ])('%s', (_what, body) => {
    const read = readShipmentEstimate(body)
    expect(Object.keys(read)).toEqual(['shop', 'shipping_address', 'quote'])
    expect(read.shipping_address).toEqual({ zipcode: '1015 CJ', country: 'nl' })
  })

  test.each([[true], [1]])('is named by rate_estimate %j', (rate_estimate) => {
    const body = put(shipmentEstimateBody(), ['rate_estimate'], rate_estimate)
    expect(contract.shipmentEstimateRequest.safeParse(body).success).toBe(true)
  })

  test('may come without an address', () => {
    for (const nothing of [undefined, null, false, '', []]) {
      const body = put(shipmentEstimateBody(), ['shipping_address'], nothing)
      expect(readShipmentEstimate(body).shipping_address).toEqual({})
    }
  })
})

const prices = ['price_incl', 'price_excl', 'tax_rate']
const door = { id: 'door', title: 'At your door', price_incl: '6.05', price_excl: '5.00', tax_rate: 0.21 }
const card = { id: 'card', title: 'Card' }
const isNone = (value: unknown) => ['', null, undefined, false].includes(value as string)
const or = (right: fc.Arbitrary<unknown>) => fc.oneof({ weight: 5, arbitrary: right }, wild)
const named = { id: offeredName, title: offeredText }
const priced = { price_incl: offeredDecimal, price_excl: offeredDecimal, tax_rate: offeredDecimal }
const described = { description: offeredText, address: offeredText, is_pickup: offeredFlag }
const flags = { is_pickup: offeredFlag, is_servicepoint: offeredFlag, is_cash_on_delivery: offeredFlag }
const icons = ['', null, 'card', 'https://cdn.example/card.png']
const ofPayment = { icon: fc.constantFrom(...icons), post_payment: offeredFlag, data: offeredData }

const refusals = (of: Record<string, unknown[]>) =>
  Object.entries(of).flatMap(([path, values]) => values.map((value): [string, unknown] => [path, value]))

const written = [
  {
    kind: 'shipping',
    writer: shipmentMethodWriter,
    offered: door,
    wire: contract.shipmentMethod,
    answer: (shipment_methods: unknown[]) => contract.shipmentMethodsAnswer.safeParse({ shipment_methods }),
    noPrices: [-1e12, '-1000000000000', '1e3', '1000000000000', '', null, undefined, false, [5]],
    refused: refusals({
      ...{ title: ['', undefined, {}], id: [{}, 1.5, 'x'.repeat(129), 'a\u0000b', '\ud800'] },
      ...{ description: [{}], is_pickup: ['yes'] },
    }),
    right: {
      ...named,
      description: fc.option(offeredText),
      address: fc.option(offeredText),
      ...priced,
      ...flags,
    },
    requiredKeys: ['title', ...prices],
    odd: { ...named, ...priced, ...described },
  },
  {
    kind: 'payment',
    writer: paymentMethodWriter,
    offered: card,
    wire: contract.paymentMethod,
    answer: (payment_methods: unknown[]) => contract.paymentMethodsAnswer.safeParse({ payment_methods }),
    noPrices: [-1, '-0.01'],
    refused: refusals({ id: [undefined, '', {}], title: [undefined, ''], post_payment: ['yes'] }),
    right: { ...named, ...priced, ...ofPayment, invoice_external: offeredFlag },
    requiredKeys: ['id', 'title'],
    odd: { ...named, ...priced, ...ofPayment },
  },
] as const

describe.each(written)('a $kind method that is written', (one) => {
  const { writer, offered, wire, answer } = one
  const faults = (fields: object) => faultsOf(writer.safeParse({ ...offered, ...fields }).error!)

  const never = [Number.NaN, Number.POSITIVE_INFINITY, 1e21, '12,50', 1e12, true, {}]
  test.each([...never, ...one.noPrices])('is refused with the path when a price is %j', (value) => {
    const decimal = 'must be a decimal number from 0 to 999999999999'
    const wrong = value === '12,50' ? 'has a comma: write a point, as in 5.00' : decimal
    for (const path of prices)
      expect(faults({ [path]: value })).toEqual([{ path, message: isNone(value) ? 'is missing' : wrong }])
  })

  test.each(one.refused)('is refused with the path when %s is %j', (path, value) => {
    expect(faults({ [path]: value })).toEqual([{ path, message: expect.any(String) }])
  })

  test('is always wire-valid', () => {
    const methods = fc.record<Record<string, unknown>>(one.right, { requiredKeys: [...one.requiredKeys] })
    forAll(fc.array(methods, { maxLength: 3 }), (offers) => {
      const all = JSON.parse(JSON.stringify(offers.map((offer) => writer.parse(offer))))
      expect(answer(all).error).toBeUndefined()
    })
  })

  test('is refused or wire-valid, whatever an adapter gives', () => {
    const some = Object.entries<fc.Arbitrary<unknown>>(one.odd).map(([name, right]) => [name, or(right)])
    forAll(fc.record(Object.fromEntries(some)), (offer) => {
      const result = writer.safeParse(offer)
      if (result.success) expect(wire.safeParse(result.data).error).toBeUndefined()
      else expect(faultsOf(result.error).length).toBeGreaterThan(0)
    })
  })

  test('is refused when it is not an object', () => {
    for (const nothing of [undefined, null, 'door', 7, []])
      expect(writer.safeParse(nothing).success).toBe(false)
  })
})

describe('a shipping method that is written', () => {
  const write = (fields: object = {}) => shipmentMethodWriter.parse({ ...door, ...fields })

  test('has its prices as JSON numbers and its flags as true or false', () => {
    expect(JSON.parse(JSON.stringify(write({ is_pickup: 1 })))).toEqual({
      ...{ id: 'door', title: 'At your door', description: '' },
      ...{ price_incl: 6.05, price_excl: 5, tax_rate: 0.21 },
      ...{ is_pickup: true, is_servicepoint: false, is_cash_on_delivery: false },
    })
  })

  test('a price of 0 is a price', () => {
    expect(write({ price_incl: 0, price_excl: '0.00' })).toMatchObject({ price_incl: 0, price_excl: 0 })
  })

  test.each([-1, '-0.01'])('a price of %j is a discount, and a tax rate is none', (value) => {
    const discount = { price_incl: Number(value), price_excl: Number(value) }
    expect(write({ price_incl: value, price_excl: value })).toMatchObject(discount)
    const { error } = shipmentMethodWriter.safeParse({ ...door, tax_rate: value })
    expect(faultsOf(error!)).toMatchObject([{ path: 'tax_rate' }])
  })

  test('carries a decimal as the same number, to the last digit', () => {
    const amounts = fc
      .tuple(fc.nat({ max: 2_000_000_000 }), fc.nat({ max: 9999 }))
      .map(([whole, fraction]) => `${whole}.${String(fraction).padStart(4, '0')}`)
    forAll(amounts, (amount) => {
      const json = JSON.stringify(write({ price_incl: amount }))
      expect(json).toContain(`"price_incl":${readDecimal(amount)},`)
    })
  })
})

describe('a payment method that is written', () => {
  const write = (fields: object = {}) => paymentMethodWriter.parse({ ...card, ...fields })

  test('costs nothing unless it says so, and has every field of the spec', () => {
    expect(JSON.parse(JSON.stringify(write()))).toEqual({
      ...{ ...card, price_incl: 0, price_excl: 0, tax_rate: 0, icon: '' },
      ...{ post_payment: false, invoice_external: false, data: {} },
    })
  })

  test('has the price it was given, as JSON numbers', () => {
    const price = { price_incl: 1.21, price_excl: 1, tax_rate: 0.21 }
    expect(write({ price_incl: '1.21', price_excl: '1.00', tax_rate: '0.21' })).toMatchObject(price)
  })

  test.each(['banktransfer', 'my-card_2', 'https://cdn.example/card.png'])('may have the icon %s', (icon) => {
    expect(write({ icon }).icon).toBe(icon)
  })

  test.each([
    ...[undefined, null, '', false],
    ...['http://cdn.example/card.png', 'javascript:alert(1)', 'data:image/png;base64,AA', 'Card Logo'],
    ...['//cdn.example/card.png', 'https://cdn.example/a b.png', 7, {}],
  ])('has no icon, and stays, when its icon is %j', (icon) => {
    expect(write({ icon }).icon).toBe('')
  })

  test('hands its data on as it is; an empty list is an empty object', () => {
    expect(write({ data: { terminal: [1, { deep: null }] } }).data).toEqual({ terminal: [1, { deep: null }] })
    expect(write({ data: [] }).data).toEqual({})
    const { error } = paymentMethodWriter.safeParse({ ...card, data: 'secret' })
    expect(faultsOf(error!)).toEqual([{ path: 'data', message: expect.not.stringContaining('secret') }])
  })
})
