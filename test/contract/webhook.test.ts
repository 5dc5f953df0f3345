import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { webhookBody, writeWebhookBody } from '../../src/contract/index.ts'
import { forAll } from '../for-all.ts'

describe('the body of the webhook call', () => {
  test.each([
    ['7', 7],
    ['0', 0],
    ['9007199254740991', 9007199254740991],
  ])('order %s is written as a number', (orderId, order_id) => {
    expect(writeWebhookBody(orderId)).toEqual({ order_id })
  })

  test.each([
    ...['007', '-0', '-7', '+7', '7.0', '1e3', '0x10', ' 7', '9007199254740993', 'A-7', 'Infinity', 'NaN'],
  ])('order %s is written as text', (orderId) => {
    expect(writeWebhookBody(orderId)).toEqual({ order_id: orderId })
  })

  test('carries the order id and no status', () => {
    expect(Object.keys(writeWebhookBody('7'))).toEqual(['order_id'])
  })

  test('is wire-valid and names the same order, whatever its id', () => {
    const ids = fc.oneof(
      fc.maxSafeNat().map(String),
      fc.string({ minLength: 1, maxLength: 20 }),
      fc.string({ unit: fc.constantFrom(...'0123456789.e-'), minLength: 1, maxLength: 18 }),
    )
    forAll(ids, (orderId) => {
      const body = JSON.parse(JSON.stringify(writeWebhookBody(orderId)))
      expect(webhookBody.safeParse(body).success).toBe(true)
      expect(String(body.order_id)).toBe(orderId)
    })
  })
})
