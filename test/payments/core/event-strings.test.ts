import { expect, test } from 'vitest'
import { checkEventStrings } from './event-strings.ts'

test('every string of up to five events leads where a model of the rules does', () => {
  const { strings, violations } = checkEventStrings(5)
  expect(violations).toEqual([])
  expect(strings).toBe(1 + 8 + 8 ** 2 + 8 ** 3 + 8 ** 4)
})
