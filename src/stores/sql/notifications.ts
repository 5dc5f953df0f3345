import { type Kysely, sql } from 'kysely'
import { afterFailure, freshLane, type Lane, laneDue, laneName, openAtOnce } from '../../payments/lane.ts'
import type { Payment } from '../../payments/payment.ts'
import type {
  DeliveryCall,
  NotificationFilter,
  NotificationKey,
  NotificationState,
  OwedNotification,
  Store,
} from '../../store.ts'
import { all, type Command, first, prepare } from './query.ts'
import type { Tables } from './tables.ts'

const stateColumns = [
  'payments.shop_id',
  'payments.order_id',
  'status',
  'payments.webhook_url',
  'changed_at',
  'status_version',
  'read_version',
  'notifications.tries',
  'notifications.due_at',
  'notifications.owed_since',
] as const

const ofShop = (value: (name: string) => never) =>
  sql<boolean>`(cast(${value('shopId')} as text) is null or payments.shop_id = ${value('shopId')})`

/** Notifications that are owed, in lanes, and the calls that told of them. */
export function notificationCommands(db: Kysely<Tables>) {
  const owe = prepare((value) =>
    db
      .insertInto('notifications')
      .values({
        shop_id: value('shopId'),
        order_id: value('orderId'),
        lane: value('lane'),
        webhook_url: value('webhookUrl'),
        version: value('version'),
        due_at: value('now'),
        owed_since: value('now'),
        tries: value('tries'),
      })
      .onConflict((conflict) =>
        conflict.columns(['shop_id', 'order_id']).doUpdateSet((excluded) => ({
          lane: excluded.ref('excluded.lane'),
          webhook_url: excluded.ref('excluded.webhook_url'),
          version: excluded.ref('excluded.version'),
          due_at: excluded.ref('excluded.due_at'),
          owed_since: excluded.ref('excluded.owed_since'),
          tries: excluded.ref('excluded.tries'),
          owner: sql<null>`null`,
          held_until: sql<null>`null`,
        })),
      ),
  )
  const owed = prepare((value) =>
    db
      .selectFrom('notifications')
      .selectAll()
      .where('shop_id', '=', value('shopId'))
      .where('order_id', '=', value('orderId')),
  )
  const laneOf = prepare((value) => db.selectFrom('lanes').selectAll().where('lane', '=', value('lane')))
  const setLane = prepare((value) =>
    db
      .insertInto('lanes')
      .values({
        lane: value('lane'),
        next_due: value('nextDue'),
        failures: value('failures'),
        probe_at: value('probeAt'),
        is_full: value('full'),
      })
      .onConflict((conflict) =>
        conflict.column('lane').doUpdateSet((excluded) => ({
          next_due: excluded.ref('excluded.next_due'),
          failures: excluded.ref('excluded.failures'),
          probe_at: excluded.ref('excluded.probe_at'),
          is_full: excluded.ref('excluded.is_full'),
        })),
      ),
  )
  const move = prepare((value) =>
    db
      .updateTable('notifications')
      .set({ lane: value('lane'), webhook_url: value('webhookUrl') })
      .where('shop_id', '=', value('shopId'))
      .where('order_id', '=', value('orderId')),
  )
  const dueLanes = prepare((value) =>
    db
      .selectFrom('lanes')
      .selectAll()
      .where('next_due', '<=', value('now'))
      .orderBy('next_due')
      .limit(value('limit')),
  )
  const earliest = prepare((value) =>
    db
      .selectFrom('notifications')
      .select('due_at')
      .where('lane', '=', value('lane'))
      .where('due_at', 'is not', null)
      .orderBy('due_at')
      .limit(sql<number>`1`),
  )
  const earliestAfter = prepare((value) =>
    db
      .selectFrom('notifications')
      .select('due_at')
      .where('lane', '=', value('lane'))
      .where('due_at', '>', value('now'))
      .orderBy('due_at')
      .limit(sql<number>`1`),
  )
  // What is held was due first, so it stands in front of what is not.
  const due = prepare((value) =>
    db
      .selectFrom('notifications')
      .select(['shop_id', 'order_id', 'tries', 'owed_since', 'held_until', 'webhook_url', 'version'])
      .where('lane', '=', value('lane'))
      .where('due_at', '<=', value('now'))
      .orderBy('due_at')
      .limit(value('limit')),
  )
  const hold = prepare((value) =>
    db
      .updateTable('notifications')
      .set({ held_until: value('leaseUntil'), owner: value('owner') })
      .where('shop_id', '=', value('shopId'))
      .where('order_id', '=', value('orderId')),
  )
  const renew = prepare((value) =>
    db
      .updateTable('notifications')
      .set({ held_until: value('leaseUntil') })
      .where('shop_id', '=', value('shopId'))
      .where('order_id', '=', value('orderId'))
      .where('owner', '=', value('owner')),
  )
  const notified = prepare((value) =>
    db
      .updateTable('payments')
      .set({ notified_version: value('version') })
      .where('shop_id', '=', value('shopId'))
      .where('order_id', '=', value('orderId'))
      .where('notified_version', '<', value('version'))
      .returning('status_version'),
  )
  const settle = prepare((value) =>
    db
      .deleteFrom('notifications')
      .where('shop_id', '=', value('shopId'))
      .where('order_id', '=', value('orderId'))
      .where('owner', '=', value('owner')),
  )
  const dueAtOnce = prepare((value) =>
    db
      .updateTable('notifications')
      .set({ due_at: value('now') })
      .where('lane', '=', value('lane'))
      .where('due_at', '>', value('now'))
      .where('owner', 'is', null),
  )
  const postpone = prepare((value) =>
    db
      .updateTable('notifications')
      .set({
        due_at: value('dueAt'),
        tries: sql`tries + 1`,
        owner: sql<null>`null`,
        held_until: sql<null>`null`,
      })
      .where('shop_id', '=', value('shopId'))
      .where('order_id', '=', value('orderId'))
      .where('owner', '=', value('owner')),
  )
  const addCall = prepare((value) =>
    db.insertInto('deliveries').values({
      shop_id: value('shopId'),
      order_id: value('orderId'),
      at: value('at'),
      ms: value('ms'),
      version: value('version'),
      status: value('status'),
      failure: value('failure'),
      answer: value('answer'),
    }),
  )
  const openedAt = prepare((value) =>
    db
      .selectFrom('payments')
      .select('created_at')
      .where('shop_id', '=', value('shopId'))
      .where('order_id', '=', value('orderId')),
  )
  const calls = prepare((value) =>
    db
      .selectFrom('deliveries')
      .selectAll()
      .where('shop_id', '=', value('shopId'))
      .where('order_id', '=', value('orderId'))
      // Of all calls only those since the payment began are looked through.
      .where('at', '>=', value('since'))
      .orderBy('at'),
  )
  const nextDue = prepare(() =>
    db
      .selectFrom('lanes')
      .select('next_due')
      .where('next_due', 'is not', null)
      .orderBy('next_due')
      .limit(sql<number>`1`),
  )
  const counts = prepare(() =>
    db
      .selectFrom('notifications')
      .select([sql<number>`count(due_at)`.as('owed'), sql<number>`count(*) - count(due_at)`.as('dead')]),
  )
  const changed = prepare((value) =>
    db
      .selectFrom('payments')
      .leftJoin('notifications', (join) =>
        join
          .onRef('notifications.shop_id', '=', 'payments.shop_id')
          .onRef('notifications.order_id', '=', 'payments.order_id'),
      )
      .select(stateColumns)
      .where('changed_at', '>=', value('since'))
      .where('status_version', '>', sql<number>`0`)
      .where(ofShop(value))
      .orderBy('changed_at')
      .limit(value('limit')),
  )
  const notDelivered = prepare((value) =>
    db
      .selectFrom('notifications')
      .innerJoin('payments', (join) =>
        join
          .onRef('notifications.shop_id', '=', 'payments.shop_id')
          .onRef('notifications.order_id', '=', 'payments.order_id'),
      )
      .select(stateColumns)
      .where(ofShop(value))
      .orderBy('notifications.owed_since')
      .limit(value('limit')),
  )

  function* readLane(lane: string): Command<Lane> {
    const row = yield* first(laneOf, { lane })
    return row ? { failures: row.failures, probeAt: row.probe_at ?? undefined } : freshLane
  }

  function* writeLane(name: string, lane: Lane): Command<void> {
    const { due_at } = (yield* first(earliest, { lane: name })) ?? {}
    yield* all(setLane, { lane: name, ...lane, nextDue: laneDue(lane, due_at ?? undefined), full: 0 })
  }

  /** When a lane is looked at again after a claim: what is held may be free again when its lease ends. */
  function* nextLook(
    lane: string,
    state: Lane,
    { full, left, now, leaseUntil }: { full: boolean; left: boolean; now: number; leaseUntil: number },
  ): Command<number | undefined> {
    // One that is full, or probed now, is looked at when a call of it ends.
    if (full) return leaseUntil
    if (left) return now
    const { due_at } = (yield* first(earliestAfter, { lane, now })) ?? {}
    return laneDue(state, Math.min(due_at ?? leaseUntil, leaseUntil))
  }

  function* record({ shopId, orderId }: OwedNotification, call: DeliveryCall): Command<void> {
    yield* all(addCall, { shopId, orderId, ...call })
  }

  function* owes(payment: Payment, now: number): Command<void> {
    const { shopId, orderId, webhookUrl, statusVersion: version } = payment
    const lane = laneName(shopId, webhookUrl)
    yield* all(owe, { shopId, orderId, lane, webhookUrl, version, now, tries: 0 })
    yield* writeLane(lane, yield* readLane(lane))
  }

  return {
    /** The payment owes the platform a call. */
    owes,

    /** The platform gave another address: what is owed goes there. */
    *moves({ shopId, orderId, webhookUrl }: Payment): Command<void> {
      const row = yield* first(owed, { shopId, orderId })
      const lane = laneName(shopId, webhookUrl)
      if (!row || row.webhook_url === webhookUrl) return
      yield* all(move, { shopId, orderId, lane, webhookUrl })
      if (row.lane === lane) return
      yield* writeLane(lane, yield* readLane(lane))
      yield* writeLane(row.lane, yield* readLane(row.lane))
    },

    *claimNotifications(
      ...[{ now, leaseUntil, limit, perLane, owner }]: Parameters<Store['claimNotifications']>
    ): Command<OwedNotification[]> {
      const claimed: OwedNotification[] = []
      for (const row of yield* all(dueLanes, { now, limit })) {
        const { lane } = row
        const state: Lane = { failures: row.failures, probeAt: row.probe_at ?? undefined }
        const most = openAtOnce(state, perLane)
        const rows = yield* all(due, { lane, now, limit: 2 * most })
        const free = rows.filter(({ held_until }) => held_until === null || held_until <= now)
        const held = rows.length - free.length
        const taken = free.slice(0, Math.max(0, Math.min(most - held, limit - claimed.length)))
        for (const one of taken) {
          const [shopId, orderId] = [one.shop_id, one.order_id]
          yield* all(hold, { shopId, orderId, leaseUntil, owner })
          claimed.push({
            shopId,
            orderId,
            owner,
            lane,
            webhookUrl: one.webhook_url,
            version: one.version,
            tries: one.tries,
            owedSince: one.owed_since,
          })
        }
        const full = held + taken.length >= most
        const nextDue = yield* nextLook(lane, state, {
          full,
          left: free.length > taken.length,
          now,
          leaseUntil,
        })
        yield* all(setLane, { lane, ...state, nextDue, full: full ? 1 : 0 })
        if (claimed.length >= limit) break
      }
      return claimed
    },

    *renewLeases(held: readonly NotificationKey[], leaseUntil: number): Command<void> {
      for (const { shopId, orderId, owner } of held) yield* all(renew, { shopId, orderId, owner, leaseUntil })
    },

    *settleNotification(notification: OwedNotification, call: DeliveryCall): Command<void> {
      const { shopId, orderId, owner, version, lane } = notification
      yield* record(notification, call)
      const told = yield* first(notified, { shopId, orderId, version })
      // A status that changed during the call made the notification due anew and took it from its holder.
      if (!told || told.status_version <= version) yield* all(settle, { shopId, orderId, owner })
      const row = yield* first(laneOf, { lane })
      if (row && row.failures > 0) yield* all(dueAtOnce, { lane, now: call.at + call.ms })
      // Otherwise the lane is looked at when its earliest notification is due, as the claim has noted.
      if (row && (row.failures > 0 || row.is_full === 1)) yield* writeLane(lane, freshLane)
    },

    *postponeNotification(
      ...[notification, call, { dueAt, retryAfter }]: Parameters<Store['postponeNotification']>
    ): Command<void> {
      const { shopId, orderId, owner, lane } = notification
      yield* record(notification, call)
      yield* all(postpone, { shopId, orderId, owner, dueAt })
      yield* writeLane(lane, afterFailure(yield* readLane(lane), call.at + call.ms, retryAfter))
    },

    *notifications({ shopId, since, limit }: NotificationFilter): Command<NotificationState[]> {
      const rows =
        since === undefined
          ? yield* all(notDelivered, { shopId, limit })
          : yield* all(changed, { shopId, since, limit })
      return rows.map((row) => ({
        shopId: row.shop_id,
        orderId: row.order_id,
        status: row.status,
        state: row.owed_since === null ? 'delivered' : row.due_at === null ? 'dead' : 'owed',
        webhookUrl: row.webhook_url,
        tries: row.tries ?? 0,
        dueAt: row.due_at ?? undefined,
        changedAt: row.changed_at,
        confirmed: row.read_version >= row.status_version,
      }))
    },

    *deliveries(shopId: string, orderId: string): Command<DeliveryCall[]> {
      const since = (yield* first(openedAt, { shopId, orderId }))?.created_at
      return (yield* all(calls, { shopId, orderId, since })).map((row) => ({
        at: row.at,
        ms: row.ms,
        version: row.version,
        status: row.status ?? undefined,
        failure: row.failure ?? undefined,
        answer: row.answer,
      }))
    },

    *nextNotificationDue(): Command<number | undefined> {
      return (yield* first(nextDue, {}))?.next_due ?? undefined
    },

    *countNotifications(): Command<{ owed: number; dead: number }> {
      const { owed, dead } = (yield* first(counts, {}))!
      return { owed, dead }
    },
  }
}

export type NotificationCommands = ReturnType<typeof notificationCommands>
