import { describe, expect, test } from 'vitest'
import { ContractForms } from '../../src/contract/drift.ts'
import {
  checkoutExample,
  estimateExample,
  paymentStartExample,
} from '../../src/contract/examples/requests.ts'

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
      quote: {
        ...quote,
        products: [{ ...product, origin: 'secret-origin', options: [{ name: 'secret' }] }],
      },
      checkout_id: 'secret-id',
      loyalty: { card: 'secret-card' },
    }
    const found = contract.driftsIn('shipment_methods', body)
    const byPath = found.toSorted((one, other) => (one.path < other.path ? -1 : 1))
    expect(byPath).toEqual([
      { path: 'checkout_id', kind: 'text', known: true },
      { path: 'customer.firstname', kind: 'list', known: true },
      { path: 'customer.newsletter', kind: 'true', known: false },
      { path: 'loyalty', kind: 'object', known: false },
      { path: 'quote.products[].options', kind: 'list', known: false },
      { path: 'quote.products[].origin', kind: 'text', known: false },
    ])
    expect(JSON.stringify(found)).not.toContain('secret')
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
    expect(contract.driftsIn('payment', 7)).toEqual([{ path: '$', kind: 'number', known: true }])
  })
})
