import { expect, test } from 'vitest'
import { CpuBefore } from '../../src/use-cases/memory.ts'

test('a reading serves calls of the next 5 ms, and no call of another time', () => {
  let cpu = 0
  const before = new CpuBefore({ cpu: () => ++cpu })
  expect([100, 104, 105, 109, 110].map((now) => before.at(now))).toEqual([1, 1, 2, 2, 3])
  // The clock was set back.
  expect(before.at(50)).toBe(4)
})

test('where only the clock is known there is none', () => {
  expect(new CpuBefore({}).at(1)).toBeUndefined()
})
