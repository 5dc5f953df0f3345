import { describe, expect, test } from 'vitest'
import { checkoutExample, estimateExample, paymentStartExample } from '../../src/contract/examples.ts'
import { ContractForms } from '../../src/contract/read.ts'

const contract = new ContractForms()

describe('a message beside the contract', () => {
  test.each([
    ['shipment_methods', checkoutExample],
    ['shipment_methods (estimate)', estimateExample],
    ['payment_methods', checkoutExample],
    ['payment', paymentStartExample],
  ] as const)('the example of %s drifts nowhere', (message, body) => {
    expect(contract.driftsIn(message, body)).toEqual([])
  })

  test('unknown fields and other forms are found by path and kind, and no value of them', () => {
    const { customer, quote } = checkoutExample
    const [product] = quote.products
    const body = {
      ...checkoutExample,
      customer: { ...customer, newsletter: true, firstname: ['secret'] },
      quote: { ...quote, products: [{ ...product, origin: 'secret-origin', options: [{ name: 'secret' }] }] },
      checkout_id: 'secret-id',
      loyalty: { card: 'secret-card' },
    }
    const found = contract.driftsIn('shipment_methods', body)
    const byPath = found.toSorted((one, other) => (one.path < other.path ? -1 : 1))
    expect(byPath).toEqual([
      { path: 'checkout_id', kind: 'text', became: 'read' },
      { path: 'customer.firstname', kind: 'list', became: 'refused' },
      { path: 'customer.newsletter', kind: 'true', became: 'ignored' },
      { path: 'loyalty', kind: 'object', became: 'ignored' },
      { path: 'quote.products[].options', kind: 'list', became: 'ignored' },
      { path: 'quote.products[].origin', kind: 'text', became: 'ignored' },
    ])
    expect(JSON.stringify(found)).not.toContain('secret')
  })

  test.each([
    ['shipping_address.country', { code: 'nl' }, 'object', 'lost'],
    ['shipping_address.country', 'NLD', 'text', 'lost'],
    ['shipping_address.country', 'NL', 'text', 'read'],
    ['shipping_address.number', 12.5, 'number', 'read'],
    ['shipping_address.city', 'x'.repeat(300), 'text', 'cut'],
    ['customer.gender', 1, 'number', 'lost'],
    ['customer.gender', 'M', 'text', 'lost'],
    ['customer.type', 'zakelijk', 'text', 'lost'],
    ['customer.birthdate', '04-07-1988', 'text', 'lost'],
    // These have the form of the contract.
    ['customer.birthdate', '0000-00-00', 'text', 'lost'],
    ['customer.birthdate', '1988-02-30', 'text', 'lost'],
    ['customer.birthdate', 583_977_600, 'number', 'read'],
    ['customer.birthdate', '1988-07-04T00:00:00', 'text', 'cut'],
    ['customer.sameaddress', 'ja', 'text', 'refused'],
    ['shop.language', 'dutch', 'text', 'lost'],
    ['shop.language', 'en-GB', 'text', 'cut'],
    ['shop.currency', 'EUR', 'text', 'read'],
    ['quote.created_at', '2027-04-01 10:00:00', 'text', 'lost'],
    ['quote.totals', 7, 'number', 'refused'],
    ['quote.weight', '1,2', 'text', 'refused'],
    ['quote.products', 'none', 'text', 'refused'],
    ['rate_estimate', '0', 'text', 'read'],
    ['rate_estimate', 'no', 'text', 'refused'],
  ])('%s in another form: %j', (path, value, kind, became) => {
    const body = JSON.parse(JSON.stringify(checkoutExample)) as Record<string, unknown>
    const names = path.split('.')
    const at = names.slice(0, -1).reduce((node, name) => node[name] as typeof body, body)
    at[names.at(-1)!] = value
    expect(contract.driftsIn('shipment_methods', body)).toEqual([{ path, kind, became }])
  })

  test('lists that PHP writes as objects are looked into', () => {
    const { quote } = checkoutExample
    const products = { 1: quote.products[0], 2: { ...quote.products[0], upc: '1', quantity: '2' } }
    const body = { ...checkoutExample, quote: { ...quote, products } }
    expect(contract.driftsIn('shipment_methods', body)).toEqual([
      { path: 'quote.products', kind: 'object', became: 'read' },
      { path: 'quote.products[].quantity', kind: 'text', became: 'read' },
      { path: 'quote.products[].upc', kind: 'text', became: 'ignored' },
    ])
  })

  test('a password is read in no form, so that none is a drift', () => {
    const customer = { ...checkoutExample.customer, password: { hash: 'secret' } }
    expect(contract.driftsIn('shipment_methods', { ...checkoutExample, customer })).toEqual([])
  })

  test('no data is no drift, in whatever form', () => {
    const body = { ...checkoutExample, extra: null, more: '', list: [], no: false }
    expect(contract.driftsIn('shipment_methods', { ...body, customer: false, quote: null })).toEqual([])
  })

  test('names that may be values are not repeated, and there is an end to them', () => {
    const names = { '123': 1, '456': 1, 'jan@example.com': 1, ['x'.repeat(500)]: 1 }
    expect(contract.driftsIn('payment', names).map(({ path }) => path)).toEqual(['*', '?', 'x'.repeat(40)])
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`f${at}`, 1]))
    expect(contract.driftsIn('payment', many)).toHaveLength(50)
    expect(contract.driftsIn('payment', 7)).toEqual([{ path: '$', kind: 'number', became: 'refused' }])
  })
})
