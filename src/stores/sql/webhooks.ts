import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely'
import {
  afterFailure,
  freshLane,
  isAboutOrder,
  isClosed,
  type Lane,
  laneName,
  openAtOnce,
  refusedPlaces,
  webhookPace,
} from '../../payments/lane.ts'
import type { Payment } from '../../payments/payment.ts'
import { nextReminder } from '../../payments/schedule.ts'
import type { DeliveryCall, LeasedOrder, OwedWebhook, StorePort } from '../../store.ts'
import type { DeliveryCommands } from './deliveries.ts'
import { firstDue, hasCall, inFront, isFresh, isRefused } from './fresh-first.ts'
import {
  DamagedLanes,
  failedIn,
  laneFrom,
  leasedFirst,
  mayBeRecalled,
  mayWaitAgain,
  recallCounted,
  recalledByHand,
  takeFrom,
  waitsAfter,
  waitsForLane,
} from './lanes.ts'
import {
  all,
  ask,
  type Command,
  eachFor,
  first,
  holding,
  orderKey,
  prepare,
  type Step,
  together,
} from './query.ts'
import { skipLocked } from './skip-locked.ts'
import type { Tables } from './tables.ts'

const laneKey = (lane: string) => `lane ${lane}`

type Due = Pick<
  Selectable<Tables['webhooks']>,
  'shop_id' | 'order_id' | 'tries' | 'owed_since' | 'owner' | 'held_until' | 'webhook_url' | 'version'
>

const owedFrom = (row: Due, of: Pick<OwedWebhook, 'lane' | 'owner' | 'probe' | 'full'>): OwedWebhook => ({
  ...of,
  shopId: row.shop_id,
  orderId: row.order_id,
  webhookUrl: row.webhook_url,
  version: row.version,
  tries: row.tries,
  owedSince: row.owed_since,
  takenOver: row.owner !== null && row.owner !== of.owner,
})

const dueOf = (value: (name: string) => never) =>
  sql<boolean>`lane = ${value('lane')} and due_at <= ${value('now')}`

const dueColumns = [
  'shop_id',
  'order_id',
  'tries',
  'owed_since',
  'owner',
  'held_until',
  'webhook_url',
  'version',
] as const

type Owing = Pick<Payment, 'shopId' | 'orderId' | 'webhookUrl' | 'statusVersion'>

/** Stores owed webhooks, in lanes. */
export function webhookCommands(db: Kysely<Tables>, { addCall }: DeliveryCommands) {
  const damaged = new DamagedLanes()
  const owe = prepare((value) =>
    db
      .insertInto('webhooks')
      .values({
        shop_id: value('shopId'),
        order_id: value('orderId'),
        lane: value('lane'),
        webhook_url: value('webhookUrl'),
        version: value('version'),
        due_at: value('dueAt'),
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
          waits_for_lane: sql<number>`0`,
        })),
      ),
  )
  const owed = prepare((value) =>
    db
      .selectFrom('webhooks')
      .selectAll()
      .where('shop_id', '=', value('shopId'))
      .where('order_id', '=', value('orderId')),
  )
  const laneOf = prepare((value) => db.selectFrom('lanes').selectAll().where('lane', '=', value('lane')))
  const saveLane = prepare((value) =>
    db
      .updateTable('lanes')
      .set({
        failures: value('failures'),
        closed_at: value('closedAt'),
        probe_at: value('probeAt'),
        last_failure: value('lastFailure'),
      })
      .where('lane', '=', value('lane')),
  )
  // One statement, so that a webhook owed by another command at the same time is not overlooked.
  const lookAgain = prepare((value) =>
    db
      .insertInto('lanes')
      .values({
        lane: value('lane'),
        next_due: firstDue('webhooks', sql`lane = ${value('lane')} and due_at is not null`),
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
  const lookAtEmpty = prepare((value) =>
    db
      .updateTable('lanes')
      .set({
        next_due: sql<number>`case when ${hasCall('webhooks', dueOf(value))} then cast(${value('leaseUntil')} as bigint) else cast(${value('nextDue')} as bigint) end`,
        is_full: sql<number>`0`,
      })
      .where('lane', '=', value('lane')),
  )
  const move = prepare((value) =>
    db
      .updateTable('webhooks')
      .set({
        lane: value('lane'),
        webhook_url: value('webhookUrl'),
        // The answer of another address does not matter here. A dead letter stays one.
        due_at: sql`case when due_at is not null then cast(${value('now')} as bigint) end`,
        tries: sql<number>`0`,
        waits_for_lane: sql<number>`0`,
        owner: sql<null>`null`,
        held_until: sql<null>`null`,
      })
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
    db.selectNoFrom(
      firstDue('webhooks', sql`lane = ${value('lane')} and due_at > ${value('now')}`).as('due_at'),
    ),
  )
  // A leased webhook was due first, so it comes before the others.
  const due = (kind: RawBuilder<boolean>) =>
    prepare((value) =>
      db
        .selectFrom('webhooks')
        .select(dueColumns)
        .where(dueOf(value))
        .where(kind)
        .orderBy('due_at')
        .limit(value('limit'))
        .$call(skipLocked(db)),
    )
  const dueFresh = due(isFresh)
  const dueRefused = due(isRefused)
  const probe = prepare((value) =>
    db
      .selectFrom('webhooks')
      .select(dueColumns)
      .where(inFront('webhooks', ['shop_id', 'order_id'], dueOf(value)))
      .orderBy(leasedFirst(value('now')))
      .orderBy('tries')
      .orderBy('due_at')
      .limit(sql<number>`1`)
      .$call(skipLocked(db)),
  )
  const lease = prepare((value) =>
    db
      .updateTable('webhooks')
      .set({ held_until: value('leaseUntil'), owner: value('owner') })
      .where('shop_id', '=', value('shopId'))
      .where('order_id', '=', value('orderId')),
  )
  const renew = prepare((value) =>
    db
      .updateTable('webhooks')
      .set({ held_until: value('leaseUntil') })
      // A row locked by another client is left to the next renewal, so that the others of the batch do not wait.
      .where(({ eb, refTuple, selectFrom }) =>
        eb(
          refTuple('shop_id', 'order_id'),
          'in',
          selectFrom('webhooks')
            .select(['shop_id', 'order_id'])
            .where('shop_id', '=', value('shopId'))
            .where('order_id', '=', value('orderId'))
            .where('owner', '=', value('owner'))
            .$call(skipLocked(db))
            .$asTuple('shop_id', 'order_id'),
        ),
      ),
  )
  const delivered = prepare((value) =>
    db
      .updateTable('payments')
      .set({
        delivered_version: value('version'),
        accepted_at: value('now'),
        remind_at: sql`case when read_version < ${value('version')} then cast(${value('remindAt')} as bigint) end`,
      })
      .where('shop_id', '=', value('shopId'))
      .where('order_id', '=', value('orderId'))
      .where('delivered_version', '<', value('version')),
  )
  const settle = prepare((value) =>
    db
      .deleteFrom('webhooks')
      .where('shop_id', '=', value('shopId'))
      .where('order_id', '=', value('orderId'))
      .where('owner', '=', value('owner'))
      .where('version', '<=', value('version')),
  )
  // An order that was refused itself, or failed while others succeeded, keeps its own schedule.
  const dueAtOnce = prepare((value) =>
    db
      .updateTable('webhooks')
      .set({ due_at: value('now'), waits_for_lane: recallCounted })
      .where('lane', '=', value('lane'))
      .where('due_at', '>', value('now'))
      .where(waitsForLane)
      .where('owner', 'is', null),
  )
  const recall = prepare((value) =>
    db
      .updateTable('webhooks')
      .set({ due_at: value('now'), waits_for_lane: recalledByHand })
      .where('lane', '=', value('lane'))
      .where('due_at', '>', value('now'))
      .where(mayBeRecalled)
      .where('owner', 'is', null),
  )
  const countDue = prepare((value) =>
    db
      .selectFrom('webhooks')
      .select(sql<number>`count(*)`.as('count'))
      .where('lane', '=', value('lane'))
      .where('due_at', '<=', value('now')),
  )
  const waitAgain = prepare((value) =>
    db
      .updateTable('webhooks')
      .set({ waits_for_lane: recallCounted })
      .where('lane', '=', value('lane'))
      .where('due_at', '>', value('now'))
      .where(mayWaitAgain),
  )
  const postpone = prepare((value) =>
    db
      .updateTable('webhooks')
      .set({
        due_at: value('dueAt'),
        tries: sql`tries + 1`,
        waits_for_lane: waitsAfter(value),
        owner: sql<null>`null`,
        held_until: sql<null>`null`,
      })
      .where('shop_id', '=', value('shopId'))
      .where('order_id', '=', value('orderId'))
      .where('owner', '=', value('owner')),
  )
  const nextDue = prepare(() =>
    db
      .selectFrom('lanes')
      .select('next_due')
      .where('next_due', 'is not', null)
      .orderBy('next_due')
      .limit(sql<number>`1`),
  )
  const saved = (lane: string, state: Lane) => ask(saveLane, { lane, ...state })

  /**
   * Closes or opens a lane and writes `more` with it. Opening makes its waiting webhooks due at once. Closing makes those that failed since
   * it opened wait again. Its lane is held.
   */
  function* changed(
    lane: string,
    { was, becomes, now, more }: { was: Lane; becomes: Lane; now: number; more: readonly Step[] },
  ): Command<void> {
    const isOpened = isClosed(was) && !isClosed(becomes)
    const closes = !isClosed(was) && isClosed(becomes)
    yield* together(
      ...more,
      ...(isOpened ? [ask(dueAtOnce, { lane, now })] : []),
      ...(closes ? [ask(waitAgain, { lane, now })] : []),
      ...(was === becomes ? [] : [saved(lane, becomes)]),
      ask(lookAgain, { lane }),
    )
  }

  function* holdLane(lane: string): Command<Lane> {
    yield* holding(laneKey(lane))
    const row = yield* first(laneOf, { lane })
    return row ? laneFrom(row) : freshLane
  }

  function* opens(lane: string, now: number): Command<void> {
    const was = yield* holdLane(lane)
    yield* changed(lane, { was, becomes: freshLane, now, more: [] })
  }

  return {
    /** Opens the lane unconditionally. */
    opens,

    /**
     * A person opens the lane: webhooks whose failure may be its fault are due at once, even if it is not closed. Resolves with the due
     * webhooks.
     */
    *opensByHand(lane: string, now: number): Command<number> {
      yield* holdLane(lane)
      const [, , , [due]] = yield* together(
        ask(recall, { lane, now }),
        saved(lane, freshLane),
        ask(lookAgain, { lane }),
        ask(countDue, { lane, now }),
      )
      return Number(due!.count)
    },

    /** Owes the platform a webhook of the payment. Its order is held. */
    *owes(
      { shopId, orderId, webhookUrl, statusVersion: version }: Owing,
      now: number,
      dueAt = now,
    ): Command<void> {
      const lane = laneName(shopId, webhookUrl)
      yield* together(
        ask(owe, { shopId, orderId, lane, webhookUrl, version, dueAt, now, tries: 0 }),
        ask(lookAgain, { lane }),
      )
    },

    /**
     * The platform named another address: an owed webhook goes there at once, even if it is being delivered to the old one. Its order is
     * held.
     */
    *moves({ shopId, orderId, webhookUrl }: Payment, now: number): Command<void> {
      const row = yield* first(owed, { shopId, orderId })
      const lane = laneName(shopId, webhookUrl)
      if (!row || row.webhook_url === webhookUrl) return
      yield* together(
        ask(move, { shopId, orderId, lane, webhookUrl, now }),
        ask(lookAgain, { lane }),
        ask(lookAgain, { lane: row.lane }),
      )
    },

    *claimWebhooks(
      ...[{ now, leaseUntil, limit, perLane, owner }]: Parameters<StorePort['claimWebhooks']>
    ): Command<OwedWebhook[]> {
      const claimed: OwedWebhook[] = []
      const isDamaged = (lane: string) => damaged.add(lane, now)
      const restsUntil = (lane: string) => damaged.restsUntil(lane, now)
      const lanes = yield* all(dueLanes, { now, limit })
      const resting = lanes.flatMap(({ lane }) => {
        const nextDue = restsUntil(lane)
        return nextDue === undefined ? [] : [ask(lookAt, { lane, nextDue, full: 0 })]
      })
      if (resting.length > 0) yield* together(...resting)
      while (lanes.length > 0 && claimed.length < limit) {
        // At most as many as are still wanted.
        const some = lanes.splice(0, Math.ceil((limit - claimed.length) / perLane)).flatMap((row) => {
          const state = laneFrom(row)
          if (restsUntil(row.lane) !== undefined) return []
          return { lane: row.lane, state, most: openAtOnce(state, perLane) }
        })
        const found = yield* eachFor(
          some.flatMap(({ lane, state, most }) => {
            const { atMost } = refusedPlaces(most)
            const dueIn = isClosed(state)
              ? [ask(probe, { lane, now })]
              : [
                  ask(dueFresh, { lane, now, limit: 2 * most }),
                  ask(dueRefused, { lane, now, limit: 2 * atMost }),
                ]
            return [ask(earliestAfter, { lane, now }), ...dueIn].map((step) => [lane, step] as const)
          }),
          isDamaged,
        )
        const changes = some.flatMap(({ lane, state, most }) => {
          const [later, fresh, refused = []] = found.splice(0, isClosed(state) ? 2 : 3) as [
            [{ due_at: number | null }],
            Due[],
            Due[]?,
          ]
          const after = later[0].due_at ?? undefined
          const room = limit - claimed.length
          const due = { fresh, refused, after, most, room, now, leaseUntil }
          const { taken, full, nextDue, empty } = takeFrom(state, due)
          const of = { lane, owner, full, probe: isClosed(state) }
          claimed.push(...taken.map((row) => owedFrom(row, of)))
          const steps = [
            ...taken.map((row) =>
              ask(lease, { shopId: row.shop_id, orderId: row.order_id, leaseUntil, owner }),
            ),
            empty
              ? ask(lookAtEmpty, { lane, nextDue, now, leaseUntil })
              : ask(lookAt, { lane, nextDue, full: full ? 1 : 0 }),
          ]
          return steps.map((step) => [lane, step] as const)
        })
        yield* eachFor(changes, isDamaged)
      }
      return claimed
    },

    *renewLeases(leased: readonly LeasedOrder[], leaseUntil: number): Command<void> {
      yield* holding()
      yield* together(
        ...leased.map(({ shopId, orderId, owner }) => ask(renew, { shopId, orderId, owner, leaseUntil })),
      )
    },

    *settleWebhook(webhook: OwedWebhook, call: DeliveryCall): Command<void> {
      const { shopId, orderId, owner, version, lane } = webhook
      const now = call.at + call.ms
      yield* holding(orderKey(shopId, orderId))
      // A status change during the delivery made the webhook due again and released its claim.
      const [row] = (yield* together(
        ask(laneOf, { lane }),
        addCall(webhook, call),
        ask(delivered, { shopId, orderId, version, now, remindAt: nextReminder(now, now) }),
        ask(settle, { shopId, orderId, owner, version }),
      ))[0]
      // Otherwise the lane is checked when its earliest webhook is due, as the claim has set.
      if (!row || (row.failures === 0 && row.is_full === 0)) return
      yield* opens(lane, now)
    },

    *postponeWebhook(
      ...[webhook, call, { dueAt, retryAfter }]: Parameters<StorePort['postponeWebhook']>
    ): Command<void> {
      const { shopId, orderId, owner, lane } = webhook
      const { failure } = call
      const now = call.at + call.ms
      yield* holding(orderKey(shopId, orderId))
      const was = yield* holdLane(lane)
      const aboutOrder = isAboutOrder(call.status)
      const failed = () => afterFailure(was, { now, failure, retryAfter, pace: webhookPace })
      // A receiver that refuses a single order is working.
      const becomes = aboutOrder ? (isClosed(was) ? freshLane : was) : failed()
      const more = [
        addCall(webhook, call),
        ask(postpone, { shopId, orderId, owner, dueAt, ...failedIn(was, aboutOrder) }),
      ]
      yield* changed(lane, { was, becomes, now, more })
    },

    *nextWebhookDue(): Command<number | undefined> {
      return (yield* first(nextDue, {}))?.next_due ?? undefined
    },
  }
}

export type WebhookCommands = ReturnType<typeof webhookCommands>
