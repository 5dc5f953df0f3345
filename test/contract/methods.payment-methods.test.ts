import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  faultsOf,
  paymentMethod,
  paymentMethodsAnswer,
  paymentMethodWriter,
} from '../../src/contract/index.ts'
import { forAll } from '../for-all.ts'
import { offeredData, offeredDecimal, offeredFlag, offeredName, offeredText, wild } from './arbitraries.ts'
import { readPaymentMethods } from './kinds.ts'
import { methodsBody } from './messages.ts'

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

describe('a method that is written', () => {
  const offered = { id: 'card', title: 'Card' }
  const write = (fields: object = {}) => paymentMethodWriter.parse({ ...offered, ...fields })
  const faults = (fields: object) => faultsOf(paymentMethodWriter.safeParse({ ...offered, ...fields }).error!)

  test('costs nothing unless it says so, and has every field of the spec', () => {
    expect(JSON.parse(JSON.stringify(write()))).toEqual({
      id: 'card',
      title: 'Card',
      price_incl: 0,
      price_excl: 0,
      tax_rate: 0,
      icon: '',
      post_payment: false,
      invoice_external: false,
      data: {},
    })
  })

  test('has the price it was given, as JSON numbers', () => {
    expect(write({ price_incl: '1.21', price_excl: '1.00', tax_rate: '0.21' })).toMatchObject({
      price_incl: 1.21,
      price_excl: 1,
      tax_rate: 0.21,
    })
  })

  test.each([Number.NaN, Number.POSITIVE_INFINITY, -1, '-0.01', 1e21, '12,50', 1e12, true, {}])(
    'is refused with the path when a price is %j',
    (value) => {
      for (const path of ['price_incl', 'price_excl', 'tax_rate']) {
        const message =
          value === '12,50'
            ? 'has a comma: write a point, as in 5.00'
            : 'must be a decimal number from 0 to 999999999999'
        expect(faults({ [path]: value })).toEqual([{ path, message }])
      }
    },
  )

  test.each(['banktransfer', 'my-card_2', 'https://cdn.example/card.png'])('may have the icon %s', (icon) => {
    expect(write({ icon }).icon).toBe(icon)
  })

  test.each([undefined, null, '', false])('has no icon when it is %j', (icon) => {
    expect(write({ icon }).icon).toBe('')
  })

  test.each([
    ...['http://cdn.example/card.png', 'javascript:alert(1)', 'data:image/png;base64,AA', 'Card Logo'],
    ...['//cdn.example/card.png', 'https://cdn.example/a b.png', 7, {}],
  ])('has no icon, and stays, when its icon is %j', (icon) => {
    expect(write({ icon }).icon).toBe('')
  })

  test('hands its data on as it is; an empty list is an empty object', () => {
    expect(write({ data: { terminal: [1, { deep: null }] } }).data).toEqual({ terminal: [1, { deep: null }] })
    expect(write({ data: [] }).data).toEqual({})
    expect(faults({ data: 'secret' })).toEqual([
      { path: 'data', message: expect.not.stringContaining('secret') },
    ])
  })

  test.each([
    ['id', undefined],
    ['id', ''],
    ['id', {}],
    ['title', undefined],
    ['title', ''],
    ['post_payment', 'yes'],
  ])('is refused with the path when %s is %j', (path, value) => {
    expect(faults({ [path]: value })).toEqual([{ path, message: expect.any(String) }])
  })

  test('is always wire-valid', () => {
    const methods = fc.record(
      {
        id: offeredName,
        title: offeredText,
        price_incl: offeredDecimal,
        price_excl: offeredDecimal,
        tax_rate: offeredDecimal,
        icon: fc.constantFrom('', null, 'card', 'https://cdn.example/card.png'),
        post_payment: offeredFlag,
        invoice_external: offeredFlag,
        data: offeredData,
      },
      { requiredKeys: ['id', 'title'] },
    )
    forAll(fc.array(methods, { maxLength: 3 }), (offers) => {
      const answer = { payment_methods: offers.map((offer) => paymentMethodWriter.parse(offer)) }
      expect(paymentMethodsAnswer.safeParse(JSON.parse(JSON.stringify(answer))).error).toBeUndefined()
    })
  })

  test('is refused or wire-valid, whatever an adapter gives', () => {
    const or = (right: fc.Arbitrary<unknown>) => fc.oneof({ weight: 5, arbitrary: right }, wild)
    const offers = fc.record({
      id: or(offeredName),
      title: or(offeredText),
      price_incl: or(offeredDecimal),
      price_excl: or(offeredDecimal),
      tax_rate: or(offeredDecimal),
      icon: or(fc.constantFrom('', 'card')),
      post_payment: or(offeredFlag),
      data: or(offeredData),
    })
    forAll(offers, (offer) => {
      const result = paymentMethodWriter.safeParse(offer)
      if (result.success) expect(paymentMethod.safeParse(result.data).error).toBeUndefined()
      else expect(faultsOf(result.error).length).toBeGreaterThan(0)
    })
  })
})
