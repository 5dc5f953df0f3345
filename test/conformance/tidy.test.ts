import { expect, onTestFinished, test } from 'vitest'
import { checkProvider } from '../../src/conformance/index.ts'
import { type Change, plainProvider } from './plain-provider.ts'

/** Starts that leave a payment open, one with a second amount. */
const cases = ['payment-start-status', 'start-repeated', 'webhook-called']

async function checked(change: Change | undefined, only: readonly string[]) {
  const { endpoint, close } = await plainProvider(...(change ? [change] : []))
  onTestFinished(close)
  return checkProvider(endpoint, { cases: only })
}

/** Notes the last status of every order that the provider is asked for. */
const noting =
  (statuses: Map<string, string>, more: Change = () => ({})): Change =>
  (parts, state) => ({
    async status(orderId) {
      const answer = await (more(parts, state).status ?? parts.status)(orderId)
      statuses.set(orderId, (answer.body as { status: string }).status)
      return answer
    },
    ...Object.fromEntries(Object.entries(more(parts, state)).filter(([name]) => name !== 'status')),
  })

test('test orders that are left are cancelled on their pages, and their statuses are read', async () => {
  const statuses = new Map<string, string>()
  const { testOrders, failed } = await checked(noting(statuses), cases)
  expect(failed).toBe(0)
  expect(testOrders.started).toBeGreaterThanOrEqual(3)
  expect(testOrders.open).toBe(0)
  expect(statuses.size).toBe(testOrders.started)
  expect([...statuses.values()].filter((status) => status === 'pending')).toEqual([])
})

test('the webhook of each is taken, also if the shop refused it before', async () => {
  const answered: number[] = []
  const tried = new Map<string, number>()
  const repeating: Change = (parts) => ({
    webhook(payment, attempt) {
      tried.set(payment.orderId, (tried.get(payment.orderId) ?? 0) + 1)
      answered.push(1)
      parts.webhook(payment, attempt)
    },
  })
  const { testOrders, failed } = await checked(repeating, ['webhook-repeated', 'payment-start-status'])
  expect([failed, testOrders.open]).toEqual([0, 0])
  expect(tried.size).toBe(testOrders.started)
})

test('orders whose page has no button to cancel are counted', async () => {
  const { testOrders } = await checked(
    (parts) => ({
      page: (payment) => ({ ...parts.page(payment), body: '<!doctype html><p>Transfer the amount.' }),
    }),
    ['payment-start-status'],
  )
  expect(testOrders).toEqual({ started: 1, open: 1 })
})

test('a check that only reads has none', async () => {
  const { endpoint, close } = await plainProvider()
  onTestFinished(close)
  const { testOrders } = await checkProvider(endpoint, { readOnly: true, cases })
  expect(testOrders).toEqual({ started: 0, open: 0 })
})
