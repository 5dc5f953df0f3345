import { sql } from 'kysely'
import { afterFailure, freshLane, type Lane, pushPace } from '../../../payments/lane.ts'
import type {
  ClaimedPush,
  KeptPush,
  LeasedPush,
  Push,
  SettledPush,
  UnmatchedPush,
} from '../../../store/pushes.ts'
import type { Claim } from '../../../store/webhooks.ts'
import { type Db, matching, prepareText, rowsBy, setColumns } from '../columns.ts'
import type { RemovedShops } from '../new-shops.ts'
import { patient, read, write } from '../port.ts'
import { all, alone, ask, type Command, holding, inOneFlight, lastly, type Step } from '../query.ts'
import { members, type Row } from '../rows.ts'
import { laneCalls } from './lane-calls.ts'
import { pushLane } from './lanes.ts'
import { awaitedReferences, pushNames } from './push-names.ts'

const key = ['shop_id', 'adapter', 'push_key'] as const

function pushQueries(db: Db) {
  const text = prepareText(db)
  return {
    known: rowsBy(db, 'pushes', [...key]),
    // A processed push starts again.
    keep: text<unknown>(
      (value) => sql`insert into pushes (shop_id, adapter, push_key, lane, sealed, received_at, times, due_at)
        values (${value('shopId')}, ${value('adapter')}, ${value('pushKey')}, ${value('lane')}, ${value('sealed')},
          ${value('now')}, 1, ${value('now')})
        on conflict (shop_id, adapter, push_key) do update set sealed = excluded.sealed, due_at = excluded.due_at,
          received_at = case when pushes.due_at is null then excluded.received_at else pushes.received_at end,
          times = pushes.times + 1, tries = 0, waits_for_lane = 0, recalls = 0, outcome = null, trouble = null, names = null`,
    ),
    dueAdapters: text<{ adapter: string }>(
      (value) =>
        sql`select adapter from lanes where adapter > '' and next_due <= ${value('now')} group by adapter`,
    ),
    waiting: text<Row<'pushes'>>(
      (value) => sql`select * from pushes where ${matching(value, 'lane')} and due_at is not null
        order by received_at desc limit ${value('limit')}`,
    ),
    // Its content is deleted; its outcome stays.
    settle: setColumns(
      db,
      'pushes',
      ['sealed', 'due_at', 'processed_at', 'outcome', 'trouble', 'names'],
      [...key, 'times'],
    ),
    park: setColumns(db, 'pushes', ['due_at', 'outcome', 'trouble', 'names'], [...key, 'times', 'owner']),
  }
}

/** The columns that a claim reads of a push. */
const claimedColumns = ['shop_id', 'adapter', 'push_key', 'sealed', 'received_at', 'times', 'tries'] as const

type ClaimedRow = Pick<Row<'pushes'>, (typeof claimedColumns)[number]>

const keptFrom = (row: Pick<ClaimedRow, 'shop_id' | 'adapter' | 'push_key' | 'sealed'>): KeptPush => ({
  ...members(row, 'shop_id', 'adapter'),
  key: row.push_key,
  // It waits, so it has its content.
  sealed: row.sealed!,
})

/** So many names of payments that are not here are kept of one push, and so much of each. */
const mostNames = 10
export const longestName = 200

/** The outcome of a push, as its row has it. */
function settledColumns({ outcome, detail, names = [] }: SettledPush) {
  const kept = names.slice(0, mostNames).map((name) => name.slice(0, longestName))
  return {
    outcome: detail,
    trouble: outcome === 'processed' ? undefined : outcome,
    names: kept.length === 0 ? undefined : JSON.stringify(kept),
  }
}

/** The hold of a write about one push. */
const pushHold = ({ shopId, adapter, key }: Omit<KeptPush, 'sealed'>) => `push ${shopId} ${adapter} ${key}`

const callOf = ({ shopId, adapter, key: pushKey, owner }: LeasedPush) => ({ shopId, adapter, pushKey, owner })

/** The lane after a success: its other side works. */
const afterSuccess = (was: Lane): Lane => (was.failures > 0 ? freshLane : was)

interface FailedPush {
  dueAt: number
  failure: string
  /** The failure is its own: its lane does not count it. */
  aboutPush: boolean
  /** The service asked for so many milliseconds without a call. */
  pause?: number
}

/** Pushes in lanes by adapter and shop. */
const pushLanes = (db: Db) =>
  laneCalls<ClaimedRow>(db, {
    calls: 'pushes',
    key,
    reads: claimedColumns,
    recallsAtSuccess: true,
    keepsWaiting: sql`coalesce(trouble, '') = 'unmatched'`,
    failed: (value) => sql`, outcome = ${value('failure')}, trouble = 'failed'`,
  })

/** Stores pushes until they are processed, with their outcome. */
export function pushCommands(db: Db, removed: RemovedShops) {
  const { known, keep, dueAdapters, waiting } = pushQueries(db)
  const calls = pushLanes(db)
  const names = pushNames(db, calls.lookSooner)

  const keeping = ({ shopId, adapter, key: pushKey, sealed }: Push, now: number): Step[] => {
    const lane = pushLane(shopId, adapter)
    return [ask(keep, { shopId, adapter, pushKey, lane: lane.lane, sealed, now }), ...calls.lookSooner(lane)]
  }

  const commands = {
    /** Stores a push until it is processed. A repeated one is processed again. */
    keepPush: write(function* (push: Push, now: number): Command<void> {
      yield* holding(pushHold(push))
      yield* removed.expect(push.shopId)
      yield* lastly(...keeping(push, now))
    }),

    /** Stores a push that is processed once. A repeated one changes nothing. Resolves with whether it is new. */
    keepPushOnce: write(function* (push: Push, now: number): Command<boolean> {
      const { shopId, adapter, key: pushKey } = push
      yield* holding(pushHold(push))
      const [[one]] = yield* inOneFlight(all(known, { shopId, adapter, pushKey }), removed.expect(shopId))
      if (!one) yield* lastly(...keeping(push, now))
      return !one
    }),

    adaptersWithPushes: read(function* (now: number): Command<string[]> {
      return (yield* all(dueAdapters, { now })).map(({ adapter }) => adapter)
    }),

    /**
     * Claims up to `limit` due pushes of an adapter, at most `perLane` of each shop, each until `leaseUntil`. A lane whose payment service
     * fails gives one. Pushes that failed by themselves have a quarter of the places of a lane.
     */
    claimPushes: write(function* ({
      adapter,
      ...claim
    }: Claim & { adapter: string }): Command<ClaimedPush[]> {
      yield* alone()
      return (yield* calls.claim(claim, adapter)).claimed.map(({ row, owner, full }) => ({
        ...keptFrom(row),
        ...members(row, 'received_at', 'times', 'tries'),
        ...{ owner, full },
      }))
    }),

    /** Up to `limit` pushes of a shop through an adapter that are not processed yet, newest first. */
    waitingPushes: read(function* (
      { adapter, shopId }: { adapter: string; shopId: string },
      limit: number,
    ): Command<KeptPush[]> {
      return (yield* all(waiting, { lane: pushLane(shopId, adapter).lane, limit })).map(keptFrom)
    }),

    /** Renews claims of pushes. A push that another process has taken over stays with it. */
    renewPushes: patient(function* (leased: readonly LeasedPush[], leaseUntil: number): Command<void> {
      yield* calls.renew(leased.map(callOf), leaseUntil)
    }),
  }

  return { commands: { ...commands, ...settleCommands(db, { calls, names }) }, calls, names }
}

export type PushCommands = ReturnType<typeof pushCommands>

/** Ends the lease of a push: it is settled, parked, or due again. */
function settleCommands(
  db: Db,
  { calls, names }: { calls: ReturnType<typeof pushLanes>; names: ReturnType<typeof pushNames> },
) {
  const { settle, park } = pushQueries(db)

  return {
    /** It is done: its body is forgotten, its outcome stays, its lane opens unless it was given up. One that came again stays due. */
    settlePush: patient(function* (
      push: LeasedPush & { times: number },
      became: SettledPush,
      now: number,
    ): Command<void> {
      const { lane } = pushLane(push.shopId, push.adapter)
      yield* holding(pushHold(push))
      const was = yield* calls.hold(lane)
      const call = callOf(push)
      const more = [
        ...names.forgotten(call, awaitedReferences(became.references)),
        ask(settle, { ...call, times: push.times, processedAt: now, ...settledColumns(became) }),
        calls.release(call),
      ]
      const becomes = became.outcome === 'given_up' ? was : afterSuccess(was)
      yield* calls.change(lane, { was, becomes, now, more })
    }),

    /**
     * It names references that no attempt has: due again at `until`, or at once when an attempt gets one of them, also where it got it
     * meanwhile. Its outcome is `unmatched` until then.
     */
    parkPush: patient(function* (
      push: LeasedPush & { times: number },
      unmatched: UnmatchedPush,
      until: number,
      now: number,
    ): Command<void> {
      const { lane } = pushLane(push.shopId, push.adapter)
      yield* holding(pushHold(push))
      const was = yield* calls.hold(lane)
      const call = callOf(push)
      const references = awaitedReferences(unmatched.references)
      const dueAt = (yield* names.isKnown(call, references)) ? now : until
      const more = [
        ask(park, { ...call, times: push.times, dueAt, ...settledColumns(unmatched) }),
        calls.release(call),
        ...names.awaited(call, references),
      ]
      yield* calls.change(lane, { was, becomes: afterSuccess(was), now, more })
    }),

    /**
     * It failed: due again at `dueAt`, unless another process has taken it over. The lane counts it, unless it is `aboutPush`. If the lane is
     * closed then, the push is due with the next probe. Resolves with the time when it is due.
     */
    postponePush: patient(function* (
      push: LeasedPush,
      { dueAt: byItself, failure, aboutPush, pause = 0 }: FailedPush,
      now: number,
    ): Command<number> {
      const { lane } = pushLane(push.shopId, push.adapter)
      yield* holding(pushHold(push))
      const was = yield* calls.hold(lane)
      const failed = () => afterFailure(was, { now, failure, pace: pushPace, retryAfter: pause })
      const becomes = aboutPush ? was : failed()
      // A closed lane has a push for each of its probes, however few wait in it.
      const probeAt = aboutPush ? undefined : becomes.probeAt
      const dueAt = probeAt === undefined ? byItself : Math.max(probeAt, now + pause)
      const more = [calls.postpone({ ...callOf(push), failure }, { dueAt, was, aboutOne: aboutPush })]
      yield* calls.change(lane, { was, becomes, now, more })
      return dueAt
    }),

    /** A payment service failed while a push was verified, which is not kept: its lane counts it. `pause` as in `postponePush`. */
    failPushLane: write(function* (
      { adapter, shopId }: { adapter: string; shopId: string },
      { message: failure, pause: retryAfter }: { message: string; pause: number },
      now: number,
    ): Command<void> {
      const names = pushLane(shopId, adapter)
      const was = yield* calls.hold(names.lane)
      const becomes = afterFailure(was, { now, failure, pace: pushPace, retryAfter })
      yield* calls.change(names.lane, { was, becomes, now, more: calls.lookSooner(names) })
    }),
  }
}
