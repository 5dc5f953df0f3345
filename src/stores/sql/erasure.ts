import { type Kysely, sql } from 'kysely'
import { byProvider } from '../../audit.ts'
import { nameOf } from '../../shops/shop.ts'
import type { PrunePayments } from '../../store/payments.ts'
import type { AuditCommands } from './audit.ts'
import { addRow, matching, ofOrder, type Place, skipLocked } from './columns.ts'
import type { deliveryCommands } from './deliveries.ts'
import { mayBeForgotten } from './lanes.ts'
import { write } from './port.ts'
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
import type { rateOutages } from './rate-outages.ts'
import { type Tables, tablesOfOrders, tablesOfShops } from './schema.ts'
import type { serviceFailureCommands } from './service-failures.ts'
import type { LoadShops } from './shops.ts'

const keyOf = ({ shop_id, order_id }: { shop_id: string; order_id: string }) => orderKey(shop_id, order_id)

function erasureQueries(db: Kysely<Tables>) {
  const eraseOf = tablesOfOrders.map((table) =>
    prepare((value) => db.deleteFrom(table).where(ofOrder(value)).returning('order_id')),
  )
  const underWay = prepare((value) =>
    db
      .selectFrom('payments')
      .select('order_id')
      .where(matching(value, 'shop_id'))
      .where(sql<boolean>`status = 'pending'`)
      .unionAll(db.selectFrom('webhooks').select('order_id').where(matching(value, 'shop_id')))
      .limit(sql.lit(1)),
  )
  const rowsOf = (value: Place, table: (typeof tablesOfShops)[number]) =>
    table === 'lanes'
      ? sql<boolean>`substr(lane, 1, length(${value('shopId')}) + 1) = ${value('shopId')} || ' '`
      : table === 'attempts'
        ? // They are found by their orders.
          sql<boolean>`${matching(value, 'shop_id')} and order_id in
            (select payments.order_id from payments where payments.shop_id = ${value('shopId')})`
        : matching(value, 'shop_id')
  const removeOf = tablesOfShops.map((table) =>
    prepare((value) => db.deleteFrom(table).where(rowsOf(value, table))),
  )
  const removeOwed = prepare((value) =>
    db.deleteFrom('webhooks').where(matching(value, 'shop_id')).returning(sql<number>`1`.as('one')),
  )
  const keep = addRow(db, 'removed_shops', 'id', 'name', 'removed_at')
  const remove = prepare((value) => db.deleteFrom('shops').where('id', '=', value('shopId')))
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
  return { eraseOf, underWay, removeOf, removeOwed, keep, remove, atRest, countAtRest }
}

/** Erases for good: a payment, old ended payments, a shop. The audit trail keeps the author. */
export function erasureCommands(db: Kysely<Tables>, { logChange }: AuditCommands, load: LoadShops) {
  const queries = erasureQueries(db)
  const { eraseOf, atRest, countAtRest } = queries

  function* erase(shopId: string, orderId: string): Command<boolean> {
    const erased = yield* together(...eraseOf.map((query) => ask(query, { shopId, orderId })))
    // The payment itself comes last.
    return erased.at(-1)!.length > 0
  }

  return {
    /** Erases all data of an order's payment. Resolves with whether there was one. */
    erasePayment: write(function* (
      shopId: string,
      orderId: string,
      now: number,
      by: string = byProvider,
    ): Command<boolean> {
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
    }),

    /**
     * Removes a shop with all its data except the audit trail. From this commit on nothing is written for its id, and no other shop gets it. Resolves
     * with the number of its owed webhooks; with `undefined` if there is no such shop or, without `force`, if any payment is under way.
     */
    removeShop: write(function* (
      shopId: string,
      now: number,
      by: string = byProvider,
      force: boolean = true,
    ): Command<number | undefined> {
      yield* alone(administration)
      if (!(yield* first(load.lock, { id: shopId }))) return undefined
      if (!force && (yield* first(queries.underWay, { shopId }))) return undefined
      const owed = (yield* all(queries.removeOwed, { shopId })).length
      yield* together(
        ...queries.removeOf.map((query) => ask(query, { shopId })),
        ask(queries.keep, { id: shopId, name: nameOf(shopId), removedAt: now }),
        ask(queries.remove, { shopId }),
      )
      yield* logChange(shopId, { at: now, by }, { action: 'shop.removed' })
      return owed
    }),
  }
}

interface Others {
  forgetCalls: ReturnType<typeof deliveryCommands>['forgetCalls']
  outages: ReturnType<typeof rateOutages>
  serviceFailures: ReturnType<typeof serviceFailureCommands>
}

/** Deletes what is old and at rest, and concerns no money. */
export function forgetCommands(db: Kysely<Tables>, { forgetCalls, outages, serviceFailures }: Others) {
  const forgetAsks = prepare((value) => db.deleteFrom('asks').where('hour', '<', value('before')))
  const forgetPushes = prepare((value) =>
    db
      .deleteFrom('pushes')
      .where(
        sql<boolean>`(shop_id, adapter, push_key) in ${db
          .selectFrom('pushes')
          .select(['shop_id', 'adapter', 'push_key'])
          .where('received_at', '<', value('before'))
          .where('due_at', 'is', null)
          .orderBy('received_at')
          .limit(value('limit'))
          .$call(skipLocked(db))}`,
      )
      .returning(sql<number>`1`.as('one')),
  )

  const forgetDrifts = prepare((value) => db.deleteFrom('drifts').where('last_at', '<', value('before')))

  // Owed or leased calls in a lane set the time of its next check.
  const forgetLanes = (['lanes', 'push_lanes'] as const).map((table) =>
    prepare((value) => db.deleteFrom(table).where(mayBeForgotten(value))),
  )

  return {
    /**
     * Deletes deliveries and pushes from before the given time, `limit` of each at most (default 1,000), and empty lanes. Resolves with whether
     * more may be left: other commands go on in between.
     */
    forget: write(function* (before: number, limit: number = 1_000): Command<boolean> {
      yield* alone()
      const [calls, kept] = yield* together(
        forgetCalls(before, limit),
        ask(forgetPushes, { before, limit }),
        ask(forgetAsks, { before }),
        ask(forgetDrifts, { before }),
        outages.forget(before),
        serviceFailures.forget(before),
        ...forgetLanes.map((forget) => ask(forget, { before })),
      )
      return calls.length === limit || kept.length === limit
    }),
  }
}
