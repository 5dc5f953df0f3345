import { expect, test } from 'vitest'
import { readCheckoutForm } from '../../../src/sandbox/routes/checkout-form.ts'

const shown = {
  country: 'nl',
  city: 'Utrecht',
  language: 'en',
  billing_country: 'nl',
  billing_city: 'Utrecht',
}
const otherOf = (changed: Record<string, string>) =>
  readCheckoutForm({ ...shown, ...changed }, shown).fields.other

test('a billing address that was typed counts, also without its tick', () => {
  expect(otherOf({})).toBe('')
  expect(otherOf({ city: 'Arnhem' })).toBe('')
  expect(otherOf({ billing_city: 'Arnhem' })).toBe('1')
  expect(otherOf({ other: '1' })).toBe('1')
  expect(readCheckoutForm({ ...shown, billing_country: 'xx' }, shown).faults).toEqual({
    billing_country: 'is a country of the list',
  })
})
