import { describe, expect, test } from 'vitest'
import * as contract from '../../src/contract/index.ts'
import { PurveyorError } from '../../src/errors/errors.ts'
import { people } from '../../src/messages/people.ts'
import { presetNames } from '../../src/messages/presets.ts'
import { type CheckoutBodyOptions, checkoutBody, estimateBody, paymentBody } from '../../src/testing/index.ts'

const small = { weight: 4, sizeX: 0.5, volume: 3, colli: 2, ean: '0012' }
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
  ['products', { lines: [small, { incl: 5, quantity: 9_999 }] }],
  ['no products', { lines: [] }],
  ...presetNames
    .filter((name) => name !== 'described')
    .map((lines): [string, CheckoutBodyOptions] => [lines, { lines }]),
  ...Object.entries(people)
    .filter(([name]) => name !== 'guest')
    .map(([name, { title: _, ...person }]) => [name, person] as [string, object]),
]

describe('a body is one that the contract allows', () => {
  test.each(options)('with %s', (_what, given) => {
    const checkout = checkoutBody(given)
    for (const [schema, body] of [
      [contract.shipmentMethodsRequest, checkout],
      [contract.paymentMethodsRequest, checkout],
      [contract.shipmentEstimateRequest, estimateBody(given)],
      [contract.paymentStartRequest, paymentBody({ currency: given.currency?.toLowerCase() ?? 'eur' })],
    ] as const) {
      contract.cleanBody(body)
      expect(schema.safeParse(JSON.parse(JSON.stringify(body))).error?.issues).toBeUndefined()
    }
  })
})

test('a long description and a guest without a name go beyond the contract, and are read', () => {
  const body = checkoutBody({ lines: 'described', guest: true })
  expect(body.customer).toBeNull()
  const [written] = body.quote.products
  expect(written?.description?.length).toBeGreaterThan(10_000)
  const { customer, quote } = contract.readMessage(contract.paymentMethodsReader(), body)
  expect(customer.lastname).toBeUndefined()
  expect(quote.products[0]?.description).toBe(written?.description?.slice(0, 2_000))
})

test('the presets have the habits of live platforms', () => {
  const { quote: taxed } = checkoutBody({ lines: 'taxed' })
  expect(taxed.totals.taxes).toEqual([
    { percentage: 0.21, amount: '5.04' },
    { percentage: 0.21, amount: '1.22' },
  ])
  expect(checkoutBody({ lines: 'discount' }).quote).toMatchObject({
    price_incl: '57.4700',
    products: [{ price_excl: 60 }, { price_incl: -15.13, price_excl: -12.5 }],
  })
  expect(checkoutBody({ lines: 'digital' }).quote).toMatchObject({
    colli: 1,
    products: [{ colli: 1 }, { colli: 0, weight: 0, tax_rate: 0 }],
  })
  expect(checkoutBody({ lines: 'fractions', currency: 'jpy' })).toMatchObject({
    shop: { currency: 'jpy' },
    quote: { price_incl: '3783.7577', products: [{ price_excl: 3127.0725 }] },
  })
})

test('weight, value, currency and address are those of the body', () => {
  const address = { country: 'de', zipcode: '10115' }
  const body = checkoutBody({ weight: 2_500, value: '80', currency: 'usd', shop: 7, address })
  const line = { weight: 2_500, price_incl: '80' }
  expect(contract.readMessage(contract.shipmentMethodsReader(), body)).toMatchObject({
    shop: { id: '7', currency: 'usd' },
    ...{ shipping_address: address, billing_address: address },
    quote: { ...line, price_excl: '66.12', products: [{ ...line, quantity: 1 }] },
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
  ['a negative weight', { weight: -1 }, 'weight must be a whole number from 0'],
  ['half a gram', { weight: 0.5 }, 'weight must be a whole number from 0'],
  ['a value in words', { value: 'much' }, 'value must be a price from 0'],
  ['a value with a comma', { value: '9,50' }, 'value must be a price from 0'],
  ['a tax in percent', { value: 5, taxRate: 21 }, 'did you mean 0.21?'],
  ['lines beside a weight', { lines: [], weight: 5 }, 'either lines, or weight and value'],
  ['a preset that there is not', { lines: 'boat' as never }, 'one of usual, letter'],
  ['no pieces', { lines: [{ quantity: 0 }] }, 'lines[0].quantity must be a whole number from 1'],
  ['10^12 pieces', { lines: [{}, { quantity: 1e12 }] }, 'lines[1].quantity must be a whole number from 1'],
  ['a size as text', { lines: [{ sizeX: '4' as never }] }, 'lines[0].sizeX must be a number from 0'],
  ['a price below 0', { lines: [{ incl: -1 }] }, 'lines[0].incl must be a price from 0'],
  ['a misspelt option', { wieght: 5 } as never, 'wieght is not an option: did you mean weight?'],
  ['nothing at all', null as never, '(): options must be an object'],
  ['a word', 'letter' as never, '(): options must be an object'],
  [
    'a misspelt field of an address',
    { address: { contry: 'de' } } as never,
    'address.contry is not an option: did you mean country?',
  ],
  ['an address that is text', { address: 'de' as never }, 'address must be an object'],
  ['a billing address that is text', { billing: 'de' as never }, 'billing must be an object'],
  ['an unknown country', { country: 'qq' }, 'country is not a country: write two letters such as nl'],
  ['a country by another code', { billing: { country: 'uk' } }, 'billing.country is not a country: write gb'],
  ['a zipcode as a number', { zipcode: 1016 as never }, 'zipcode must be text'],
  ['half an id', { id: 0.5 }, 'id must be a whole number'],
  ['half a yen', { currency: 'jpy', value: '80.50' }, 'value has more decimals than jpy has: 0'],
  ['a third decimal', { value: 9.505 }, 'value has more decimals than eur has: 2'],
  [
    'half a yen in a line',
    { currency: 'jpy', lines: [{ incl: '80.50' }] },
    'lines[0].incl has more decimals than jpy has: 0',
  ],
  ['no lines', { lines: null as never }, 'lines must be a list of products, or one of usual, letter'],
  ['a line that is none', { lines: [null as never] }, 'lines[0] must be an object'],
  ['too many products', { lines: Array.from({ length: 51 }, () => ({})) }, 'at most 50 products'],
])('%s is refused, and the error names the option', (_what, given, says) => {
  expect(() => checkoutBody(given)).toThrow(PurveyorError)
  expect(() => checkoutBody(given)).toThrow(says)
  expect(() => estimateBody(given)).toThrow(says)
})

test('an undefined field is one that is not given', () => {
  const bare = { country: undefined, zipcode: undefined } as never
  expect(checkoutBody({ address: bare, customer: { email: undefined } as never })).toEqual(checkoutBody())
})

test.each<[string, Parameters<typeof paymentBody>[0], string]>([
  ['nothing at all', null as never, 'options must be an object'],
  ['a misspelt option', { amonut: '5' } as never, 'amonut is not an option: did you mean amount?'],
  [
    'a misspelt field',
    { customer: { emial: '' } } as never,
    'customer.emial is not an option: did you mean email?',
  ],
  ['an amount in words', { amount: 'much' }, 'amount must be a price from 0 to'],
  ['an amount below 0', { amount: '-1' }, 'amount must be a price from 0 to'],
  ['half a yen', { currency: 'jpy', amount: '80.50' }, 'amount has more decimals than jpy has: 0'],
  ['an unknown currency', { currency: 'euro' }, 'currency must be a code such as eur'],
  ['data that is text', { data: 'iban' as never }, 'data must be an object'],
  ['an id as text', { id: '7' as never }, 'id must be a whole number'],
])('a payment with %s is refused, and the error names the option', (_what, given, says) => {
  const message = expect.stringContaining(`paymentBody(): ${says}`)
  const refused = expect.objectContaining({ code: 'ARGUMENT_INVALID', message })
  expect(() => paymentBody(given)).toThrow(refused)
})

test('a payment without an amount has one that its currency allows', () => {
  expect(paymentBody({ currency: 'JPY' }).order).toMatchObject({ price_incl: '29.0000', currency: 'jpy' })
})
