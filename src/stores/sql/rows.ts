import type { Selectable } from 'kysely'
import type { OpenedAnomaly } from '../../payments/anomalies.ts'
import type { Fact } from '../../payments/facts.ts'
import type { Attempt, Payment } from '../../payments/payment.ts'
import type { Shop } from '../../shops/shop.ts'
import type { Tables } from './tables.ts'

// Maps between rows, where no data is null, and the domain's objects, where it is undefined.

export const shopFrom = (row: Selectable<Tables['shops']>, hosts: readonly string[]): Shop => ({
  id: row.id,
  platformId: row.platform_id ?? undefined,
  language: row.language ?? undefined,
  disabled: row.disabled_at !== null,
  hosts: { names: hosts, confirmed: row.hosts_confirmed === 1 },
  sealedSettings: row.sealed_settings ?? undefined,
  settingsVersion: row.settings_version,
})

export const factFrom = (row: Selectable<Tables['facts']>): Fact => ({
  kind: row.kind,
  amount: row.amount ?? undefined,
  currency: row.currency ?? undefined,
  mode: row.mode ?? undefined,
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
  mode: row.mode,
  language: row.language,
  idempotencyKey: row.idempotency_key,
  pageHash: row.page_hash,
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

/** The row of a new attempt. Its next step is written once `start` has answered. */
export const attemptRow = (attempt: Attempt, number: number, checkAt: number) => ({
  shop_id: attempt.shopId,
  order_id: attempt.orderId,
  number,
  id: attempt.id,
  order_number: attempt.orderNumber,
  adapter: attempt.adapter,
  method_id: attempt.methodId,
  amount: attempt.amount,
  currency: attempt.currency,
  mode: attempt.mode,
  language: attempt.language,
  idempotency_key: attempt.idempotencyKey,
  page_hash: attempt.pageHash,
  opened_at: attempt.openedAt,
  expires_at: attempt.expiresAt,
  check_at: checkAt,
})

export const paymentFrom = (row: Selectable<Tables['payments']>, attempts: Attempt[]): Payment => ({
  shopId: row.shop_id,
  orderId: row.order_id,
  status: row.status,
  statusVersion: row.status_version,
  deliveredVersion: row.delivered_version,
  readVersion: row.read_version,
  readAt: row.read_at ?? undefined,
  openedAt: row.created_at,
  changedAt: row.changed_at,
  redirectUrl: row.redirect_url,
  webhookUrl: row.webhook_url,
  attempts,
})

export const anomalyFrom = (row: Selectable<Tables['anomalies']>): OpenedAnomaly => ({
  id: row.id,
  shopId: row.shop_id,
  orderId: row.order_id,
  attemptId: row.attempt_id,
  kind: row.kind,
  openedAt: row.opened_at,
  closedAt: row.closed_at ?? undefined,
  note: row.note ?? undefined,
})
