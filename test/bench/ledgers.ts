import { DatabaseSync } from 'node:sqlite'
import { readChanges } from '../../src/payments/payment-timeline.ts'
import { listPayments, viewPayment } from '../../src/payments/payment-views.ts'
import { sqliteStore } from '../../src/stores/sqlite.ts'
import { printResult } from '../results/line.ts'
import { makeTables } from '../stores/sqlite-tables.ts'
import { temporaryFolder } from '../temporary.ts'
import { rounded, sorted } from './measure.ts'

// What the provider's own code reads where 100,000 payments have six movements each: a list, one payment, a search and a page of the feed.

const movements = ['paid', 'paid', 'refunded', 'refunded', 'charged_back', 'chargeback_won']
const payment = `insert into payments (shop_id, order_id, status, status_version, redirect_url, webhook_url, created_at,
    changed_at, last_at, paid_by)
  values ('default', ?1, 'paid', 1, 'https://shop.example/return', 'https://shop.example/webhook', ?2, ?3, ?3, ?4)`
const attempt = `insert into attempts (shop_id, order_id, number, id, order_number, adapter, method_id, amount, currency, mode, language,
    idempotency_key, page_hash, how, reference, opened_at, expires_at)
  values ('default', ?1, 1, ?2, ?4, 'psp', 'card', ?3, 'eur', 'live', 'nl', ?5, ?6, 'redirect', ?7, ?8, ?9)`
const fact = `insert into facts (shop_id, order_id, attempt_id, fact_key, number, kind, event, amount, currency, mode, source, learned_at)
  values ('default', ?, ?, ?, ?, ?, ?, '1.00', 'eur', 'live', 'push', ?)`
const change = `insert into changes (place, shop_id, order_id, attempt_id, at, kind, event, amount, currency, status)
  values (?, 'default', ?, ?, ?, ?, ?, '1.00', 'eur', 'paid')`

export async function run(quick: boolean): Promise<void> {
  const count = quick ? 10_000 : 100_000
  using folder = temporaryFolder()
  const file = folder.at('store.db')
  const store = sqliteStore({ file })
  await makeTables(file)
  fill(file, count)
  await store.open()
  const some = () => 1 + Math.floor(Math.random() * count)
  printResult({
    ...{ bench: 'ledgers', payments: count, movements: count * movements.length },
    ...(await timed('list', () => listPayments(store, { limit: 50 }))),
    ...(await timed('list_by_reference', () => listPayments(store, { q: `tr_${some()}` }))),
    ...(await timed('list_by_amount', () => listPayments(store, { q: `${some()}.00` }))),
    ...(await timed('show', () => viewPayment(store, { orderId: some() }))),
    ...(await timed('changes', () => readChanges(store, { after: String(some()) }))),
  })
  await store.close()
}

/** The median and the 99th percentile of 300 reads, in milliseconds. */
async function timed(name: string, read: () => Promise<unknown>): Promise<Record<string, number>> {
  const taken: number[] = []
  for (let times = 0; times < 320; times++) {
    const from = performance.now()
    await read()
    taken.push(performance.now() - from)
  }
  const all = sorted(taken.slice(20))
  return { [`${name}_ms`]: rounded(all[150]!), [`${name}_p99_ms`]: rounded(all[297]!) }
}

function fill(file: string, count: number): void {
  const database = new DatabaseSync(file)
  database.exec('pragma journal_mode = wal; pragma synchronous = off')
  const [addPayment, addAttempt, addFact, addChange] = [payment, attempt, fact, change].map((sql) =>
    database.prepare(sql),
  )
  const now = Date.now() - count
  let place = 0
  database.exec('begin')
  for (let number = 1; number <= count; number++) {
    const [order, id, at] = [String(number), `default.${number}`, now + number]
    addPayment!.run(order, at, at, id)
    const names = ['ORD', 'k', 'p', 'tr_'].map((name) => name + number)
    addAttempt!.run(order, id, `${number}.00`, ...names, at, at + 1)
    addChange!.run(++place, order, id, at, 'opened', null)
    for (const [index, kind] of movements.entries()) {
      const event = `${kind}-${index}`
      addFact!.run(order, id, `${kind} #${event}`, index + 1, kind, event, at)
      addChange!.run(++place, order, id, at, kind, event)
    }
  }
  database.exec(`update feeds set last_place = ${place}; commit; pragma wal_checkpoint(truncate)`)
  database.close()
}
