import { expect, test } from 'vitest'
import { privacyStatement } from '../../src/shops/privacy-statement.ts'
import { newShop } from '../../src/shops/shop.ts'
import { paymentsWith } from '../helpers/provider.ts'

test('a statement says what is never kept, and that records of the platform come in full', () => {
  const { workings } = paymentsWith({})
  const never = (handlers: object) =>
    privacyStatement({ ...workings, resourceHandlers: handlers as never }, newShop('default')).never
  const declared = 'any field of a customer or an address that no adapter declares'
  expect(never({})).toEqual([expect.stringContaining('password'), declared, expect.stringContaining('logs')])
  expect(never({ orders: () => {} })[1]).toBe(`${declared}, in calls of the checkout`)
})
