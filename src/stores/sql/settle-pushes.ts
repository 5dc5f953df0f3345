import { type Kysely, sql } from 'kysely'
import { afterFailure, freshLane, pushPace } from '../../payments/lane.ts'
import type { LeasedPush, SettledPush, UnmatchedPush } from '../../store/pushes.ts'
import { columns, matching } from './columns.ts'
import { patient, write } from './port.ts'
import { callOf, type PushLanes, pushHold, type pushNames } from './push-lanes.ts'
import { longestName } from './push-records.ts'
import { ask, type Command, holding, prepare } from './query.ts'
import type { Tables } from './schema.ts'

const settleQueries = (db: Kysely<Tables>) => ({
  settle: prepare((value) =>
    db
      .updateTable('pushes')
      .set({
        // Its content is deleted; its outcome stays.
        sealed: sql<null>`null`,
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
})

/** So many names of payments that are not here are kept of one push. */
const mostNames = 10

const keptNames = (names: readonly string[] = []): string[] =>
  names.slice(0, mostNames).map((name) => name.slice(0, longestName))

/** A push may bring hundreds of events, such as a batch of a night. A start notes references of up to 255 characters. */
const mostReferences = 1_000
const longestReference = 255

/** The references that a push waits for. One that is longer than any of a start is never noted. */
const awaitedReferences = (references: readonly string[] = []): string[] =>
  [...new Set(references)].filter(({ length }) => length <= longestReference).slice(0, mostReferences)

/** The outcome of a push, as its row has it. */
function settledColumns({ outcome, detail, names }: SettledPush) {
  const kept = keptNames(names)
  return {
    outcome: detail,
    trouble: outcome === 'processed' ? null : outcome,
    names: kept.length === 0 ? null : JSON.stringify(kept),
  }
}

interface Parts {
  calls: PushLanes
  names: ReturnType<typeof pushNames>
}

/** Ends the lease of a push: it is settled, parked, or due again. */
export function settlePushCommands(db: Kysely<Tables>, { calls, names }: Parts) {
  const { settle, park, endLease } = settleQueries(db)

  return {
    /** It is done: its body is forgotten, its outcome stays, its lane opens unless it was given up. One that came again stays due. */
    settlePush: patient(function* (
      push: LeasedPush & { times: number },
      became: SettledPush,
      now: number,
    ): Command<void> {
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
    }),

    /**
     * It failed: due again at `dueAt`, unless another process has taken it over. The lane counts it, unless it is `aboutPush`. If the lane is
     * closed then, the push is due with the next probe. `pause`: the service asked for so many milliseconds without a call. Resolves with the
     * time when it is due.
     */
    postponePush: patient(function* (
      push: LeasedPush,
      {
        dueAt: byItself,
        failure,
        aboutPush,
        pause: retryAfter = 0,
      }: { dueAt: number; failure: string; aboutPush: boolean; pause?: number },
      now: number,
    ): Command<number> {
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
    }),

    /** A payment service failed while a push was verified, which is not kept: its lane counts it. `pause` as in `postponePush`. */
    failPushLane: write(function* (
      lane: { adapter: string; shopId: string },
      { message: failure, pause: retryAfter }: { message: string; pause: number },
      now: number,
    ): Command<void> {
      const was = yield* calls.hold(lane)
      const becomes = afterFailure(was, { now, failure, pace: pushPace, retryAfter })
      yield* calls.change(lane, { was, becomes, now, more: [calls.lookSooner(lane)] })
    }),
  }
}
