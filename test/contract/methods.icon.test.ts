import { expect, test } from 'vitest'
import { toJSONSchema } from 'zod'
import { paymentMethod } from '../../src/contract/methods.ts'

const iconWire = paymentMethod.shape.icon

const icons = ['pin', 'my-card_2', 'https://cdn.example/card.png?size=2']
test.each(icons)('the icon %j is on the wire', (icon) => {
  expect(iconWire.parse(icon)).toBe(icon)
})

test.each([
  ...['Pin', 'pin!', '!pin', 'a pin', 'http://cdn.example/card.png', 'see https://cdn.example/card.png'],
  ...['https://cdn.example/my card.png', 'https://'],
])('the icon %j is not', (icon) => {
  expect(iconWire.safeParse(icon).success).toBe(false)
})

test('the description of the contract says how large the image of an icon is', () => {
  expect(JSON.stringify(toJSONSchema(iconWire))).toMatch(/known icon name.*https.*50 by 32 pixels/)
})
