import { expect, test } from 'vitest'
import { runInterleavings } from './interleavings.ts'

test('two nodes side by side leave what they would leave one after the other, whatever the order of their flights', async () => {
  expect(await runInterleavings(400, 7)).toEqual({ tries: 400, violations: [] })
})
