import { afterFailure, freshLane, type Lane, pushPace } from '../../queue/lane.ts'
import { pushLane } from '../../queue/lanes.ts'
import { type Db, setColumns } from '../../store/columns.ts'
import { patient, write } from '../../store/port.ts'
import { ask, type Command, holding } from '../../store/query.ts'
import {
  awaitedReferences,
  type ClaimedPush,
  pushHold,
  pushKey,
  type pushLanes,
  type pushNames,
} from './push-lanes.ts'
import { longestName, type PushState } from './push-records.ts'

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

export const callOf = ({
  shopId,
  adapter,
  key: pushKey,
  owner,
}: Pick<ClaimedPush, 'shopId' | 'adapter' | 'key' | 'owner'>) => ({ shopId, adapter, pushKey, owner })

/** The lane after a success: its other side works. */
const afterSuccess = (was: Lane): Lane => (was.failures > 0 ? freshLane : was)

export interface FailedPush {
  dueAt: number
  failure: string
  /** The failure is its own: its lane does not count it. */
  aboutPush: boolean
  /** The service asked for so many milliseconds without a call. */
  pause?: number
}

/** Ends the lease of a push: it is settled, parked, or due again. */
export function settlePushCommands(
  db: Db,
  { calls, names }: { calls: ReturnType<typeof pushLanes>; names: ReturnType<typeof pushNames> },
) {
  const outcome = ['due_at', 'outcome', 'trouble', 'names'] as const
  // Its content is deleted; its outcome stays.
  const settle = setColumns(db, 'pushes', [...outcome, 'sealed', 'processed_at'], [...pushKey, 'times'])
  const park = setColumns(db, 'pushes', [...outcome], [...pushKey, 'times', 'owner'])

  return {
    /** It is done: its body is forgotten, its outcome stays, its lane opens unless it was given up. One that came again stays due. */
    settlePush: patient(function* (push: ClaimedPush, became: SettledPush, now: number): Command<void> {
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
      push: ClaimedPush,
      unmatched: SettledPush,
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
      push: ClaimedPush,
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
