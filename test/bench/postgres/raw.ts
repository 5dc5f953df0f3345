import { randomBytes } from 'node:crypto'
import { Pool } from 'pg'

const token = (bytes: number) => randomBytes(bytes).toString('base64url')
const addPayment = {
  name: 'payment',
  text: `insert into payments (shop_id, order_id, status, status_version, redirect_url, webhook_url, created_at, changed_at)
    values ('default', $1, 'pending', 0, 'https://shop.example/return?order=1', 'https://shop.example/webhook?order=1', $2, $2)`,
}
const addAttempt = {
  name: 'attempt',
  text: `insert into attempts (shop_id, order_id, number, id, order_number, adapter, method_id, amount, currency, mode, language, idempotency_key, page_hash, opened_at, expires_at, check_at)
    values ('default', $1, 1, $2, $3, 'psp', 'card', '29.34', 'eur', 'live', 'nl', $4, $5, $6, $7, $7)`,
}
const addChange = {
  name: 'change',
  text: `insert into changes (shop_id, order_id, attempt_id, at, kind, amount, currency, status)
    values ('default', $1, $2, $3, 'opened', '29.34', 'eur', 'pending')`,
}
const addStart = {
  name: 'start',
  text: `update attempts set how = 'redirect', payment_url = $2, reference = $3, expires_at = $4, check_at = $4
    where shop_id = 'default' and id = $1`,
}

/** The rows of a payment start by the bare driver, every statement prepared and a commit of its own. */
export async function rawStarter(databaseUrl: string, first: number) {
  const pool = new Pool({ connectionString: databaseUrl, max: 10 })
  let order = first

  async function write(): Promise<void> {
    const now = Date.now()
    const later = now + 3_600_000
    const number = String(++order)
    const id = `default.${now.toString(36)}${token(12)}`
    const page = `${now.toString(36)}${token(32)}`
    await pool.query(addPayment, [number, now])
    await pool.query(addAttempt, [number, id, `ORD${number}`, token(16), page, now, later])
    await pool.query(addChange, [number, id, now])
    await pool.query(addStart, [id, `https://psp.example/${number}`, `tr_${number}`, later])
  }

  return {
    async start(starts: number, callers: number): Promise<void> {
      let left = starts
      await Promise.all(
        Array.from({ length: callers }, async () => {
          while (left-- > 0) await write()
        }),
      )
    },
    close: () => pool.end(),
  }
}
