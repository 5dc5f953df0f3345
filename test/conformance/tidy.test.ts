import { expect, test } from 'vitest'
import { checked } from './checked.ts'
import type { Change } from './plain-provider.ts'

/** Starts that leave a payment open, one with a second amount. */
const cases = ['payment-start-status', 'start-repeated', 'webhook-called']

/** Notes the last status of every order that the provider is asked for. */
const noting =
  (statuses: Map<string, string>): Change =>
  (parts) => ({
    async status(orderId) {
      const answer = await parts.status(orderId)
      statuses.set(orderId, (answer.body as { status: string }).status)
      return answer
    },
  })

test('test orders that are left are cancelled on their pages, and their statuses are read', async () => {
  const statuses = new Map<string, string>()
  const { testOrders, failed } = await checked(noting(statuses), { cases })
  expect(failed).toBe(0)
  expect(testOrders.started).toBeGreaterThanOrEqual(3)
  expect(testOrders.open).toBe(0)
  expect(statuses.size).toBe(testOrders.started)
  expect([...statuses.values()].filter((status) => status === 'pending')).toEqual([])
})

test('the webhook of each is taken, also if the shop refused it before', async () => {
  const tried = new Set<string>()
  const repeating: Change = (parts) => ({
    webhook(payment, attempt) {
      tried.add(payment.orderId)
      parts.webhook(payment, attempt)
    },
  })
  const asked = { cases: ['webhook-repeated', 'payment-start-status'] }
  const { testOrders, failed } = await checked(repeating, asked)
  expect([failed, testOrders.open]).toEqual([0, 0])
  expect(tried.size).toBe(testOrders.started)
})

test('orders whose page has no button to cancel are counted', async () => {
  const withoutButtons: Change = (parts) => ({
    page: (payment) => ({ ...parts.page(payment), body: '<!doctype html><p>Transfer the amount.' }),
  })
  const { testOrders } = await checked(withoutButtons, { cases: ['payment-start-status'] })
  expect(testOrders).toEqual({ started: 1, open: 1 })
})

test('a check that only reads has none', async () => {
  const { testOrders } = await checked(undefined, { readOnly: true, cases })
  expect(testOrders).toEqual({ started: 0, open: 0 })
})
