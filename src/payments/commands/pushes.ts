import type { Claim } from '../../queue/lane-claims.ts'
import { pushLane } from '../../queue/lanes.ts'
import type { RemovedShops } from '../../shops/commands/new-shops.ts'
import { type Db, members, value } from '../../store/columns.ts'
import {
  all,
  alone,
  type Command,
  holding,
  inOneFlight,
  lastly,
  patient,
  read,
  type Step,
  write,
} from '../../store/query.ts'
import {
  awaitedReferences,
  type ClaimedPush,
  longestName,
  type Push,
  type PushState,
  pushHold,
  pushKey,
  pushLanes,
  pushNames,
} from './push-records.ts'

/** The outcome of a push that is not tried again. */
export interface SettledPush {
  outcome: Exclude<PushState, 'waiting' | 'failed'>
  /** In words. */
  detail: string
  /** Its names for payments that are not here: references or ids of attempts. */
  names?: readonly string[]
  /** Those of them that an attempt may get later. */
  references?: readonly string[]
}

/** So many names of payments that are not here are kept of one push. */
const mostNames = 10

/** The outcome of a push, as its row has it. */
function settledColumns({ outcome, detail, names = [] }: SettledPush) {
  const kept = names.slice(0, mostNames).map((name) => name.slice(0, longestName))
  return {
    outcome: detail,
    trouble: outcome === 'processed' ? undefined : outcome,
    names: kept.length === 0 ? undefined : JSON.stringify(kept),
  }
}

export interface FailedPush {
  dueAt: number
  failure: string
  /** The failure is its own: its lane does not count it. */
  aboutPush: boolean
  /** The service asked for so many milliseconds without a call. */
  pause?: number
}

const callOf = ({ shopId, adapter, key, owner }: ClaimedPush) => ({ shopId, adapter, pushKey: key, owner })

function pushQueries(db: Db) {
  const outcome = ['due_at', 'outcome', 'trouble', 'names'] as const
  return {
    // Its content is deleted; its outcome stays.
    settle: db.setColumns('pushes', [...outcome, 'sealed', 'processed_at'], [...pushKey, 'times']),
    park: db.setColumns('pushes', [...outcome], [...pushKey, 'times', 'owner']),
    known: db.rowsBy('pushes', [...pushKey]),
    // A processed push starts again.
    keep: db.text<unknown>`
      insert into pushes (shop_id, adapter, push_key, lane, sealed, received_at, times, due_at)
        values (${value('shopId')}, ${value('adapter')}, ${value('pushKey')}, ${value('lane')}, ${value('sealed')},
          ${value('now')}, 1, ${value('now')})
        on conflict (shop_id, adapter, push_key) do update set sealed = excluded.sealed, due_at = excluded.due_at,
          received_at = case when pushes.due_at is null then excluded.received_at else pushes.received_at end,
          times = pushes.times + 1, tries = 0, waits_for = null, recalls = 0, outcome = null, trouble = null, names = null`,
    dueAdapters: db.text<{ adapter: string }>`
      select adapter from lanes where adapter > '' and next_due <= ${value('now')} group by adapter`,
  }
}

const laneOf = ({ shopId, adapter }: Pick<Push, 'shopId' | 'adapter'>) => pushLane(shopId, adapter)

/** Stores pushes until they are processed, with their outcome. */
export function pushCommands(db: Db, removed: RemovedShops) {
  const { known, keep, settle, park, dueAdapters } = pushQueries(db)
  const calls = pushLanes(db)
  const names = pushNames(db, calls.lookSooner)

  /** One that came again meanwhile is due. */
  const released = (push: ClaimedPush) => [calls.release(callOf(push)), ...calls.lookSooner(laneOf(push))]

  const keeping = ({ shopId, adapter, key: pushKey, sealed }: Push, now: number): Step[] => {
    const lane = pushLane(shopId, adapter)
    return [keep({ shopId, adapter, pushKey, lane: lane.lane, sealed, now }), ...calls.lookSooner(lane)]
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
    claimPushes: write(function* (claim: Claim & { adapter: string }): Command<ClaimedPush[]> {
      yield* alone()
      return (yield* calls.claim(claim, claim.adapter)).map(({ row, owner, full }) => ({
        ...members(row, 'shop_id', 'adapter', 'received_at', 'times', 'tries'),
        key: row.push_key,
        // It waits, so it has its content.
        sealed: row.sealed!,
        ...{ owner, full },
      }))
    }),

    /** Renews claims of pushes. A push that another process has taken over stays with it. */
    renewPushes: patient(function* (leased: readonly ClaimedPush[], leaseUntil: number): Command<void> {
      yield* calls.renew(leased.map(callOf), leaseUntil)
    }),

    /** It is done: its body is forgotten, its outcome stays, its lane opens unless it was given up. One that came again stays due. */
    settlePush: patient(function* (push: ClaimedPush, became: SettledPush, now: number): Command<void> {
      const call = callOf(push)
      yield* holding(pushHold(push))
      const is = became.outcome === 'given_up' ? 'given up' : 'done'
      yield* calls.settle({ ...call, lane: laneOf(push).lane }, { is }, now, [
        ...names.forgotten(call, awaitedReferences(became.references)),
        settle({ ...call, times: push.times, processedAt: now, ...settledColumns(became) }),
        ...released(push),
      ])
    }),

    /**
     * It names references that no attempt has: due again at `until`, or at once when an attempt gets one of them, also where it got it
     * meanwhile. Its outcome is `unmatched` until then.
     */
    parkPush: patient(function* (push: ClaimedPush, unmatched: SettledPush, until: number, now: number) {
      const call = callOf(push)
      yield* holding(pushHold(push))
      const references = awaitedReferences(unmatched.references)
      const { lane } = laneOf(push)
      // Both in one flight: an attempt that gets a reference after this look does not wait for it.
      const [isKnown, seen] = yield* inOneFlight(names.isKnown(call, references), calls.known(lane))
      const dueAt = isKnown ? now : until
      const steps = [
        park({ ...call, times: push.times, dueAt, ...settledColumns(unmatched) }),
        ...names.awaited(call, references),
        ...released(push),
      ]
      yield* calls.settle({ ...call, lane }, { is: 'done' }, now, steps, seen)
    }),

    /**
     * It failed: due again at `dueAt`, unless another process has taken it over. The lane counts it, unless it is `aboutPush`. If the lane is
     * closed then, the push is due with the next probe. Resolves with the time when it is due.
     */
    postponePush: patient(function* (push: ClaimedPush, { aboutPush, ...failed }: FailedPush, now: number) {
      yield* holding(pushHold(push))
      const is = aboutPush ? 'refused' : 'failed'
      const call = { ...callOf(push), lane: laneOf(push).lane }
      return (yield* calls.settle(call, { is, ...failed }, now, []))!
    }),
  }

  return { commands, calls, names }
}

export type PushCommands = ReturnType<typeof pushCommands>
