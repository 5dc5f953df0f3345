import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { wireValid } from './arbitraries.ts'
import { kinds } from './kinds.ts'

const asSent = (message: unknown) => JSON.parse(JSON.stringify(message))

describe.each(kinds)('a $name message', ({ name, wire, read }) => {
  test('is read whenever the spec allows it to be sent', () => {
    fc.assert(
      fc.property(wireValid[name]!, (message) => {
        const body = asSent(message)
        expect(wire.safeParse(body).error).toBeUndefined()
        expect(() => read(body)).not.toThrow()
      }),
      { numRuns: 250 },
    )
  })

  test('once read, reads as itself', () => {
    fc.assert(
      fc.property(wireValid[name]!, (message) => {
        const clean = asSent(read(asSent(message)))
        expect(asSent(read(structuredClone(clean)))).toEqual(clean)
      }),
      { numRuns: 100 },
    )
  })
})
