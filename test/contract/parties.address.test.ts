import { describe, expect, test } from 'vitest'
import { readShipmentEstimate, readShipmentMethods } from './kinds.ts'
import { methodsBody, put, shipmentEstimateBody } from './messages.ts'

const addressWith = (field: string, value: unknown) =>
  readShipmentMethods(put(methodsBody(), ['shipping_address', field], value)).shipping_address

describe('a house number', () => {
  test.each([
    [12, '12'],
    ['12', '12'],
    ['12-14', '12-14'],
    ['012', '012'],
    [0, '0'],
    ['0', '0'],
  ])('%j reads as %j', (number, text) => {
    expect(addressWith('number', number).number).toBe(text)
  })

  test('and its extension may be a number too', () => {
    expect(addressWith('extension', 2).extension).toBe('2')
  })
})

describe('a country', () => {
  test.each(['nl', 'NL', 'Nl', 'NL ', ' nl'])('%s reads as nl', (country) => {
    expect(addressWith('country', country).country).toBe('nl')
  })

  test.each([
    ['uk', 'gb'],
    ['UK ', 'gb'],
    ['el', 'gr'],
  ])('%s reads as %s', (country, code) => {
    expect(addressWith('country', country).country).toBe(code)
  })

  const none = ['Netherlands', 'nld', '??', 'n', '  ', 31, true, { code: 'nl' }, ['nl']]
  test.each(none)('%j is not a country and never costs the rates', (country) => {
    const body = put(methodsBody(), ['billing_address', 'country'], country)
    const read = readShipmentMethods(put(body, ['shipping_address', 'country'], country))
    expect(read.shipping_address.country).toBeUndefined()
    expect(read.billing_address.country).toBeUndefined()
    expect(read.shipping_address.zipcode).toBe('1015 CJ')
    const estimate = put(shipmentEstimateBody(), ['shipping_address', 'country'], country)
    const address = { zipcode: '1015 CJ', country: undefined }
    expect(readShipmentEstimate(estimate).shipping_address).toEqual(address)
  })
})

test('a zipcode keeps its zeros, and one that comes as a number is text', () => {
  expect(addressWith('zipcode', '01067').zipcode).toBe('01067')
  expect(addressWith('zipcode', 1067).zipcode).toBe('1067')
})

test('address lines without data cost nothing', () => {
  const known = { zipcode: '1015 CJ', country: 'nl' }
  const body = put(methodsBody(), ['shipping_address'], {
    ...known,
    address1: null,
    address2: '',
    number: false,
  })
  expect(readShipmentMethods(body).shipping_address).toEqual(known)
})
