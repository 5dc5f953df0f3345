import type { Selectable } from 'kysely'
import type { Fact } from '../../payments/facts.ts'
import type { Attempt } from '../../payments/payment.ts'
import type { Shop } from '../../shops/shop.ts'
import type { Tables } from './tables.ts'

// Between a row, where no data is null, and the domain's objects, where it is undefined.

export const shopFrom = (row: Selectable<Tables['shops']>): Shop => ({
  id: row.id,
  platformId: row.platform_id ?? undefined,
  language: row.language ?? undefined,
})

export const factFrom = (row: Selectable<Tables['facts']>): Fact => ({
  kind: row.kind,
  amount: row.amount ?? undefined,
  currency: row.currency ?? undefined,
  source: row.source as Fact['source'],
  at: row.at,
  detail: row.detail ?? undefined,
})

export const attemptFrom = (row: Selectable<Tables['attempts']>, facts: Fact[]): Attempt => ({
  id: row.id,
  shopId: row.shop_id,
  orderId: row.order_id,
  orderNumber: row.order_number ?? undefined,
  adapter: row.adapter,
  methodId: row.method_id,
  amount: row.amount,
  currency: row.currency,
  language: row.language,
  idempotencyKey: row.idempotency_key,
  pageToken: row.page_token,
  started: row.how
    ? {
        how: row.how,
        paymentUrl: row.payment_url ?? undefined,
        urlExpiresAt: row.url_expires_at ?? undefined,
        reference: row.reference ?? undefined,
      }
    : undefined,
  openedAt: row.opened_at,
  expiresAt: row.expires_at,
  facts,
})

/** The row of a new attempt. How it goes on is written once `start` has answered. */
export const attemptRow = (attempt: Attempt, number: number) => ({
  shop_id: attempt.shopId,
  order_id: attempt.orderId,
  number,
  id: attempt.id,
  order_number: attempt.orderNumber,
  adapter: attempt.adapter,
  method_id: attempt.methodId,
  amount: attempt.amount,
  currency: attempt.currency,
  language: attempt.language,
  idempotency_key: attempt.idempotencyKey,
  page_token: attempt.pageToken,
  opened_at: attempt.openedAt,
  expires_at: attempt.expiresAt,
  check_at: attempt.expiresAt,
})
