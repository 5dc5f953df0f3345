import { type Kysely, sql } from 'kysely'
import { afterFailure, freshLane, pushPace } from '../../payments/lane.ts'
import type { LeasedPush } from '../../store.ts'
import { claimedPushFrom, keptPushFrom } from './call-rows.ts'
import { columns, matching, type Place, replaced } from './columns.ts'
import { LaneCalls } from './lane-calls.ts'
import { laneOfPush } from './lanes.ts'
import type { Commands } from './port.ts'
import { pushNames } from './push-names.ts'
import { awaitedReferences, settledColumns } from './push-records.ts'
import { all, alone, ask, holding, lastly, prepare } from './query.ts'
import type { Tables } from './tables.ts'

/** A push without a lane that has been due for this many milliseconds was stored by a node of a version without lanes. */
const leftAfter = 60_000

/** Pushes in lanes by adapter and shop. */
const pushLanes = (db: Kysely<Tables>) =>
  new LaneCalls(db, {
    calls: 'pushes',
    lanes: 'push_lanes',
    byLane: ['adapter', 'shop_id'],
    keepsWaiting: sql<boolean>`(coalesce(trouble, '') = 'unmatched')`,
    claimedBy: ['adapter'],
    byCall: ['shop_id', 'adapter', 'push_key'],
    callFrom: claimedPushFrom,
    holds: ({ adapter, shopId }: { adapter: string; shopId: string }) => `push lane ${adapter} ${shopId}`,
    countsFull: false,
    recallsAtSuccess: true,
    failed: (value) => ({ outcome: value('failure'), trouble: sql.lit('failed') }),
  })

/** A push with what it is when it comes first. */
const newPush = (db: Kysely<Tables>, value: Place) =>
  db.insertInto('pushes').values({
    ...columns(value, 'shop_id', 'adapter', 'push_key', 'sealed'),
    headers: sql<string>`'{}'`,
    query: sql<string>`''`,
    received_at: value('now'),
    times: sql<number>`1`,
    due_at: value('now'),
  })

const pushKeyColumns = ['shop_id', 'adapter', 'push_key'] as const

const pushQueries = (db: Kysely<Tables>) => ({
  keepOnce: prepare((value) =>
    newPush(db, value).onConflict((conflict) => conflict.columns(pushKeyColumns).doNothing()),
  ),
  known: prepare((value) =>
    db
      .selectFrom('pushes')
      .select('push_key')
      .where(matching(value, ...pushKeyColumns)),
  ),
  keep: prepare((value) =>
    newPush(db, value).onConflict((conflict) =>
      conflict.columns(pushKeyColumns).doUpdateSet({
        ...replaced('sealed', 'body', 'headers', 'query', 'due_at'),
        // A processed push starts again.
        received_at: sql`case when pushes.due_at is null then excluded.received_at else pushes.received_at end`,
        times: sql<number>`pushes.times + 1`,
        tries: sql<number>`0`,
        waits_for_lane: sql<number>`0`,
        outcome: sql<null>`null`,
        trouble: sql<null>`null`,
        names: sql<null>`null`,
      }),
    ),
  ),
  dueAdapters: prepare((value) =>
    db.selectFrom('push_lanes').select('adapter').where('next_due', '<=', value('now')).groupBy('adapter'),
  ),
  dueLanes: prepare((value) =>
    db
      .selectFrom('push_lanes')
      .selectAll()
      .where('adapter', '=', value('adapter'))
      .where('next_due', '<=', value('now'))
      .orderBy('next_due')
      .limit(value('limit')),
  ),
  settle: prepare((value) =>
    db
      .updateTable('pushes')
      .set({
        // Its content is deleted; its outcome stays.
        sealed: sql<null>`null`,
        body: sql<null>`null`,
        headers: sql<string>`'{}'`,
        query: sql<string>`''`,
        due_at: sql<null>`null`,
        processed_at: value('now'),
        ...columns(value, 'outcome', 'trouble', 'names'),
      })
      .where(matching(value, 'shop_id', 'adapter', 'push_key', 'times')),
  ),
  park: prepare((value) =>
    db
      .updateTable('pushes')
      .set({
        ...columns(value, 'due_at', 'outcome', 'trouble', 'names'),
        leased_until: sql<null>`null`,
        owner: sql<null>`null`,
      })
      .where(matching(value, 'shop_id', 'adapter', 'push_key', 'times', 'owner')),
  ),
  // A push that came again meanwhile stays due: its meaning may have changed.
  endLease: prepare((value) =>
    db
      .updateTable('pushes')
      .set({ leased_until: sql<null>`null`, owner: sql<null>`null` })
      .where(matching(value, 'shop_id', 'adapter', 'push_key', 'owner')),
  ),
  left: prepare((value) =>
    db
      .selectFrom('pushes')
      .leftJoin('push_lanes', laneOfPush)
      .select(['pushes.adapter', 'pushes.shop_id'])
      .where('due_at', '<=', value('before'))
      .where(sql<boolean>`(leased_until is null or leased_until <= ${value('now')})`)
      .where(sql<boolean>`(next_due is null or next_due > ${value('now')})`)
      .where(sql<boolean>`(probe_at is null or probe_at <= ${value('now')})`)
      .groupBy(['pushes.adapter', 'pushes.shop_id']),
  ),
  waiting: prepare((value) =>
    db
      .selectFrom('pushes')
      .select(['shop_id', 'adapter', 'push_key', 'sealed', 'body', 'headers', 'query'])
      .where(matching(value, 'adapter', 'shop_id'))
      .where('due_at', 'is not', null)
      .orderBy('received_at', 'desc')
      .limit(value('limit')),
  ),
})

/** Stores pushes until they are processed, with their outcome, in lanes by adapter and shop. */
export function pushCommands(db: Kysely<Tables>) {
  const calls = pushLanes(db)
  const { keep, keepOnce, known, dueAdapters, dueLanes, settle, park, endLease, left, waiting } =
    pushQueries(db)
  const names = pushNames(db)

  const commands = {
    *keepPush({ shopId, adapter, key: pushKey, sealed }, now) {
      yield* holding(pushHold(shopId, adapter, pushKey))
      yield* lastly(
        ask(keep, { shopId, adapter, pushKey, sealed, now }),
        calls.lookSooner({ adapter, shopId }),
      )
    },

    *keepPushOnce({ shopId, adapter, key: pushKey, sealed }, now) {
      yield* holding(pushHold(shopId, adapter, pushKey))
      const [one] = yield* all(known, { shopId, adapter, pushKey })
      if (one) return false
      yield* lastly(
        ask(keepOnce, { shopId, adapter, pushKey, sealed, now }),
        calls.lookSooner({ adapter, shopId }),
      )
      return true
    },

    *adoptPushes(now) {
      yield* alone()
      const lanes = yield* all(left, { now, before: now - leftAfter })
      if (lanes.length === 0) return 0
      yield* lastly(...lanes.map(({ adapter, shop_id: shopId }) => calls.lookSooner({ adapter, shopId })))
      return lanes.length
    },

    *adaptersWithPushes(now) {
      return (yield* all(dueAdapters, { now })).map(({ adapter }) => adapter)
    },

    *claimPushes({ adapter, ...claim }) {
      yield* alone()
      return yield* calls.claim(dueLanes, claim, { among: { adapter } })
    },

    *waitingPushes({ adapter, shopId }, limit) {
      const rows = yield* all(waiting, { adapter, shopId, limit })
      return rows.map(keptPushFrom)
    },

    *renewPushes(leased, leaseUntil) {
      yield* calls.renew(leased.map(callOf), leaseUntil)
    },

    *settlePush(push, became, now) {
      const { adapter, shopId, times } = push
      yield* holding(pushHold(shopId, adapter, push.key))
      const was = yield* calls.hold({ adapter, shopId })
      const becomes = became.outcome !== 'given_up' && was.failures > 0 ? freshLane : was
      const call = callOf(push)
      const references = awaitedReferences(became.references)
      const forgotten = names.forgotten(call, references)
      const more = [
        ...forgotten,
        ask(settle, { ...call, times, now, ...settledColumns(became) }),
        ask(endLease, call),
      ]
      yield* calls.change({ adapter, shopId }, { was, becomes, now, more })
    },

    *parkPush(push, unmatched, until, now) {
      const { adapter, shopId, times } = push
      yield* holding(pushHold(shopId, adapter, push.key))
      const was = yield* calls.hold({ adapter, shopId })
      const call = callOf(push)
      const references = awaitedReferences(unmatched.references)
      const dueAt = (yield* names.isKnown(call, references)) ? now : until
      const parked = ask(park, { ...call, times, dueAt, ...settledColumns(unmatched) })
      const more = [parked, ask(endLease, call), ...names.awaited(call, references)]
      const becomes = was.failures > 0 ? freshLane : was
      yield* calls.change({ adapter, shopId }, { was, becomes, now, more })
    },

    *postponePush(push, { dueAt: byItself, failure, aboutPush, pause: retryAfter = 0 }, now) {
      const { adapter, shopId } = push
      yield* holding(pushHold(shopId, adapter, push.key))
      const was = yield* calls.hold({ adapter, shopId })
      const becomes = aboutPush ? was : afterFailure(was, { now, failure, pace: pushPace, retryAfter })
      // A closed lane has a push for each of its probes, however few wait in it.
      const probeAt = aboutPush ? undefined : becomes.probeAt
      const dueAt = probeAt === undefined ? byItself : Math.max(probeAt, now + retryAfter)
      const more = [calls.postpone({ ...callOf(push), failure }, { dueAt, was, aboutOne: aboutPush })]
      yield* calls.change({ adapter, shopId }, { was, becomes, now, more })
      return dueAt
    },
  } satisfies Partial<Commands>

  return { commands, calls, names }
}

const pushHold = (shopId: string, adapter: string, key: string) => `push ${shopId} ${adapter} ${key}`

const callOf = ({ shopId, adapter, key, owner }: LeasedPush) => ({ shopId, adapter, pushKey: key, owner })

export type PushCommands = ReturnType<typeof pushCommands>
