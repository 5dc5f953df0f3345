import { inspect } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cleanBody, faultsOf, Problem } from '../../src/contract/index.ts'
import { forAll } from '../for-all.ts'
import { kinds, readPaymentStart, readShipmentMethods } from './kinds.ts'
import {
  type Body,
  methodsBody,
  pathsOf,
  paymentStartBody,
  put,
  shipmentEstimateBody,
  written,
} from './messages.ts'

function problemOf(call: () => unknown): Problem {
  try {
    call()
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

const faults = (call: () => unknown) => problemOf(call).faults
const nested = (depth: number, open = '[', close = ']') => open.repeat(depth) + close.repeat(depth)

describe('a body is gone over before it is read', () => {
  test('a usual body is left as it is', () => {
    const body = paymentStartBody()
    cleanBody(body)
    expect(body).toEqual(paymentStartBody())
  })

  test.each([null, undefined, 'text', 7, true])('%j is left to the reader, which refuses it', (body) => {
    expect(() => cleanBody(body)).not.toThrow()
    expect(faults(() => readShipmentMethods(body))).toEqual([{ path: '$', message: expect.any(String) }])
  })

  test('32 levels pass and 33 do not', () => {
    expect(() => cleanBody(JSON.parse(nested(32)))).not.toThrow()
    expect(faults(() => cleanBody(JSON.parse(nested(33))))).toEqual([
      { path: '$', message: 'is nested deeper than 32 levels' },
    ])
  })

  test.each([
    ['lists', nested(10_000)],
    ['objects', nested(10_000, '{"a":', '}').replace(':}', ':1}')],
    ['the data of a method', `{"payment_method":{"data":${nested(10_000)}}}`],
  ])('10,000 levels of %s are refused without a crash', (_name, json) => {
    expect(problemOf(() => cleanBody(JSON.parse(json)))).toMatchObject({ code: 'BODY_INVALID', status: 422 })
  })

  test('a body that holds itself is refused without a crash', () => {
    const body: Record<string, unknown> = {}
    body.self = body
    expect(problemOf(() => cleanBody(body)).code).toBe('BODY_INVALID')
  })

  test('100,000 values pass and more do not', () => {
    const body = { list: Array.from({ length: 99_999 }, () => 0) }
    expect(() => cleanBody(body)).not.toThrow()
    body.list.push(0)
    expect(faults(() => cleanBody(body))).toEqual([{ path: '$', message: 'holds more than 100000 values' }])
  })

  test.each([
    ['{"order":{"id":9007199254740993}}', 'order.id'],
    ['{"order":{"id":-9007199254740993}}', 'order.id'],
    ['{"a":[{"b":1},{"b":2,"c":[0,1e999]}]}', 'a[1].c[1]'],
    ['{"unknown":1e21}', 'unknown'],
    ['[9007199254740992]', '[0]'],
    [`{"order":{"id":9007199254740993},"deep":${nested(10_000)}}`, 'order.id'],
  ])('a whole number that JSON cannot carry exactly is refused with its path: %#', (json, path) => {
    const message = expect.stringContaining('2^53')
    expect(faults(() => cleanBody(JSON.parse(json)))).toEqual([{ path, message }])
  })

  test('the largest whole number that JSON carries exactly passes, and so does a larger one as text', () => {
    const body = paymentStartBody()
    const idOf = (id: unknown) => readPaymentStart(put(body, ['order', 'id'], id)).order.id
    expect(idOf(Number.MAX_SAFE_INTEGER)).toBe('9007199254740991')
    expect(idOf('9007199254740993')).toBe('9007199254740993')
  })
})

describe('keys that reach into prototypes', () => {
  const hostile = '{"polluted":"yes","constructor":{"prototype":{"polluted":"yes"}}}'
  const prototype = Object.getOwnPropertyNames(Object.prototype)

  test('are dropped wherever they are, and nothing is polluted', () => {
    const body = JSON.parse(
      `{"__proto__":${hostile},"a":[{"__proto__":${hostile},"b":1}],"constructor":1,"prototype":{"c":2}}`,
    )
    cleanBody(body)
    expect(JSON.stringify(body)).toBe('{"a":[{"b":1}]}')
    expect(Object.getPrototypeOf(body)).toBe(Object.prototype)
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(prototype)
    expect(({} as Body).polluted).toBeUndefined()
  })

  test('cost no message its reading and reach no part of it, free data included', () => {
    const spiked = (value: unknown): string =>
      JSON.stringify(value).replaceAll('{"', `{"__proto__":${hostile},"prototype":{},"constructor":7,"`)
    for (const { full, read } of kinds) {
      const body = JSON.parse(spiked(full()))
      const clean = read(body)
      expect(clean).toEqual(read(full()))
      expect(inspect(clean, { depth: 20, showHidden: true })).not.toMatch(/polluted|__proto__|prototype/)
    }
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(prototype)
  })
})

describe('unknown fields', () => {
  test.each(kinds)('cost a $name message nothing and go no further', ({ full, read }) => {
    const body = full()
    for (const path of [[], ...pathsOf(full()).filter((path) => !written(path).includes('data'))])
      put(body, [...path, 'x_unknown'], { any: ['thing', 1, null] })
    expect(read(body)).toEqual(read(full()))
  })
})

describe('a fault names its place', () => {
  test.each([
    ['quote.products[2].price_incl', ['quote', 'products', 2, 'price_incl'], 'much'],
    ['quote.products[1]', ['quote', 'products', 1], 'kettle'],
    ['quote.products', ['quote', 'products'], { kettle: {} }],
    ['quote.totals.taxes[0].percentage', ['quote', 'totals', 'taxes', 0, 'percentage'], '21%'],
    ['quote.price_incl', ['quote', 'price_incl'], '12,50'],
    ['quote.price_incl', ['quote', 'price_incl'], true],
    ['quote.weight', ['quote', 'weight'], '4.5 kg'],
    ['quote', ['quote'], 'cart'],
    ['customer', ['customer'], 'Jo'],
    ['customer.phone', ['customer', 'phone'], { number: 1 }],
    ['shipping_address.number', ['shipping_address', 'number'], ['12']],
    ['shop.currency', ['shop', 'currency'], 'euro'],
    ['checkout_id', ['checkout_id'], -1],
  ])('%s', (path, at, value) => {
    const message = expect.stringMatching(/^\S.*\S$/)
    expect(faults(() => readShipmentMethods(put(methodsBody(), at, value)))).toEqual([{ path, message }])
  })

  test('all faults of a body are named at once, up to 20', () => {
    const body = methodsBody()
    put(body, ['shop', 'currency'], null)
    put(body, ['quote', 'price_excl'], undefined)
    put(body, ['quote', 'products', 0, 'weight'], {})
    expect(faults(() => readShipmentMethods(body))?.map(({ path }) => path)).toEqual([
      'shop.currency',
      'quote.price_excl',
      'quote.products[0].weight',
    ])
    put(body, ['quote', 'products'], Array(30).fill('x'))
    expect(faults(() => readShipmentMethods(body))).toHaveLength(20)
  })

  test('an empty list for a whole body is a fault, not a crash', () => {
    expect(faults(() => readShipmentMethods([]))).toEqual([{ path: '$', message: expect.any(String) }])
  })

  test('a wire schema names the place as well', () => {
    const { wire, full } = kinds[0]!
    const result = wire.safeParse(put(full(), ['quote', 'products', 2, 'price_incl'], '12,50'))
    const path = 'quote.products[2].price_incl'
    expect(faultsOf(result.error!)).toEqual([{ path, message: expect.any(String) }])
  })
})

describe('a fault never shows a value', () => {
  const canary = fc
    .string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 12, maxLength: 12 })
    .map((hex) => `canary-${hex}`)
  const shapes: ((canary: string) => unknown)[] = [
    (text) => text,
    (text) => text.padEnd(300, 'x'),
    (text) => `${text}\u0000`,
    (text) => `http://${text}:${text}@shop.example/`,
    (text) => [text],
    (text) => ({ deeper: text }),
    (text) => ({ [text]: text }),
    (text) => [[[text]], { [text]: true }],
  ]

  test.each(kinds)('in a $name message, read or on the wire', ({ full, read, wire, required }) => {
    const paths = pathsOf(full())
    const spikes = fc.array(fc.tuple(fc.constantFrom(...paths), fc.constantFrom(...shapes)), {
      minLength: 1,
      maxLength: 8,
    })
    const certain = [...required].at(-1)!.split('.')
    forAll(canary, spikes, (text, places) => {
      const body = full()
      for (const [path, shape] of places) put(body, path, shape(text))
      // This one is always at fault, so that there is always a problem to look at.
      put(body, certain, { deeper: text })
      const checked = faultsOf(wire.safeParse(body).error!)
      const problem = problemOf(() => read(body))
      expect(problem.faults.length).toBeGreaterThan(0)
      const shown = inspect(problem, { depth: 20, showHidden: true })
      expect(`${JSON.stringify([checked, problem])}${problem.message}${shown}`).not.toContain('canary')
    })
  })

  test('nor does one of a number that JSON cannot carry', () => {
    const body = put(shipmentEstimateBody(), ['quote', 'id'], 9007199254740994)
    expect(inspect(problemOf(() => cleanBody(body)))).not.toContain('9007199254740994')
  })
})
