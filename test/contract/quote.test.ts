import { describe, expect, test } from 'vitest'
import { quoteReader, readMessage } from '../../src/contract/index.ts'
import { type Json, methodsBody } from './messages.ts'

const quoteWith = (fields: object) =>
  readMessage(quoteReader, { ...(methodsBody().quote as { [key: string]: Json }), ...fields })
const productWith = (fields: object) => quoteWith({ products: [fields] }).products[0]!

const invalid = expect.objectContaining({ code: 'BODY_INVALID' })

describe('the prices of a quote', () => {
  test.each([
    [36.3, '36.3'],
    ['36.3', '36.3'],
    ['36.30', '36.3'],
    ['36.3000', '36.3'],
    [36.300000000000004, '36.3'],
    [0, '0'],
    ['-5.00', '-5'],
  ])('%j reads as the decimal %s', (price_incl, decimal) => {
    expect(quoteWith({ price_incl }).price_incl).toBe(decimal)
    expect(productWith({ price_incl }).price_incl).toBe(decimal)
    expect(quoteWith({ totals: { grand_total: price_incl } }).totals.grand_total).toBe(decimal)
  })

  test('are never multiplied, added up or compared: a line and a total pass on as they came', () => {
    const line = { price_incl: 10, quantity: 3, weight: 500, volume: 2, colli: 1 }
    const quote = quoteWith({ price_incl: '99', products: [line], weight: 7 })
    expect(quote).toMatchObject({ price_incl: '99', weight: 7 })
    expect(quote.products[0]).toMatchObject({ ...line, price_incl: '10' })
  })

  test.each(['12,50', 'free', 1e15, true, {}])('%j is refused', (price_incl) => {
    expect(() => quoteWith({ price_incl })).toThrow(invalid)
  })
})

describe('the flags of a quote', () => {
  const yes = [true, 1, '1', 'true'].map((sent) => [sent, true])
  const no = [false, 0, '0', 'false', null, '', [], undefined].map((sent) => [sent, false])
  test.each([...yes, ...no])('%j is %s', (sent, read) => {
    expect(quoteWith({ vat_shifted: sent }).vat_shifted).toBe(read)
    expect(quoteWith({ additional_cost: sent }).additional_cost).toBe(read)
    expect(productWith({ stock_available: sent }).stock_available).toBe(read)
  })

  test.each(['yes', 2, -1, {}, ['1']])('%j is refused', (vat_shifted) => {
    const faults = [{ path: 'vat_shifted', message: 'must be true or false' }]
    expect(() => quoteWith({ vat_shifted })).toThrow(expect.objectContaining({ faults }))
  })
})

describe('weights, volumes and counts', () => {
  test.each([
    [1500, 1500],
    ['1500', 1500],
    ['1500.50', 1500.5],
    [0, 0],
    ['0', 0],
    [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
    ['', undefined],
  ])('%j reads as the number %s', (weight, read) => {
    expect(quoteWith({ weight }).weight).toBe(read)
    expect(productWith({ weight }).weight).toBe(read)
  })

  test('there is no -0', () => {
    expect(Object.is(quoteWith({ weight: -0 }).weight, 0)).toBe(true)
  })
})

describe('lists', () => {
  const kettle = { title: 'Kettle' }
  const mug = { title: 'Mug' }

  test.each([
    ['a list', [kettle, mug]],
    ['an object keyed by number', { 0: kettle, 1: mug }],
    ['an object keyed by number that starts at 1', { 1: kettle, 2: mug }],
    ['an object keyed by number with gaps', { 10: mug, 7: kettle }],
  ])('of products come as %s', (_name, products) => {
    expect(quoteWith({ products }).products.map(({ title }) => title)).toEqual(['Kettle', 'Mug'])
  })

  const empty: [unknown][] = [[[]], [{}], [null], [false], [''], [undefined]]
  test.each(empty)('of no products come as %j: an empty cart', (products) => {
    expect(quoteWith({ products }).products).toEqual([])
  })

  test('of taxes may be keyed by number or be missing', () => {
    const taxes = { 1: { percentage: '21.00', amount: 6.3 } }
    expect(quoteWith({ totals: { taxes } }).totals.taxes).toEqual([{ percentage: '21', amount: '6.3' }])
    expect(quoteWith({ totals: [] }).totals).toEqual({ taxes: [] })
    expect(quoteWith({ totals: undefined }).totals).toEqual({ taxes: [] })
  })

  test('are not objects with other keys, nor text', () => {
    for (const products of [{ kettle }, 'kettle']) expect(() => quoteWith({ products })).toThrow(invalid)
  })
})

describe('the rest of a quote', () => {
  test('ids are text that stays what it was', () => {
    expect(productWith({ product_id: 7 }).product_id).toBe('7')
    expect(productWith({ product_id: '007' }).product_id).toBe('007')
  })

  test('article codes that come as numbers are text', () => {
    const codes = { ean: '8710000000000', sku: '0', article_code: '00-1' }
    expect(productWith({ ean: 8710000000000, sku: 0, article_code: '00-1' })).toMatchObject(codes)
  })

  test.each(['2024-03-01T10:00:00+01:00', '2024-03-01T10:00:00Z'])('a timestamp %s is kept', (created_at) => {
    expect(quoteWith({ created_at }).created_at).toBe(created_at)
  })

  const noTimes = ['7', 'March', '2024-03-01', '2024-99-99T10:00:00Z', '+002024-03-01T10:00:00Z', 1709283600]
  test.each(noTimes)('what is no timestamp reads as no data: %j', (created_at) => {
    expect(quoteWith({ created_at }).created_at).toBeUndefined()
  })
})
