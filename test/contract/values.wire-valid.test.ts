import { describe, expect, test } from 'vitest'
import { forRuns } from '../for-all.ts'
import { wireValid } from './arbitraries.ts'
import { kinds } from './kinds.ts'

const asSent = (message: unknown) => JSON.parse(JSON.stringify(message))

describe.each(kinds)('a $name message', ({ name, wire, read }) => {
  test('is read whenever the spec allows it to be sent', () => {
    forRuns(250, wireValid[name]!, (message) => {
      const body = asSent(message)
      expect(wire.safeParse(body).error).toBeUndefined()
      expect(() => read(body)).not.toThrow()
    })
  })

  test('once read, reads as itself', () => {
    forRuns(100, wireValid[name]!, (message) => {
      const clean = asSent(read(asSent(message)))
      expect(asSent(read(structuredClone(clean)))).toEqual(clean)
    })
  })
})
