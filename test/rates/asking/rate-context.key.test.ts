import { expect, test } from 'vitest'
import { personalNeeds } from '../../../src/adapters/call-adapter.ts'
import { questionKey, withoutMoment } from '../../../src/rates/asking/rate-context.ts'

test('countries, regions, zipcodes, cities and the kind of customer are not personal, all else is', () => {
  const zones = (['billing_address', 'shipping_address'] as const).flatMap((part) =>
    (['country', 'region', 'zipcode', 'city'] as const).map((field) => `${part}.${field}` as const),
  )
  expect(personalNeeds([...zones, 'customer.type'])).toEqual([])
  expect(personalNeeds()).toEqual([])
  const personal = ['customer.email', 'billing_address.name', 'shipping_address.number'] as const
  expect(personalNeeds([...personal, ...zones])).toEqual(personal)
})

test('a key is the same for equal questions alone, and for one secret alone', () => {
  const key = questionKey('secret', [{ zipcode: '1012' }])
  expect(key).toMatch(/^[A-Za-z0-9+/]{43}=$/)
  expect(questionKey('secret', [{ zipcode: '1012' }])).toBe(key)
  expect(questionKey('secret', [{ zipcode: '1013' }])).not.toBe(key)
  expect(questionKey('another', [{ zipcode: '1012' }])).not.toBe(key)
})

test('what no two questions share is left out, and nothing else', () => {
  const quote = { id: '1', created_at: 'a', updated_at: 'b', weight: 5 }
  const asked = { quote, checkout_id: '7', shipping_address: { country: 'nl' } }
  expect(withoutMoment(asked as never)).toEqual({
    quote: { weight: 5 },
    checkout_id: undefined,
    shipping_address: { country: 'nl' },
  })
  expect(asked.quote).toBe(quote)
  expect(quote.id).toBe('1')
})
