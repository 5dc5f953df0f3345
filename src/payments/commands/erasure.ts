import { sql } from 'kysely'
import { byProvider } from '../../audit.ts'
import type { AuditCommands } from '../../shops/commands/audit.ts'
import type { LoadShops } from '../../shops/commands/shops.ts'
import { nameOf } from '../../shops/shop.ts'
import { type Db, matching, value } from '../../store/columns.ts'
import {
  administration,
  all,
  alone,
  type Command,
  first,
  holding,
  orderKey,
  together,
  write,
} from '../../store/query.ts'
import { tablesOfOrders, tablesOfShops } from '../../store/schema.ts'

export interface PrunePayments {
  before: number
  limit: number
  dryRun: boolean
  byHand?: { by: string; now: number } | undefined
}

const keyOf = ({ shop_id, order_id }: { shop_id: string; order_id: string }) => orderKey(shop_id, order_id)

/** Erases for good: a payment, old ended payments, a shop. The audit trail keeps the author. */
export function erasureCommands(db: Db, { logChange }: AuditCommands, load: LoadShops) {
  const eraseOf = tablesOfOrders.map((table) => db.deleteBy(table, 'order_id', 'shop_id'))
  const underWay = db.text<{ order_id: string }>`
    select order_id from payments where ${matching('shop_id')} and status = 'pending'
      union all select order_id from webhooks where ${matching('shop_id')} limit 1`
  const rowsOf = (table: (typeof tablesOfShops)[number]) =>
    table === 'attempts'
      ? // They are found by their orders.
        sql<boolean>`${matching('shop_id')} and order_id in
          (select payments.order_id from payments where payments.shop_id = ${value('shopId')})`
      : matching('shop_id')
  const removeOf = tablesOfShops.map(
    (table) => db.text<unknown>`delete from ${sql.table(table)} where ${rowsOf(table)}`,
  )
  const removeOwed = db.deleteBy('webhooks', 'shop_id')
  const keep = db.addRow('removed_shops')
  const remove = db.deleteBy('shops', 'id')
  const none = (
    table: string,
    which = sql`1 = 1`,
  ) => sql`not exists (select 1 from ${sql.table(table)} as beside
    where beside.shop_id = payments.shop_id and beside.order_id = payments.order_id and ${which})`
  const resting = sql`payments where status <> 'pending' and ${none('webhooks')}
    and ${none('anomalies', sql`beside.closed_at is null`)} and changed_at < ${value('before')}`
  const atRest = db.text<{ shop_id: string; order_id: string }>`
    select shop_id, order_id from ${resting} order by changed_at limit ${value('limit')}`
  const countAtRest = db.text<{ count: number }>`select count(*) as count from ${resting}`

  function* erase(shopId: string, orderId: string): Command<boolean> {
    const erased = yield* together(...eraseOf.map((query) => query({ shopId, orderId })))
    // The payment itself comes last.
    return erased.at(-1)!.length > 0
  }

  return {
    /** Erases all data of an order's payment. Resolves with whether there was one. */
    erasePayment: write(function* (shopId: string, orderId: string, now: number, by = byProvider) {
      yield* alone(orderKey(shopId, orderId))
      const erased = yield* erase(shopId, orderId)
      if (erased) yield* logChange(shopId, { at: now, by }, { action: 'payment.erased', order: orderId })
      return erased
    }),

    /**
     * Erases up to `limit` ended payments: their status changed last before the given time and is not pending, nothing is owed, and no
     * anomaly is open. Resolves with their number; with `dryRun` it only counts. The audit trail lists only payments pruned `byHand`.
     */
    prunePayments: write(function* ({ before, limit, dryRun, byHand }: PrunePayments): Command<number> {
      yield* alone()
      if (dryRun) return (yield* first(countAtRest, { before }))!.count
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
    }),

    /**
     * Removes a shop with all its data except the audit trail. From this commit on nothing is written for its id, and no other shop gets it. Resolves
     * with the number of its owed webhooks; with `undefined` if there is no such shop or, without `force`, if any payment is under way.
     */
    removeShop: write(function* (shopId: string, now: number, by = byProvider, force = true) {
      yield* alone(administration)
      if (!(yield* first(load.lock, { id: shopId }))) return undefined
      if (!force && (yield* first(underWay, { shopId }))) return undefined
      const owed = (yield* all(removeOwed, { shopId })).length
      yield* together(
        ...removeOf.map((query) => query({ shopId })),
        keep({ id: shopId, name: nameOf(shopId), removedAt: now }),
        remove({ id: shopId }),
      )
      yield* logChange(shopId, { at: now, by }, { action: 'shop.removed' })
      return owed
    }),
  }
}

/** Deletes what is old and at rest, and concerns no money. */
export function forgetCommands(db: Db) {
  const [place, skips] = [db.isServer ? sql`ctid` : sql`rowid`, db.skipsLocked]
  const oldest = sql`select ${place} from deliveries where coalesce(last_at, at) < ${value('before')}
    order by coalesce(last_at, at) limit ${value('limit')} ${skips}`
  const isOld = db.isServer ? sql`= any (array(${oldest}))` : sql`in (${oldest})`
  const forgetCalls = db.text<{ one: 1 }>`delete from deliveries where ${place} ${isOld} returning 1 as one`
  const forgetPushes = db.text<{ one: 1 }>`delete from pushes where (shop_id, adapter, push_key) in (
        select shop_id, adapter, push_key from pushes where received_at < ${value('before')} and due_at is null
        order by received_at limit ${value('limit')} ${skips}
      ) returning 1 as one`
  // Owed or leased calls in a lane set the time of its next check. Its last outage is kept as long as deliveries are.
  const forgetLanes = db.text<unknown>`delete from lanes where next_due is null
      and (outage_ended_at is null or outage_ended_at < ${value('before')})`
  const others = [
    db.deleteBefore('asks', 'hour'),
    db.deleteBefore('drifts', 'last_at'),
    db.deleteBefore('rate_outages', 'ended_at'),
    db.deleteBefore('service_failures', 'last_at'),
    forgetLanes,
  ]

  return {
    /**
     * Deletes deliveries and pushes from before the given time, `limit` of each at most (default 1,000), and empty lanes. Resolves with whether
     * more may be left: other commands go on in between.
     */
    forget: write(function* (before: number, limit = 1_000): Command<boolean> {
      yield* alone()
      const [calls, pushes] = yield* together(
        forgetCalls({ before, limit }),
        forgetPushes({ before, limit }),
        ...others.map((query) => query({ before })),
      )
      return calls.length === limit || pushes.length === limit
    }),
  }
}
