import { describe, expect, test } from 'vitest'
import {
  cleanBody,
  paymentMethodsRequest,
  paymentStartRequest,
  readMessage,
  shipmentEstimateRequest,
  shipmentMethodsReader,
  shipmentMethodsRequest,
} from '../../src/contract/index.ts'
import { PurveyorError } from '../../src/errors.ts'
import { people } from '../../src/sandbox/people.ts'
import { presetNames } from '../../src/sandbox/presets.ts'
import { type CheckoutBodyOptions, checkoutBody, estimateBody, paymentBody } from '../../src/testing/index.ts'

const options: [string, CheckoutBodyOptions][] = [
  ['nothing', {}],
  ['a weight', { weight: 0 }],
  ['the largest weight', { weight: 1_000_000_000 }],
  ['a value', { value: '80.00', taxRate: 0.09 }],
  ['the largest value', { value: 1_000_000 }],
  ['a value without tax', { value: 0, taxRate: 0 }],
  ['a currency without cents', { currency: 'JPY', value: '1200' }],
  ['a currency with three digits', { currency: 'kwd', value: '12.345' }],
  ['an address', { address: { country: 'DE', zipcode: '10115', city: 'Berlin', region: 'Berlin' } }],
  ['another billing address', { country: 'be', zipcode: '2000', billing: { country: 'nl' } }],
  ['a company', { customer: { company: 'BV', vatnumber: 'NL1' } }],
  [
    'products',
    {
      lines: [
        { weight: 4, sizeX: 0.5, volume: 3, colli: 2, ean: '0012' },
        { incl: 5, quantity: 9_999 },
      ],
    },
  ],
  ['no products', { lines: [] }],
  ...presetNames.map((lines): [string, CheckoutBodyOptions] => [lines, { lines }]),
  ...Object.entries(people).map(([name, { title: _, ...person }]): [string, CheckoutBodyOptions] => [
    name,
    person,
  ]),
]

describe('a body is one that the contract allows', () => {
  test.each(options)('with %s', (_what, given) => {
    const checkout = checkoutBody(given)
    for (const [schema, body] of [
      [shipmentMethodsRequest, checkout],
      [paymentMethodsRequest, checkout],
      [shipmentEstimateRequest, estimateBody(given)],
      [paymentStartRequest, paymentBody({ currency: given.currency?.toLowerCase() ?? 'eur' })],
    ] as const) {
      cleanBody(body)
      expect(schema.safeParse(JSON.parse(JSON.stringify(body))).error?.issues).toBeUndefined()
    }
  })
})

test('weight, value, currency and address are those of the body', () => {
  const body = checkoutBody({
    weight: 2_500,
    value: '80',
    currency: 'usd',
    shop: 7,
    address: { country: 'de', zipcode: '10115' },
  })
  expect(readMessage(shipmentMethodsReader('UTC'), body)).toMatchObject({
    shop: { id: '7', currency: 'usd' },
    shipping_address: { country: 'de', zipcode: '10115' },
    billing_address: { country: 'de', zipcode: '10115' },
    quote: {
      weight: 2_500,
      price_incl: '80',
      price_excl: '66.12',
      products: [{ weight: 2_500, quantity: 1, price_incl: '80' }],
    },
  })
  expect(estimateBody({ weight: 3, country: 'be', zipcode: '2000' })).toMatchObject({
    shipping_address: { country: 'be', zipcode: '2000' },
    quote: { weight: 3 },
  })
})

test('the lines of a cart add up', () => {
  const { quote } = checkoutBody({
    lines: [
      { excl: '9.50', quantity: 2, weight: 380, colli: 1 },
      { incl: '10.90', taxRate: '0.09', weight: 100, volume: 20, sizeX: 4, inStock: false },
    ],
  })
  expect(quote).toMatchObject({ weight: 860, volume: 20, colli: 2, price_incl: '33.8900', price_excl: 29 })
  expect(quote.products).toMatchObject([
    { quantity: 2, price_incl: '22.9900', weight: 760, size_x: 0, stock_available: true },
    { quantity: 1, price_incl: 10.9, price_excl: 10, tax_rate: 0.09, size_x: 4, stock_available: false },
  ])
})

test.each<[string, CheckoutBodyOptions, string]>([
  ['a negative weight', { weight: -1 }, 'weight is a whole number from 0'],
  ['half a gram', { weight: 0.5 }, 'weight is a whole number from 0'],
  ['a value in words', { value: 'much' }, 'value is a price from 0'],
  ['a value with a comma', { value: '9,50' }, 'value is a price from 0'],
  ['a tax in percent', { value: 5, taxRate: 21 }, 'did you mean 0.21?'],
  ['an unknown currency', { currency: 'euro' }, 'currency is a code such as eur'],
  ['lines beside a weight', { lines: [], weight: 5 }, 'either lines, or weight and value'],
  ['a preset that there is not', { lines: 'boat' as never }, 'one of usual, letter'],
  ['no pieces', { lines: [{ quantity: 0 }] }, 'lines[0].quantity is a whole number from 1'],
  ['10^12 pieces', { lines: [{}, { quantity: 1e12 }] }, 'lines[1].quantity is a whole number from 1'],
  ['a size as text', { lines: [{ sizeX: '4' as never }] }, 'lines[0].sizeX is a number from 0'],
  ['a price below 0', { lines: [{ incl: -1 }] }, 'lines[0].incl is a price from 0'],
  ['a misspelt option', { wieght: 5 } as never, 'wieght is not known'],
  ['a misspelt field', { lines: [{ wieght: 5 } as never] }, 'lines[0].wieght is not known'],
  ['too many products', { lines: Array.from({ length: 51 }, () => ({})) }, 'at most 50 products'],
])('%s is refused, and the error names the option', (_what, given, says) => {
  expect(() => checkoutBody(given)).toThrow(PurveyorError)
  expect(() => checkoutBody(given)).toThrow(says)
  expect(() => estimateBody(given)).toThrow(says)
})
