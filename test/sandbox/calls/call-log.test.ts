import { expect, test } from 'vitest'
import { shopWith } from '../provider.ts'

test('the calls that a program has read stay as they are', async () => {
  const { sandbox } = await shopWith()
  const before = sandbox.calls
  await sandbox.estimate({ country: 'nl', zipcode: '1016GV' })
  expect([before.length, sandbox.calls.length]).toEqual([0, 1])
})
