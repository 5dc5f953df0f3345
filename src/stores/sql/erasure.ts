import { type Kysely, sql } from 'kysely'
import { byProvider } from '../../audit.ts'
import type { AuditCommands } from './audit.ts'
import { matching, ofOrder, type Place } from './columns.ts'
import type { Commands } from './port.ts'
import {
  administration,
  all,
  alone,
  ask,
  type Command,
  first,
  holding,
  orderKey,
  prepare,
  together,
} from './query.ts'
import type { Tables } from './tables.ts'

const ofPayments = [
  'changes',
  'facts',
  'attempts',
  'webhooks',
  'deliveries',
  'reminders',
  'anomalies',
  'money_requests',
  'payments',
] as const
const ofShops = [
  ...ofPayments,
  'pushes',
  'push_lanes',
  'push_names',
  'breakers',
  'rate_outages',
  'service_failures',
  'push_addresses',
  'endpoints',
  'webhook_keys',
  'shop_hosts',
  'images',
  'drifts',
] as const

const keyOf = ({ shop_id, order_id }: { shop_id: string; order_id: string }) => orderKey(shop_id, order_id)

function erasureQueries(db: Kysely<Tables>) {
  const eraseOf = ofPayments.map((table) =>
    prepare((value) => db.deleteFrom(table).where(ofOrder(value)).returning('order_id')),
  )
  // The attempts are found by their orders.
  const byOrders = (value: Place) =>
    sql<boolean>`order_id in (select payments.order_id from payments where payments.shop_id = ${value('shopId')})`
  const removeOf = ofShops.map((table) =>
    prepare((value) => {
      const all = db.deleteFrom(table).where(matching(value, 'shop_id'))
      return table === 'attempts' ? all.where(byOrders(value)) : all
    }),
  )
  const removeLanes = prepare((value) =>
    db
      .deleteFrom('lanes')
      .where(sql<boolean>`substr(lane, 1, length(${value('shopId')}) + 1) = ${value('shopId')} || ' '`),
  )
  const ordersOf = prepare((value) =>
    db.selectFrom('payments').select(['shop_id', 'order_id']).where(matching(value, 'shop_id')),
  )
  const remove = prepare((value) => db.deleteFrom('shops').where('id', '=', value('shopId')).returning('id'))
  const none = (table: 'webhooks' | 'anomalies', which = sql<boolean>`1 = 1`) =>
    sql<boolean>`not exists (select 1 from ${sql.table(table)} as beside
      where beside.shop_id = payments.shop_id and beside.order_id = payments.order_id and ${which})`
  const resting = db
    .selectFrom('payments')
    .where(sql<boolean>`status <> 'pending'`)
    .where(none('webhooks'))
    .where(none('anomalies', sql`beside.closed_at is null`))
  const atRest = prepare((value) =>
    resting
      .select(['shop_id', 'order_id'])
      .where('changed_at', '<', value('before'))
      .orderBy('changed_at')
      .limit(value('limit')),
  )
  const countAtRest = prepare((value) =>
    resting.select(sql<number>`count(*)`.as('count')).where('changed_at', '<', value('before')),
  )
  return { eraseOf, removeOf, removeLanes, ordersOf, remove, atRest, countAtRest }
}

/** Erases for good: a payment, old ended payments, a shop. The audit trail keeps the author. */
export function erasureCommands(db: Kysely<Tables>, { logChange }: AuditCommands) {
  const { eraseOf, removeOf, removeLanes, ordersOf, remove, atRest, countAtRest } = erasureQueries(db)

  function* erase(shopId: string, orderId: string): Command<boolean> {
    const erased = yield* together(...eraseOf.map((query) => ask(query, { shopId, orderId })))
    // The payment itself comes last.
    return erased.at(-1)!.length > 0
  }

  return {
    *erasePayment(shopId, orderId, now, by = byProvider) {
      yield* alone(orderKey(shopId, orderId))
      const erased = yield* erase(shopId, orderId)
      if (erased) yield* logChange(shopId, { at: now, by }, { action: 'payment.erased', order: orderId })
      return erased
    },

    *prunePayments({ before, limit, dryRun, byHand }) {
      yield* alone()
      if (dryRun) return Number((yield* first(countAtRest, { before }))!.count)
      const chosen = (yield* all(atRest, { before, limit })).map(keyOf)
      yield* holding(...chosen)
      // A payment may have been changed before it was held.
      const held = new Set(chosen)
      const found = (yield* all(atRest, { before, limit })).filter((row) => held.has(keyOf(row)))
      const counts = new Map<string, number>()
      for (const { shop_id, order_id } of found) {
        yield* erase(shop_id, order_id)
        counts.set(shop_id, (counts.get(shop_id) ?? 0) + 1)
      }
      if (!byHand) return found.length
      const { by, now: at } = byHand
      for (const [shopId, count] of counts)
        yield* logChange(shopId, { at, by }, { action: 'payments.pruned', count, before })
      return found.length
    },

    *removeShop(shopId, now, by = byProvider) {
      yield* alone(administration)
      // Nothing about one of its orders is written beside this.
      yield* holding(...(yield* all(ordersOf, { shopId })).map(keyOf))
      yield* together(...removeOf.map((query) => ask(query, { shopId })), ask(removeLanes, { shopId }))
      const removed = (yield* all(remove, { shopId })).length > 0
      if (removed) yield* logChange(shopId, { at: now, by }, { action: 'shop.removed' })
      return removed
    },
  } satisfies Partial<Commands>
}
