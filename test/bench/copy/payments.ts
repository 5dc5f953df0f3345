import { DatabaseSync } from 'node:sqlite'
import { endpointRow, pageKeyRow } from '../../../src/shops/seal.ts'
import { seal } from '../../../src/stores/seal.ts'
import { makeTables } from '../../stores/sqlite-tables.ts'

/** The secret of filled stores. */
export const secret = 'the secret of a copied store 123456'
const shops = 50

const queries = {
  shop: `insert into shops (id, created_at, hosts_confirmed, settings_version) values (?, ?, 1, 0)`,
  endpoint: `insert into endpoints (token_hash, shop_id, sealed_token, created_at) values (?, ?, ?, ?)`,
  key: `insert into keys (name, sealed, created_at) values ('pages', ?, ?)`,
  payment: `insert into payments (shop_id, order_id, status, status_version, read_version, read_at, redirect_url,
      webhook_url, created_at, changed_at, last_at, paid_by)
    values (?1, ?2, ?3, 1, ?4, ?5, 'https://shop.example/return?order=' || ?2, 'https://shop.example/webhook?order=' || ?2, ?5, ?5, ?5, ?6)`,
  attempt: `insert into attempts (shop_id, order_id, number, id, order_number, adapter, method_id, amount, currency, mode, language,
      idempotency_key, page_hash, how, payment_url, reference, opened_at, expires_at, last_word, last_word_at, authorised_is_paid)
    values (?1, ?2, 1, ?6, 'ORD' || ?2, 'psp', 'card', ?3, ?4, 'live', 'nl', 'key-' || ?6, ?7, 'redirect',
      'https://psp.example/pay/' || ?7, 'tr_' || ?7, ?5, ?5 + 3600000, null, null, 0)`,
  fact: `insert into facts (shop_id, order_id, attempt_id, fact_key, number, kind, event, amount, currency, mode, source, learned_at,
      happened_at)
    values (?1, ?2, ?6, 'paid #' || ?7, 1, 'paid', 'ev_' || ?7, ?3, ?4, 'live', 'push', ?5, ?5)`,
  change: `insert into changes (place, shop_id, order_id, attempt_id, at, kind, event, amount, currency, status)
    values (?8, ?1, ?2, ?6, ?5, ?9, null, ?3, ?4, ?10)`,
  delivery: `insert into deliveries (shop_id, order_id, version, calls, at, ms, status, failure, answer)
    values (?1, ?2, 1, 1, ?5, 84, 200, null, 'ok')`,
  webhook: `insert into webhooks (shop_id, order_id, lane, webhook_url, version, delivered_version, due_at, owed_since)
    values (?1, ?2, ?1 || ' shop.example', 'https://shop.example/webhook?order=' || ?2, 1, 0, ?5, ?5)`,
  anomaly: `insert into anomalies (shop_id, order_id, attempt_id, kind, event, id, expected, received, currency, opened_at)
    values (?1, ?2, ?6, 'overpaid', '', 'an-' || ?6, ?3, ?3, ?4, ?5)`,
}

/**
 * Makes a store as it is after so many payments: nine of ten are paid, one of a hundred still owes its webhook, one of a thousand has an open
 * anomaly.
 */
export async function fillPayments(file: string, payments: number): Promise<void> {
  await makeTables(file)
  const database = new DatabaseSync(file)
  database.exec('pragma synchronous = off; pragma cache_size = -262144; begin')
  const add = Object.fromEntries(
    Object.entries(queries).map(([name, sql]) => [name, database.prepare(sql)]),
  ) as Record<keyof typeof queries, ReturnType<DatabaseSync['prepare']>>
  const { close } = seal(secret)
  const since = Date.now() - payments * 1_000
  add.key.run(close('the key of pages', pageKeyRow), since)
  for (let shop = 0; shop < shops; shop++) {
    const [id, hash] = [`shop-${shop}`, `hash-${shop}`]
    add.shop.run(id, since)
    add.endpoint.run(hash, id, close(`token ${shop}`, endpointRow(id, hash)), since)
  }
  let place = 0
  for (let number = 1; number <= payments; number++) {
    const shop = `shop-${number % shops}`
    const order = String(100_000 + number)
    const at = since + number * 1_000
    const id = `${number.toString(36)}.${order}`
    const token = Math.imul(number, 2_654_435_761).toString(36)
    const amount = `${number % 900}.${String(number % 100).padStart(2, '0')}`
    const currency = number % 7 === 0 ? 'sek' : 'eur'
    const isPaid = number % 10 !== 0
    const owes = number % 100 === 1
    add.payment.run(shop, order, isPaid ? 'paid' : 'pending', isPaid && !owes ? 1 : 0, at, isPaid ? id : null)
    const of = [shop, order, amount, currency, at, id, `${token}${number}`] as const
    add.attempt.run(...of)
    add.change.run(shop, order, amount, currency, at, id, null, ++place, 'opened', 'pending')
    if (!isPaid) continue
    add.fact.run(...of)
    add.change.run(shop, order, amount, currency, at, id, null, ++place, 'paid', 'paid')
    if (owes) add.webhook.run(shop, order, null, null, at)
    else add.delivery.run(shop, order, null, null, at)
    if (number % 1_000 === 3) add.anomaly.run(...of.slice(0, 6))
  }
  database.exec(`update feeds set last_place = ${place}; commit; analyze; pragma wal_checkpoint(truncate)`)
  database.close()
}
