import { randomBytes } from 'node:crypto'

const token = (bytes: number) => randomBytes(bytes).toString('base64url')

/** What a payment start writes, for the bare drivers. */
export const statements = {
  payment: `insert into payments (shop_id, order_id, status, status_version, redirect_url, webhook_url, created_at, changed_at, last_at)
    values ('default', $1, 'pending', 0, 'https://shop.example/return?order=1', 'https://shop.example/webhook?order=1', $2, $2, $2)`,
  attempt: `insert into attempts (shop_id, order_id, number, id, order_number, adapter, method_id, amount, currency, mode, language,
      idempotency_key, page_hash, opened_at, expires_at, check_at)
    values ('default', $1, 1, $2, $3, 'psp', 'card', '29.34', 'eur', 'live', 'nl', $4, $5, $6, $7, $7)`,
  change: `insert into changes (shop_id, order_id, attempt_id, at, kind, amount, currency, status)
    values ('default', $1, $2, $3, 'opened', '29.34', 'eur', 'pending')`,
  start: `update attempts set how = 'redirect', payment_url = $2, reference = $3, expires_at = $4, check_at = $4
    where shop_id = 'default' and id = $1`,
}

/** The values of these statements for a new order. */
export function valuesOf(order: number) {
  const now = Date.now()
  const later = now + 3_600_000
  const id = `default.${now.toString(36)}${token(12)}`
  const page = `${now.toString(36)}${token(32)}`
  return {
    payment: [String(order), now],
    attempt: [String(order), id, `ORD${order}`, token(16), page, now, later],
    change: [String(order), id, now],
    start: [id, `https://psp.example/${order}`, `tr_${order}`, later],
  }
}
