import { type Request, type Response, Router } from 'express'
import { expect, test } from 'vitest'
import { customerRoutes } from '../../../src/sandbox/routes/customer.ts'
import type { Shop } from '../../../src/sandbox/shop.ts'

test('of the open checkouts the last 1,000 are kept', async () => {
  let opened = 0
  const shipmentMethods = () => Promise.reject(new Error('its methods'))
  const checkout = () => ({ id: ++opened, shipmentMethods, paymentMethods: async () => [] })
  const routes = Router()
  customerRoutes(routes, { checkout } as unknown as Shop)
  /** Where the customer is sent, or what the page needs. Without a server: a thousand calls would take seconds. */
  const goTo = (url: string): Promise<string> =>
    new Promise((resolve) => {
      const res = { redirect: (_status: number, to: string) => resolve(to) }
      const needs = (error: Error) => resolve(error.message)
      routes({ method: 'GET', url, query: {} } as Request, res as Response, needs as never)
    })
  for (let number = 1; number <= 1_001; number++) expect(await goTo('/checkout')).toBe(`/checkout/${number}`)
  expect(await goTo('/checkout/2')).toBe('its methods')
  expect(await goTo('/checkout/1')).toBe('/checkout')
})
