import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely'
import {
  afterFailure,
  freshLane,
  isClosed,
  type Lane,
  openAtOnce,
  pushPace,
  refusedPlaces,
} from '../../payments/lane.ts'
import type { ClaimedPush, LeasedPush, Push, SettledPush, StorePort } from '../../store.ts'
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
import { settledColumns } from './push-records.ts'
import { all, ask, type Command, eachFor, first, holding, prepare, type Step, together } from './query.ts'
import { skipLocked } from './skip-locked.ts'
import type { Tables } from './tables.ts'

const dueColumns = [
  'shop_id',
  'adapter',
  'push_key',
  'body',
  'headers',
  'query',
  'received_at',
  'times',
  'tries',
  'held_until',
] as const

const ofLane = (value: (name: string) => never) =>
  sql<boolean>`adapter = ${value('adapter')} and shop_id = ${value('shopId')}`
const dueOf = (value: (name: string) => never) => sql<boolean>`${ofLane(value)} and due_at <= ${value('now')}`

type Due = Pick<Selectable<Tables['pushes']>, (typeof dueColumns)[number]>

export interface LaneOf {
  adapter: string
  shopId: string
}

/** A push without a lane that has been due for this many milliseconds was stored by a node of a version without lanes. */
const leftAfter = 60_000

const laneKey = ({ adapter, shopId }: LaneOf) => `push lane ${adapter} ${shopId}`

const pushFrom = (row: Due, of: Pick<ClaimedPush, 'owner' | 'full'>): ClaimedPush => ({
  ...of,
  shopId: row.shop_id,
  adapter: row.adapter,
  key: row.push_key,
  body: row.body ?? '',
  headers: headersOf(row.headers),
  query: row.query,
  receivedAt: row.received_at,
  times: row.times,
  tries: row.tries,
})

/** Empty if the text is damaged: one row must not stop all pushes of its adapter. */
function headersOf(text: string): Record<string, string> {
  try {
    return JSON.parse(text) as Record<string, string>
  } catch {
    return {}
  }
}

/** Stores pushes until they are processed, with their outcome, in lanes by adapter and shop. */
export function pushCommands(db: Kysely<Tables>) {
  const damaged = new DamagedLanes()
  const keep = prepare((value) =>
    db
      .insertInto('pushes')
      .values({
        shop_id: value('shopId'),
        adapter: value('adapter'),
        push_key: value('key'),
        body: value('body'),
        headers: value('headers'),
        query: value('query'),
        received_at: value('now'),
        times: value('times'),
        due_at: value('now'),
      })
      .onConflict((conflict) =>
        conflict.columns(['shop_id', 'adapter', 'push_key']).doUpdateSet((excluded) => ({
          body: excluded.ref('excluded.body'),
          headers: excluded.ref('excluded.headers'),
          query: excluded.ref('excluded.query'),
          // A processed push starts again.
          received_at: sql`case when pushes.due_at is null then excluded.received_at else pushes.received_at end`,
          due_at: excluded.ref('excluded.due_at'),
          times: sql<number>`pushes.times + 1`,
          tries: sql<number>`0`,
          waits_for_lane: sql<number>`0`,
          outcome: sql<null>`null`,
          trouble: sql<null>`null`,
          names: sql<null>`null`,
        })),
      ),
  )
  const lookAgain = prepare((value) =>
    db
      .insertInto('push_lanes')
      .values({
        adapter: value('adapter'),
        shop_id: value('shopId'),
        next_due: firstDue('pushes', sql`${ofLane(value)} and due_at is not null`),
        failures: sql<number>`0`,
      })
      .onConflict((conflict) =>
        conflict.columns(['adapter', 'shop_id']).doUpdateSet({
          next_due: sql`case when excluded.next_due < push_lanes.probe_at then push_lanes.probe_at else excluded.next_due end`,
        }),
      ),
  )
  const dueAdapters = prepare((value) =>
    db.selectFrom('push_lanes').select('adapter').where('next_due', '<=', value('now')).groupBy('adapter'),
  )
  const dueLanes = prepare((value) =>
    db
      .selectFrom('push_lanes')
      .selectAll()
      .where('adapter', '=', value('adapter'))
      .where('next_due', '<=', value('now'))
      .orderBy('next_due')
      .limit(value('limit'))
      .$call(skipLocked(db)),
  )
  const due = (kind: RawBuilder<boolean>) =>
    prepare((value) =>
      db
        .selectFrom('pushes')
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
      .selectFrom('pushes')
      .select(dueColumns)
      .where(inFront('pushes', ['shop_id', 'adapter', 'push_key'], dueOf(value)))
      .orderBy(leasedFirst(value('now')))
      .orderBy('tries')
      .orderBy('due_at')
      .limit(sql<number>`1`)
      .$call(skipLocked(db)),
  )
  const earliestAfter = prepare((value) =>
    db.selectNoFrom(firstDue('pushes', sql`${ofLane(value)} and due_at > ${value('now')}`).as('due_at')),
  )
  const lease = prepare((value) =>
    db
      .updateTable('pushes')
      .set({ held_until: value('leaseUntil'), owner: value('owner') })
      .where('shop_id', '=', value('shopId'))
      .where('adapter', '=', value('adapter'))
      .where('push_key', '=', value('key')),
  )
  const renew = prepare((value) =>
    db
      .updateTable('pushes')
      .set({ held_until: value('leaseUntil') })
      // A row locked by another client is left to the next renewal, so that the others of the batch do not wait.
      .where(({ eb, refTuple, selectFrom }) =>
        eb(
          refTuple('shop_id', 'adapter', 'push_key'),
          'in',
          selectFrom('pushes')
            .select(['shop_id', 'adapter', 'push_key'])
            .where('shop_id', '=', value('shopId'))
            .where('adapter', '=', value('adapter'))
            .where('push_key', '=', value('key'))
            .where('owner', '=', value('owner'))
            .$call(skipLocked(db))
            .$asTuple('shop_id', 'adapter', 'push_key'),
        ),
      ),
  )
  const lookAt = prepare((value) =>
    db
      .updateTable('push_lanes')
      .set({ next_due: value('nextDue') })
      .where('adapter', '=', value('adapter'))
      .where('shop_id', '=', value('shopId')),
  )
  const lookAtEmpty = prepare((value) =>
    db
      .updateTable('push_lanes')
      .set({
        next_due: sql<number>`case when ${hasCall('pushes', dueOf(value))}
          then cast(${value('leaseUntil')} as bigint) else cast(${value('nextDue')} as bigint) end`,
      })
      .where('adapter', '=', value('adapter'))
      .where('shop_id', '=', value('shopId')),
  )
  const laneOf = prepare((value) =>
    db
      .selectFrom('push_lanes')
      .selectAll()
      .where('adapter', '=', value('adapter'))
      .where('shop_id', '=', value('shopId')),
  )
  const saveLane = prepare((value) =>
    db
      .updateTable('push_lanes')
      .set({
        failures: value('failures'),
        closed_at: value('closedAt'),
        probe_at: value('probeAt'),
        last_failure: value('lastFailure'),
      })
      .where('adapter', '=', value('adapter'))
      .where('shop_id', '=', value('shopId')),
  )
  const dueAtOnce = prepare((value) =>
    db
      .updateTable('pushes')
      .set({ due_at: value('now'), waits_for_lane: recallCounted })
      .where('adapter', '=', value('adapter'))
      .where('shop_id', '=', value('shopId'))
      .where('due_at', '>', value('now'))
      .where(waitsForLane),
  )
  const recall = prepare((value) =>
    db
      .updateTable('pushes')
      .set({ due_at: value('now'), waits_for_lane: recalledByHand })
      .where('adapter', '=', value('adapter'))
      .where('shop_id', '=', value('shopId'))
      .where('due_at', '>', value('now'))
      .where(mayBeRecalled),
  )
  const countDue = prepare((value) =>
    db
      .selectFrom('pushes')
      .select(sql<number>`count(*)`.as('count'))
      .where('adapter', '=', value('adapter'))
      .where('shop_id', '=', value('shopId'))
      .where('due_at', '<=', value('now')),
  )
  const waitAgain = prepare((value) =>
    db
      .updateTable('pushes')
      .set({ waits_for_lane: recallCounted })
      .where('adapter', '=', value('adapter'))
      .where('shop_id', '=', value('shopId'))
      .where('due_at', '>', value('now'))
      .where(mayWaitAgain),
  )
  const settle = prepare((value) =>
    db
      .updateTable('pushes')
      .set({
        // Its content is deleted; its outcome stays.
        body: sql<null>`null`,
        headers: sql<string>`'{}'`,
        query: sql<string>`''`,
        due_at: sql<null>`null`,
        processed_at: value('now'),
        outcome: value('detail'),
        trouble: value('trouble'),
        names: value('names'),
      })
      .where('shop_id', '=', value('shopId'))
      .where('adapter', '=', value('adapter'))
      .where('push_key', '=', value('key'))
      .where('times', '=', value('times')),
  )
  // A push that came again meanwhile stays due: its meaning may have changed.
  const letGo = prepare((value) =>
    db
      .updateTable('pushes')
      .set({ held_until: sql<null>`null`, owner: sql<null>`null` })
      .where('shop_id', '=', value('shopId'))
      .where('adapter', '=', value('adapter'))
      .where('push_key', '=', value('key'))
      .where('owner', '=', value('owner')),
  )
  const postpone = prepare((value) =>
    db
      .updateTable('pushes')
      .set({
        due_at: value('dueAt'),
        held_until: sql<null>`null`,
        owner: sql<null>`null`,
        tries: sql`tries + 1`,
        waits_for_lane: waitsAfter(value),
        outcome: value('failure'),
        trouble: sql.lit('failed'),
      })
      .where('shop_id', '=', value('shopId'))
      .where('adapter', '=', value('adapter'))
      .where('push_key', '=', value('key'))
      .where('owner', '=', value('owner'))
      .where('due_at', 'is not', null),
  )
  const left = prepare((value) =>
    db
      .selectFrom('pushes')
      .leftJoin('push_lanes', (join) =>
        join
          .onRef('push_lanes.adapter', '=', 'pushes.adapter')
          .onRef('push_lanes.shop_id', '=', 'pushes.shop_id'),
      )
      .select(['pushes.adapter', 'pushes.shop_id'])
      .where('due_at', '<=', value('before'))
      .where(sql<boolean>`(held_until is null or held_until <= ${value('now')})`)
      .where(sql<boolean>`(next_due is null or next_due > ${value('now')})`)
      .where(sql<boolean>`(probe_at is null or probe_at <= ${value('now')})`)
      .groupBy(['pushes.adapter', 'pushes.shop_id']),
  )
  function* holdLane(lane: LaneOf): Command<Lane> {
    yield* holding(laneKey(lane))
    const row = yield* first(laneOf, { ...lane })
    return row ? laneFrom(row) : freshLane
  }

  /**
   * Closes or opens a lane and writes `more` with it. Opening makes its waiting pushes due at once. Closing makes those that failed since
   * it opened wait again. Its lane is held.
   */
  function* changed(
    lane: LaneOf,
    { was, becomes, now, more }: { was: Lane; becomes: Lane; now: number; more: readonly Step[] },
  ): Command<void> {
    const { adapter, shopId } = lane
    const isOpened = isClosed(was) && !isClosed(becomes)
    const closes = !isClosed(was) && isClosed(becomes)
    yield* together(
      ...more,
      ...(isOpened ? [ask(dueAtOnce, { adapter, shopId, now })] : []),
      ...(closes ? [ask(waitAgain, { adapter, shopId, now })] : []),
      ...(was === becomes ? [] : [ask(saveLane, { adapter, shopId, ...becomes })]),
      ask(lookAgain, { adapter, shopId }),
    )
  }

  return {
    /**
     * A person opens the lane: pushes whose failure may be its fault are due at once, even if it is not closed. Resolves with the due
     * pushes.
     */
    *opensPushes({ adapter, shopId }: LaneOf, now: number): Command<number> {
      yield* holdLane({ adapter, shopId })
      const [, , , [due]] = yield* together(
        ask(recall, { adapter, shopId, now }),
        ask(saveLane, { adapter, shopId, ...freshLane }),
        ask(lookAgain, { adapter, shopId }),
        ask(countDue, { adapter, shopId, now }),
      )
      return Number(due!.count)
    },

    *keepPush({ headers, receivedAt: _, ...push }: Push, now: number): Command<void> {
      yield* holding(laneKey(push))
      const { adapter, shopId } = push
      yield* together(
        ask(keep, { ...push, headers: JSON.stringify(headers), now, times: 1 }),
        ask(lookAgain, { adapter, shopId }),
      )
    },

    *adoptPushes(now: number): Command<number> {
      yield* holding()
      const lanes = yield* all(left, { now, before: now - leftAfter })
      if (lanes.length === 0) return 0
      yield* together(...lanes.map(({ adapter, shop_id: shopId }) => ask(lookAgain, { adapter, shopId })))
      return lanes.length
    },

    *adaptersWithPushes(now: number): Command<string[]> {
      return (yield* all(dueAdapters, { now })).map(({ adapter }) => adapter)
    },

    *claimPushes(
      ...[{ adapter, now, leaseUntil, limit, perLane, owner }]: Parameters<StorePort['claimPushes']>
    ): Command<ClaimedPush[]> {
      const claimed: ClaimedPush[] = []
      const isDamaged = (shopId: string) => damaged.add(laneKey({ adapter, shopId }), now)
      const restsUntil = (shopId: string) => damaged.restsUntil(laneKey({ adapter, shopId }), now)
      const rows = yield* all(dueLanes, { adapter, now, limit })
      const resting = rows.flatMap(({ shop_id: shopId }) => {
        const nextDue = restsUntil(shopId)
        return nextDue === undefined ? [] : [ask(lookAt, { adapter, shopId, nextDue })]
      })
      if (resting.length > 0) yield* together(...resting)
      const lanes = rows
        .filter(({ shop_id }) => restsUntil(shop_id) === undefined)
        .map((row) => {
          const state = laneFrom(row)
          return { shopId: row.shop_id, state, most: openAtOnce(state, perLane) }
        })
      if (lanes.length === 0) return claimed
      const found = yield* eachFor(
        lanes.flatMap(({ shopId, state, most }) => {
          const { atMost } = refusedPlaces(most)
          const lane = { adapter, shopId, now }
          const dueIn = isClosed(state)
            ? [ask(probe, lane)]
            : [ask(dueFresh, { ...lane, limit: 2 * most }), ask(dueRefused, { ...lane, limit: 2 * atMost })]
          return [ask(earliestAfter, lane), ...dueIn].map((step) => [shopId, step] as const)
        }),
        isDamaged,
      )
      const changes = lanes.flatMap(({ shopId, state, most }) => {
        const [later, fresh, refused = []] = found.splice(0, isClosed(state) ? 2 : 3) as [
          [{ due_at: number | null }],
          Due[],
          Due[]?,
        ]
        const after = later[0].due_at ?? undefined
        const room = limit - claimed.length
        const due = { fresh, refused, after, most, room, now, leaseUntil }
        const { taken, full, nextDue, empty } = takeFrom(state, due)
        claimed.push(...taken.map((row) => pushFrom(row, { owner, full })))
        const steps = [
          ...taken.map(({ push_key: key }) => ask(lease, { shopId, adapter, key, leaseUntil, owner })),
          empty
            ? ask(lookAtEmpty, { adapter, shopId, nextDue, now, leaseUntil })
            : ask(lookAt, { adapter, shopId, nextDue }),
        ]
        return steps.map((step) => [shopId, step] as const)
      })
      yield* eachFor(changes, isDamaged)
      return claimed
    },

    *renewPushes(leased: readonly LeasedPush[], leaseUntil: number): Command<void> {
      yield* holding()
      yield* together(
        ...leased.map(({ shopId, adapter, key, owner }) =>
          ask(renew, { shopId, adapter, key, owner, leaseUntil }),
        ),
      )
    },

    *settlePush(push: LeasedPush & { times: number }, became: SettledPush, now: number): Command<void> {
      const { shopId, adapter, key, times, owner } = push
      const was = yield* holdLane(push)
      const becomes = became.outcome !== 'given_up' && was.failures > 0 ? freshLane : was
      const more = [
        ask(settle, { shopId, adapter, key, times, now, ...settledColumns(became) }),
        ask(letGo, { shopId, adapter, key, owner }),
      ]
      yield* changed(push, { was, becomes, now, more })
    },

    *postponePush(
      ...[push, { dueAt, failure, aboutPush }, now]: Parameters<StorePort['postponePush']>
    ): Command<void> {
      const { shopId, adapter, key, owner } = push
      const was = yield* holdLane(push)
      const becomes = aboutPush ? was : afterFailure(was, { now, failure, pace: pushPace })
      const more = [
        ask(postpone, { shopId, adapter, key, owner, dueAt, failure, ...failedIn(was, aboutPush) }),
      ]
      yield* changed(push, { was, becomes, now, more })
    },
  }
}

export type PushCommands = ReturnType<typeof pushCommands>
