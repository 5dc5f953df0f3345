import { type Kysely, type Selectable, sql } from 'kysely'
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
import { all, ask, type Command, first, holding, orderKey, prepare, together } from './query.ts'
import { skipLocked } from './skip-locked.ts'
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

const laneKey = (lane: string) => `lane ${lane}`

const laneFrom = (row: Selectable<Tables['lanes']>): Lane => ({
  failures: row.failures,
  probeAt: row.probe_at ?? undefined,
})

type Due = Pick<
  Selectable<Tables['notifications']>,
  'shop_id' | 'order_id' | 'tries' | 'owed_since' | 'owner' | 'held_until' | 'webhook_url' | 'version'
>

const owedFrom = (row: Due, lane: string, owner: string): OwedNotification => ({
  shopId: row.shop_id,
  orderId: row.order_id,
  owner,
  lane,
  webhookUrl: row.webhook_url,
  version: row.version,
  tries: row.tries,
  owedSince: row.owed_since,
  takenOver: row.owner !== null && row.owner !== owner,
})

/** When a lane is looked at again after a claim: what is held may be free again when its lease ends. */
function nextLook(
  lane: Lane,
  {
    full,
    left,
    after,
    now,
    leaseUntil,
  }: {
    full: boolean
    left: boolean
    after: number
    now: number
    leaseUntil: number
  },
): number | undefined {
  // One that is full, or probed now, is looked at when a call of it ends.
  if (full) return leaseUntil
  if (left) return now
  return laneDue(lane, Math.min(after, leaseUntil))
}

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
  const saveLane = prepare((value) =>
    db
      .updateTable('lanes')
      .set({ failures: value('failures'), probe_at: value('probeAt') })
      .where('lane', '=', value('lane')),
  )
  // In one statement, so that what another command owes in the same moment is not overlooked.
  const lookAgain = prepare((value) =>
    db
      .insertInto('lanes')
      .values({
        lane: value('lane'),
        next_due: sql<number>`(select min(due_at) from notifications where lane = ${value('lane')} and due_at is not null)`,
        failures: sql<number>`0`,
        is_full: sql<number>`0`,
      })
      .onConflict((conflict) =>
        conflict.column('lane').doUpdateSet({
          next_due: sql`case when excluded.next_due < lanes.probe_at then lanes.probe_at else excluded.next_due end`,
          is_full: sql<number>`0`,
        }),
      ),
  )
  const lookAt = prepare((value) =>
    db
      .updateTable('lanes')
      .set({ next_due: value('nextDue'), is_full: value('full') })
      .where('lane', '=', value('lane')),
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
      .limit(value('limit'))
      .$call(skipLocked(db)),
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
      .select(['shop_id', 'order_id', 'tries', 'owed_since', 'owner', 'held_until', 'webhook_url', 'version'])
      .where('lane', '=', value('lane'))
      .where('due_at', '<=', value('now'))
      .orderBy('due_at')
      .limit(value('limit'))
      .$call(skipLocked(db)),
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
      .where('notified_version', '<', value('version')),
  )
  const settle = prepare((value) =>
    db
      .deleteFrom('notifications')
      .where('shop_id', '=', value('shopId'))
      .where('order_id', '=', value('orderId'))
      .where('owner', '=', value('owner'))
      .where('version', '<=', value('version')),
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
  const calls = prepare((value) =>
    db
      .selectFrom('deliveries')
      .selectAll()
      .where('shop_id', '=', value('shopId'))
      .where('order_id', '=', value('orderId'))
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
      .select([
        sql<number>`count(due_at)`.as('owed'),
        sql<number>`count(*) - count(due_at)`.as('dead'),
        sql<number | null>`min(case when due_at is not null then owed_since end)`.as('owed_since'),
      ]),
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

  /** Notes how the receiver of a lane does. Others that do so wait. */
  function* changeLane(lane: string, change: (was: Lane) => Lane): Command<void> {
    yield* holding(laneKey(lane))
    const row = yield* first(laneOf, { lane })
    yield* together(
      ask(saveLane, { lane, ...change(row ? laneFrom(row) : freshLane) }),
      ask(lookAgain, { lane }),
    )
  }

  return {
    /** The payment owes the platform a call. Its order is held. */
    *owes({ shopId, orderId, webhookUrl, statusVersion: version }: Payment, now: number): Command<void> {
      const lane = laneName(shopId, webhookUrl)
      yield* together(
        ask(owe, { shopId, orderId, lane, webhookUrl, version, now, tries: 0 }),
        ask(lookAgain, { lane }),
      )
    },

    /** The platform gave another address: what is owed goes there. Its order is held. */
    *moves({ shopId, orderId, webhookUrl }: Payment): Command<void> {
      const row = yield* first(owed, { shopId, orderId })
      const lane = laneName(shopId, webhookUrl)
      if (!row || row.webhook_url === webhookUrl) return
      yield* together(
        ask(move, { shopId, orderId, lane, webhookUrl }),
        ask(lookAgain, { lane }),
        ask(lookAgain, { lane: row.lane }),
      )
    },

    *claimNotifications(
      ...[{ now, leaseUntil, limit, perLane, owner }]: Parameters<Store['claimNotifications']>
    ): Command<OwedNotification[]> {
      const claimed: OwedNotification[] = []
      const lanes = yield* all(dueLanes, { now, limit })
      while (lanes.length > 0 && claimed.length < limit) {
        // No more than can give what is still wanted.
        const some = lanes.splice(0, Math.ceil((limit - claimed.length) / perLane)).map((row) => {
          const state = laneFrom(row)
          return { lane: row.lane, state, most: openAtOnce(state, perLane) }
        })
        const found = yield* together(
          ...some.flatMap(({ lane, most }) => [
            ask(due, { lane, now, limit: 2 * most }),
            ask(earliestAfter, { lane, now }),
          ]),
        )
        const changes = some.flatMap(({ lane, state, most }, index) => {
          const rows = found[2 * index] as Due[]
          const free = rows.filter(({ held_until }) => held_until === null || held_until <= now)
          const held = rows.length - free.length
          const taken = free.slice(0, Math.max(0, Math.min(most - held, limit - claimed.length)))
          claimed.push(...taken.map((row) => owedFrom(row, lane, owner)))
          const full = held + taken.length >= most
          const left = free.length > taken.length
          const [after] = found[2 * index + 1] as { due_at: number }[]
          const nextDue = nextLook(state, { full, left, after: after?.due_at ?? leaseUntil, now, leaseUntil })
          return [
            ...taken.map((row) =>
              ask(hold, { shopId: row.shop_id, orderId: row.order_id, leaseUntil, owner }),
            ),
            ask(lookAt, { lane, nextDue, full: full ? 1 : 0 }),
          ]
        })
        yield* together(...changes)
      }
      return claimed
    },

    *renewLeases(held: readonly NotificationKey[], leaseUntil: number): Command<void> {
      yield* holding()
      yield* together(
        ...held.map(({ shopId, orderId, owner }) => ask(renew, { shopId, orderId, owner, leaseUntil })),
      )
    },

    *settleNotification(notification: OwedNotification, call: DeliveryCall): Command<void> {
      const { shopId, orderId, owner, version, lane } = notification
      yield* holding(orderKey(shopId, orderId))
      // A status that changed during the call made the notification due anew and took it from its holder.
      const [row] = (yield* together(
        ask(laneOf, { lane }),
        ask(addCall, { shopId, orderId, ...call }),
        ask(notified, { shopId, orderId, version }),
        ask(settle, { shopId, orderId, owner, version }),
      ))[0]
      // Otherwise the lane is looked at when its earliest notification is due, as the claim has noted.
      if (!row || (row.failures === 0 && row.is_full === 0)) return
      if (row.failures > 0) yield* all(dueAtOnce, { lane, now: call.at + call.ms })
      yield* changeLane(lane, () => freshLane)
    },

    *postponeNotification(
      ...[notification, call, { dueAt, retryAfter }]: Parameters<Store['postponeNotification']>
    ): Command<void> {
      const { shopId, orderId, owner, lane } = notification
      yield* holding(orderKey(shopId, orderId))
      yield* together(
        ask(addCall, { shopId, orderId, ...call }),
        ask(postpone, { shopId, orderId, owner, dueAt }),
      )
      yield* changeLane(lane, (was) => afterFailure(was, call.at + call.ms, retryAfter))
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
      return (yield* all(calls, { shopId, orderId })).map((row) => ({
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

    *countNotifications(): Command<{ owed: number; dead: number; owedSince: number | undefined }> {
      const { owed, dead, owed_since } = (yield* first(counts, {}))!
      return { owed, dead, owedSince: owed_since ?? undefined }
    },
  }
}

export type NotificationCommands = ReturnType<typeof notificationCommands>
