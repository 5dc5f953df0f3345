import { expect, test } from 'vitest'
import { shopIn } from '../../src/store/holds.ts'

test.each([
  ['order one 1001', 'one'],
  ['lane one shop.example', 'one'],
  ['lane one push psp', 'one'],
  ['push one psp evt_1', 'one'],
  ['page one a.1', 'one'],
  ['shop one', 'one'],
  ['shops', undefined],
  ['nodes', undefined],
])('a command that holds "%s" is of shop %s: a locked row of that shop may block it', (hold, shop) => {
  expect(shopIn(hold)).toBe(shop)
})
