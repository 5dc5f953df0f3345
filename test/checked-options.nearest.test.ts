import { expect, test } from 'vitest'
import { z } from 'zod'
import { keysAt, nearest, nearestIcon } from '../src/checked-options.ts'
import { genericIcons } from '../src/contract/index.ts'

test('a mistyped word is found, whatever its case', () => {
  expect(nearest('Mon', ['mon', 'sat'])).toBe('mon')
  expect(nearest('friday', ['mon', 'sat'])).toBeUndefined()
})

const day = z.enum(['mon', 'sat'])
const schema = z
  .strictObject({
    plain: z.object({ a: z.number() }).optional(),
    times: z.union([z.string(), z.partialRecord(day, z.object({ at: z.string() }))]).default(''),
    either: z.union([z.object({ b: z.string() }), z.object({ c: z.string() })]).optional(),
    open: z.record(z.string(), z.object({ d: z.string() })),
  })
  .transform((one) => one)

test.each([
  [[], ['plain', 'times', 'either', 'open']],
  [['plain'], ['a']],
  [['times'], ['mon', 'sat']],
  [['times', 'sat'], ['at']],
  [['either'], ['b', 'c']],
  [['open'], []],
  [['nowhere'], []],
])('the keys at %j are %j', (path, keys) => {
  expect(keysAt(schema, path)).toEqual(keys)
})

test.each([
  ['bank-transfer', 'banktransfer'],
  ['BankTransfer', 'banktransfer'],
  ['Bank transfer', 'banktransfer'],
  ['banktranser', 'banktransfer'],
  ['direct_debit', 'directdebit'],
  ['e-wallet', 'ewallet'],
  ['giftcards', 'giftcard'],
  ['PIN', 'pin'],
  ['invoices', 'invoice'],
])('%s nearly is %s', (icon, near) => {
  expect(nearestIcon(icon)).toBe(near)
})

test.each([...genericIcons, 'pix', 'pan', 'cashu', 'my-brand', 'https://icons.example/pins.png', ''])(
  '%s may be what it is',
  (icon) => {
    expect(nearestIcon(icon)).toBeUndefined()
  },
)
