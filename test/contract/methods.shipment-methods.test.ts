import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  faultsOf,
  shipmentEstimateRequest,
  shipmentMethod,
  shipmentMethodsAnswer,
  shipmentMethodWriter,
} from '../../src/contract/index.ts'
import { readDecimal } from '../../src/money/index.ts'
import { forAll } from '../for-all.ts'
import { offeredDecimal, offeredFlag, offeredName, offeredText, wild } from './arbitraries.ts'
import { readShipmentEstimate, readShipmentMethods } from './kinds.ts'
import { methodsBody, put, shipmentEstimateBody } from './messages.ts'

describe('the question of the checkout', () => {
  test('is read into one clean shape', () => {
    const read = readShipmentMethods(methodsBody())
    expect(Object.keys(read)).toEqual(
      'checkout_id shop customer billing_address shipping_address quote'.split(' '),
    )
    expect(read.checkout_id).toBe('9001')
    expect(read.shop).toEqual({ id: '1042', language: 'nl', currency: 'eur' })
    expect(read.quote.products.map(({ price_incl }) => price_incl)).toEqual(['12.1', '12.1', '12.1'])
  })

  test('needs a shop with a currency and a quote with its prices, and nothing else', () => {
    const body = { shop: { currency: 'eur' }, quote: { price_incl: 0, price_excl: '0' } }
    expect(readShipmentMethods(body)).toEqual({
      shop: { language: 'en', currency: 'eur' },
      customer: { sameaddress: false },
      billing_address: {},
      shipping_address: {},
      quote: {
        price_incl: '0',
        price_excl: '0',
        additional_cost: false,
        vat_shifted: false,
        totals: { taxes: [] },
        products: [],
      },
    })
  })
})

describe('the question of the cart', () => {
  test('knows of the customer nothing but zipcode and country', () => {
    const read = readShipmentEstimate(shipmentEstimateBody())
    expect(Object.keys(read)).toEqual(['shop', 'shipping_address', 'quote'])
    expect(read.shipping_address).toEqual({ zipcode: '1015 CJ', country: 'nl' })
  })

  test('lets go of everything else that a platform sends along', () => {
    const read = readShipmentEstimate({ ...methodsBody(), rate_estimate: true })
    expect(Object.keys(read)).toEqual(['shop', 'shipping_address', 'quote'])
    expect(read.shipping_address).toEqual({ zipcode: '1015 CJ', country: 'nl' })
  })

  test.each([[true], [1]])('is named by rate_estimate %j', (rate_estimate) => {
    const body = put(shipmentEstimateBody(), ['rate_estimate'], rate_estimate)
    expect(shipmentEstimateRequest.safeParse(body).success).toBe(true)
  })

  test('may come without an address', () => {
    for (const nothing of [undefined, null, false, '', []]) {
      const body = put(shipmentEstimateBody(), ['shipping_address'], nothing)
      expect(readShipmentEstimate(body).shipping_address).toEqual({})
    }
  })
})

describe('a method that is written', () => {
  const offered = {
    id: 'door',
    title: 'At your door',
    price_incl: '6.05',
    price_excl: '5.00',
    tax_rate: 0.21,
  }
  const faults = (fields: object) =>
    faultsOf(shipmentMethodWriter.safeParse({ ...offered, ...fields }).error!)

  test('has its prices as JSON numbers and its flags as true or false', () => {
    expect(JSON.parse(JSON.stringify(shipmentMethodWriter.parse({ ...offered, is_pickup: 1 })))).toEqual({
      id: 'door',
      title: 'At your door',
      description: '',
      price_incl: 6.05,
      price_excl: 5,
      tax_rate: 0.21,
      is_pickup: true,
      is_servicepoint: false,
      is_cash_on_delivery: false,
    })
  })

  test('a price of 0 is a price', () => {
    expect(shipmentMethodWriter.parse({ ...offered, price_incl: 0, price_excl: '0.00' })).toMatchObject({
      price_incl: 0,
      price_excl: 0,
    })
  })

  test.each([-1, '-0.01'])('a price of %j is a discount, and a tax rate is none', (value) => {
    expect(shipmentMethodWriter.parse({ ...offered, price_incl: value, price_excl: value })).toMatchObject({
      price_incl: Number(value),
      price_excl: Number(value),
    })
    expect(faults({ tax_rate: value })).toMatchObject([{ path: 'tax_rate' }])
  })

  test.each([
    Number.NaN,
    Number.POSITIVE_INFINITY,
    -1e12,
    '-1000000000000',
    1e21,
    '12,50',
    '1e3',
    1e12,
    '1000000000000',
    '',
    null,
    undefined,
    false,
    true,
    [5],
    {},
  ])('is refused with the path when a price is %j', (value) => {
    for (const path of ['price_incl', 'price_excl', 'tax_rate']) {
      const none = value === '' || value === null || value === undefined || value === false
      const wrong =
        value === '12,50'
          ? 'has a comma: write a point, as in 5.00'
          : 'must be a decimal number from 0 to 999999999999'
      const message = none ? 'is missing' : wrong
      expect(faults({ [path]: value })).toEqual([{ path, message }])
    }
  })

  test.each([
    ['title', ''],
    ['title', undefined],
    ['title', {}],
    ['id', {}],
    ['id', 1.5],
    ['id', 'x'.repeat(129)],
    ['id', 'a\u0000b'],
    ['id', '\ud800'],
    ['description', {}],
    ['is_pickup', 'yes'],
  ])('is refused with the path when %s is %j', (path, value) => {
    expect(faults({ [path]: value })).toEqual([{ path, message: expect.any(String) }])
  })

  test('carries a decimal as the same number, to the last digit', () => {
    const amounts = fc
      .tuple(fc.nat({ max: 2_000_000_000 }), fc.nat({ max: 9999 }))
      .map(([whole, fraction]) => `${whole}.${String(fraction).padStart(4, '0')}`)
    forAll(amounts, (amount) => {
      const json = JSON.stringify(shipmentMethodWriter.parse({ ...offered, price_incl: amount }))
      expect(json).toContain(`"price_incl":${readDecimal(amount)},`)
    })
  })

  test('is always wire-valid', () => {
    const methods = fc.record(
      {
        id: offeredName,
        title: offeredText,
        description: fc.option(offeredText),
        address: fc.option(offeredText),
        price_incl: offeredDecimal,
        price_excl: offeredDecimal,
        tax_rate: offeredDecimal,
        is_pickup: offeredFlag,
        is_servicepoint: offeredFlag,
        is_cash_on_delivery: offeredFlag,
      },
      { requiredKeys: ['title', 'price_incl', 'price_excl', 'tax_rate'] },
    )
    forAll(fc.array(methods, { maxLength: 3 }), (offers) => {
      const answer = { shipment_methods: offers.map((offer) => shipmentMethodWriter.parse(offer)) }
      expect(shipmentMethodsAnswer.safeParse(JSON.parse(JSON.stringify(answer))).error).toBeUndefined()
    })
  })

  test('is refused or wire-valid, whatever an adapter gives', () => {
    const or = (right: fc.Arbitrary<unknown>) => fc.oneof({ weight: 5, arbitrary: right }, wild)
    const offers = fc.record({
      id: or(offeredName),
      title: or(offeredText),
      description: or(offeredText),
      address: or(offeredText),
      price_incl: or(offeredDecimal),
      price_excl: or(offeredDecimal),
      tax_rate: or(offeredDecimal),
      is_pickup: or(offeredFlag),
    })
    forAll(offers, (offer) => {
      const result = shipmentMethodWriter.safeParse(offer)
      if (result.success) expect(shipmentMethod.safeParse(result.data).error).toBeUndefined()
      else expect(faultsOf(result.error).length).toBeGreaterThan(0)
    })
  })

  test('is refused when it is not an object', () => {
    for (const nothing of [undefined, null, 'door', 7, []])
      expect(shipmentMethodWriter.safeParse(nothing).success).toBe(false)
  })
})
