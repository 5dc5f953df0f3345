import { expect, test } from 'vitest'
import { addressIn } from '../../src/messages/people.ts'
import { canBeZipcode } from '../../src/rates/zipcodes/zipcode.ts'
import { zipcodeExamples } from '../rates/zipcodes/examples.ts'

test.each(zipcodeExamples)(
  '%s has an address with a zipcode and a city of its own',
  (country, one, other) => {
    const { city, zipcode, address1, country: in_ } = addressIn({ country: country.toUpperCase() })
    expect([in_, city.length > 2, address1 !== '']).toEqual([country, true, true])
    for (const zipcode of [one, other])
      expect(addressIn({ country, zipcode })).toMatchObject({ country, city, zipcode })
    expect(canBeZipcode(country, `${zipcode}99999`)).toBe(false)
  },
)

test('a country without zipcodes, or of an unknown form, takes each', () => {
  expect(addressIn({ country: 'hk' })).toMatchObject({ country: 'hk', zipcode: '' })
  expect(addressIn({ country: 'gy', zipcode: '413741' })).toMatchObject({ country: 'gy', zipcode: '413741' })
})

test('the half of a zipcode that may stand alone is taken', () => {
  const halves = { gb: ['PO3', 'BH20', 'W1A'], nl: ['1012'], ie: ['D02'] }
  for (const [country, zipcodes] of Object.entries(halves))
    for (const zipcode of zipcodes)
      expect(addressIn({ country, zipcode })).toMatchObject({ country, zipcode })
  expect(() => addressIn({ country: 'gb', zipcode: 'PO' })).toThrow('cannot be one of country gb')
})

const notOf = (country: string, zipcode: string, such = '') =>
  `zipcode "${zipcode}" cannot be one of country ${country}: write one${such}`
test.each([
  [{ country: 'xx' }, 'country xx is not a country: write two letters such as nl'],
  [{ country: 'Germany' }, 'country Germany is not a country: write de'],
  [{ country: 'uk' }, 'country uk is not a country: write gb'],
  [{ zipcode: '10115' }, notOf('nl', '10115', ' such as 1016GV')],
  [{ country: 'de', zipcode: '1016GV' }, notOf('de', '1016GV', ' such as 10119')],
  [{ country: 'de', zipcode: '' }, notOf('de', '', ' such as 10119')],
  [{ country: 'ca', zipcode: '1K1 0B1' }, notOf('ca', '1K1 0B1', ' such as K1A 0B1')],
  // No example of Egypt is known here.
  [{ country: 'eg' }, notOf('eg', '')],
])('%o is refused', (place, message) => {
  expect(() => addressIn(place)).toThrow(expect.objectContaining({ code: 'ARGUMENT_INVALID', message }))
})
