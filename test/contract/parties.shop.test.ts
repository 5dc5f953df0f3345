import { describe, expect, test } from 'vitest'
import { readMessage, shopReader } from '../../src/contract/index.ts'

const shop = (fields: object) => readMessage(shopReader, { id: 1042, currency: 'eur', ...fields })

describe('a shop', () => {
  test.each([
    [1042, '1042'],
    ['1042', '1042'],
    ['01042', '01042'],
    [0, '0'],
  ])('with id %j has id %j', (id, text) => {
    expect(shop({ id }).id).toBe(text)
  })

  test.each([
    ['nl', 'nl'],
    ['NL', 'nl'],
    ['nl_NL', 'nl'],
    ['nl-BE', 'nl'],
    ['nederlands', 'en'],
    [7, 'en'],
    ['', 'en'],
    [undefined, 'en'],
  ])('with language %j speaks %s', (language, read) => {
    expect(shop({ language }).language).toBe(read)
  })

  test.each(['eur', 'EUR', 'Eur'])('with currency %s sells in eur', (currency) => {
    expect(shop({ currency }).currency).toBe('eur')
  })

  test.each(['€', 'euro', 978, ' eur', ['eur']])('with currency %j is refused', (currency) => {
    const faults = [{ path: 'currency', message: 'must be a three-letter currency code' }]
    expect(() => shop({ currency })).toThrow(expect.objectContaining({ faults }))
  })
})
