import { randomBytes } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'

export interface RawStore {
  perCommit: number
  /** Writes the rows of `perCommit` payment starts: in one commit, or with one start a commit before and one after it. */
  write(): void
}

const token = (bytes: number) => randomBytes(bytes).toString('base64url')
const payment = `insert into payments (shop_id, order_id, status, status_version, redirect_url, webhook_url, created_at, changed_at)
  values ('default', ?, 'pending', 0, 'https://shop.example/return?order=1', 'https://shop.example/webhook?order=1', ?, ?)`
const attempt = `insert into attempts (shop_id, order_id, number, id, order_number, adapter, method_id, amount, currency, mode, language, idempotency_key, page_hash, opened_at, expires_at, check_at)
  values ('default', ?, 1, ?, ?, 'psp', 'card', '29.34', 'eur', 'live', 'nl', ?, ?, ?, ?, ?)`
const change = `insert into changes (shop_id, order_id, attempt_id, at, kind, amount, currency, status)
  values ('default', ?, ?, ?, 'opened', '29.34', 'eur', 'pending')`
const start = `update attempts set how = 'redirect', payment_url = ?, reference = ?, expires_at = ?, check_at = ? where shop_id = 'default' and id = ?`

function statements(database: DatabaseSync) {
  const [addPayment, addAttempt, addChange, addStart] = [payment, attempt, change, start].map((sql) =>
    database.prepare(sql),
  )
  let order = 1_000_000_000
  return {
    open(now: number): string {
      const id = `default.${now.toString(36)}${token(12)}`
      addPayment!.run(String(++order), now, now)
      const later = now + 3_600_000
      addAttempt!.run(
        String(order),
        id,
        `ORD${order}`,
        token(16),
        `${now.toString(36)}${token(32)}`,
        now,
        later,
        later,
      )
      addChange!.run(String(order), id, now)
      return id
    },
    started(id: string, now: number): void {
      const later = now + 3_600_000
      addStart!.run(`https://psp.example/${order}`, `tr_${order}`, later, later, id)
    },
  }
}

/** The bare driver, with the store's own tables and settings. */
export function rawStore(file: string, perCommit: number): RawStore {
  const database = new DatabaseSync(file)
  database.exec('pragma journal_mode = wal; pragma synchronous = full')
  const { open, started } = statements(database)
  return {
    perCommit,
    write() {
      const now = Date.now()
      database.exec('begin immediate')
      const ids = Array.from({ length: perCommit }, () => open(now))
      if (perCommit === 1) database.exec('commit; begin immediate')
      for (const id of ids) started(id, now)
      database.exec('commit')
    },
  }
}

/** Puts so many payments into a store that is not open. */
export function fill(file: string, count: number): void {
  const database = new DatabaseSync(file)
  database.exec('pragma journal_mode = wal; pragma synchronous = off')
  const { open, started } = statements(database)
  const now = Date.now()
  database.exec('begin')
  for (let stored = 0; stored < count; stored++) started(open(now), now)
  database.exec('commit; pragma wal_checkpoint(truncate)')
  database.close()
}
