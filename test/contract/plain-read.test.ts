import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import * as contract from '../../src/contract/index.ts'
import { optional, plainly, required, withDefault } from '../../src/contract/plain-read.ts'
import * as values from '../../src/contract/values.ts'
import { forRuns } from '../for-all.ts'
import { wireValid } from './arbitraries.ts'
import { pathsOf, put } from './messages.ts'

// `z.object(reader.shape)` is the same reader without its plain function.
const readers = [
  { name: 'shipment methods', reader: contract.shipmentMethodsReader() },
  { name: 'shipment estimate', reader: contract.shipmentEstimateReader },
  { name: 'payment methods', reader: contract.paymentMethodsReader() },
]
const breakings = [undefined, null, '', 'x', -1, 1.5, '1e3', true, [], {}, [[]], { 0: 'x' }, { a: 1 }]

describe.each(readers)('a $name message', ({ name, reader }) => {
  const slow: z.ZodType = z.object(reader.shape)

  test('reads the same plainly and by the schema, whole or with one value broken', () => {
    forRuns(400, wireValid[name]!, fc.nat(), fc.constantFrom(...breakings), (message, which, breaking) => {
      const whole = JSON.parse(JSON.stringify(message))
      const paths = pathsOf(whole)
      const broken = put(whole, paths[which % paths.length]!, breaking)
      for (const body of [whole, broken]) isSame(reader.safeParse(body), slow.safeParse(body))
    })
  })
})

/** Reads the same, with the same faults. */
function isSame(one: z.ZodSafeParseResult<unknown>, other: z.ZodSafeParseResult<unknown>): void {
  expect(one.data).toEqual(other.data)
  expect(one.error?.issues).toEqual(other.error?.issues)
}

test('a method that an adapter gave is written the same plainly and by the schema', () => {
  const { shipmentMethodWriter } = contract
  const slow = z.object(shipmentMethodWriter.shape)
  const price = { price_excl: '5.00', price_incl: 6.05, tax_rate: '0.21' }
  for (const method of [
    { title: 'At your door', ...price },
    { id: 7, title: 'x', is_pickup: 1, description: null, ...price },
    { id: {}, title: '', ...price },
    { title: 'x' },
    { title: 'x', ...price, price_incl: Number.NaN },
    'x',
    null,
    [],
  ])
    isSame(shipmentMethodWriter.safeParse(method), slow.safeParse(method))
})

test('every usual value is read plainly as by the schema, at the edges too', () => {
  const { amount, amountOnWire, anyText, flag, id, instant, quantity, text } = values
  const usual = [text('zipcode'), text('name'), id, amount, quantity, anyText, instant]
  const fields = {
    optional: usual.map((read) => optional<unknown>(read)),
    required: [amount, amountOnWire, anyText].map((read) => required<unknown>(read)),
    withDefault: [withDefault(amountOnWire, 0), withDefault(anyText, 'none')],
    flags: [flag()],
  }
  const times = '2026-02-31T10:00:00Z 2026-12-01T24:00:00Z 2026-12-01T10:00:00+01:00 2026-12-01T10:00'
  const given = [
    ...[0, -0, 1, -1, 7.25, 0.1 + 0.2, 1e-7, 1e7, 9_999_999.9999],
    ...[2 ** 31, -(2 ** 31) - 1, 2 ** 53, 1e300, Number.NaN],
    ...['a', 'v', ' ', '0', '1', '-0.0', 'x'.repeat(32), 'x'.repeat(33), '\u{1f600}'.repeat(32)],
    ...['x'.repeat(257), ...times.split(' '), '2026-13-01T10:00:00Z'],
    ...[undefined, null, '', false, true, [], {}, [1], new Date(0)],
  ]
  for (const [kind, readers] of Object.entries(fields))
    for (const [at, reader] of readers.entries()) {
      const slow = z.object({ a: reader as z.ZodType })
      const fast = plainly(z.object({ a: reader as z.ZodType }))
      for (const a of given) {
        const [plain, expected] = [fast.safeParse({ a }), slow.safeParse({ a })]
        const name = `${kind} ${at}: ${String(a).slice(0, 40)}`
        expect(plain.error?.issues, name).toEqual(expected.error?.issues)
        const [one, other] = [plain, expected].map(({ data }) => (data as { a: unknown } | undefined)?.a)
        expect(Object.is(one, other), name).toBe(true)
      }
    }
})

test('a schema that nothing reads plainly is refused when it is made', () => {
  const refused = new TypeError('plainly() takes objects of readers, without checks of their own')
  const reader = z.object({ id: values.flag() })
  expect(() => plainly(reader)).not.toThrow()
  for (const schema of [z.object({ id: z.string() }), z.looseObject(reader.shape), reader.refine(() => true)])
    expect(() => plainly(schema)).toThrow(refused)
})

const odd = ['__proto__', 'a-b', "x'] = 1 //", '1a', '']
test.each(odd)('a field named %j is refused: code is made of the names', (name) => {
  const shape = Object.fromEntries([[name, values.flag()]])
  expect(() => plainly(z.object(shape))).toThrow(`plainly() takes no field named ${JSON.stringify(name)}`)
})

test('no other place in the source makes code from text', () => {
  const src = new URL('../../src/', import.meta.url).pathname
  const makesCode = (file: string) =>
    /\bnew Function\(|\beval\(|'node:vm'/.test(readFileSync(join(src, file), 'utf8'))
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  const makers = files.filter((file) => file.endsWith('.ts') && makesCode(file))
  expect(makers).toEqual(['contract/plain-read.ts'])
})
