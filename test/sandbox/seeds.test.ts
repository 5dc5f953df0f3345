import { expect, test } from 'vitest'
import { createSandbox } from '../../src/sandbox/index.ts'
import { folderWith } from '../folder.ts'

const mug = { id: 1, title: 'Mug' }

test.each<[string, Record<string, object[]>, string]>([
  [
    'a tax rate above 1',
    { products: [mug, { taxRate: 9 }] },
    'products[1].taxRate must be a fraction from 0 to 1',
  ],
  ['half a gram', { products: [{ weight: 1.5 }] }, 'products[0].weight must be a whole number'],
  ['a price below 0', { products: [{ priceExcl: -5 }] }, 'products[0].priceExcl must be a price from 0'],
  ['an id that is there twice', { brands: [mug, { id: '1' }] }, 'brands has the id 1 twice'],
])('%s in records of code is refused with its place', (_what, resources, says) => {
  expect(() => createSandbox({ resources: resources as never })).toThrow(
    expect.objectContaining({ code: 'ARGUMENT_INVALID', message: expect.stringContaining(says) }),
  )
})

test('a fault in the cart is said of the seed only where the cart is from there', () => {
  const seed = folderWith({ 'products.json': [mug], 'cart.json': [{ product: 8 }] })
  const fault = 'cart[0].product must be the id of one of the products.'
  expect(() => createSandbox({ seed })).toThrow(`${seed}: ${fault}`)
  const resources = { cart: [{ product: 7 }] }
  expect(() => createSandbox({ seed, resources })).toThrow(expect.objectContaining({ message: fault }))
})
