import { expect, test } from 'vitest'
import { genericIcons } from '../../src/contract/index.ts'
import { nearestIcon } from '../../src/use-cases/nearest-icon.ts'

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
