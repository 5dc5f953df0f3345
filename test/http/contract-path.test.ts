import { expect, test } from 'vitest'
import { contractPathOf, isContractPath } from '../../src/http/contract-path.ts'

const none = { token: '', name: '', last: '', isLonger: false }

test.each([
  ['/e/', none],
  ['/e/t', { ...none, token: 't' }],
  ['/e/t/', { ...none, token: 't' }],
  ['/e/t/payment_methods', { ...none, token: 't', name: 'payment_methods' }],
  ['/e/t/payment/', { ...none, token: 't', name: 'payment' }],
  ['/e/t/payment/1001', { ...none, token: 't', name: 'payment', last: '1001' }],
  ['/e/t/payment/1001/', { token: 't', name: 'payment', last: '1001', isLonger: true }],
  ['/e/t/payment/1001/more/parts', { token: 't', name: 'payment', last: '1001', isLonger: true }],
])('%s', (path, parts) => {
  expect(isContractPath(path)).toBe(true)
  expect(contractPathOf(path)).toEqual(parts)
  // As by a list of its parts.
  const [, , token = '', name = '', last = '', ...more] = path.split('/')
  expect(contractPathOf(path)).toEqual({ token, name, last, isLonger: more.length > 0 })
})

test.each(['/', '/e', '/p/t', '/health/live', '/ee/t'])('%s is none of the contract', (path) => {
  expect(isContractPath(path)).toBe(false)
})
