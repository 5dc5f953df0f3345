import { type RawBuilder, sql } from 'kysely'
import { afterFailure, freshLane, pushPace } from '../../../payments/lane.ts'
import type {
  LeasedPush,
  PushFilter,
  PushRecord,
  PushState,
  PushTrouble,
  SettledPush,
  UnmatchedPush,
} from '../../../store/pushes.ts'
import { type Db, matching, prepareText } from '../columns.ts'
import { patient, read, write } from '../port.ts'
import { all, ask, type Command, holding, type Place, type Query } from '../query.ts'
import { type PushRow, pushRecordFrom } from './call-rows.ts'
import { callOf, type PushLanes, pushHold, type pushNames } from './push-lanes.ts'

const settleQueries = (db: Db) => ({
  // Its content is deleted; its outcome stays.
  settle: prepareText(db)<unknown>(
    (value) => sql`update pushes set sealed = null, due_at = null, processed_at = ${value('now')},
        outcome = ${value('outcome')}, trouble = ${value('trouble')}, names = ${value('names')}
      where ${matching(value, 'shop_id', 'adapter', 'push_key', 'times')}`,
  ),
  park: prepareText(db)<unknown>(
    (value) => sql`update pushes set due_at = ${value('dueAt')}, outcome = ${value('outcome')},
        trouble = ${value('trouble')}, names = ${value('names')}, leased_until = null, owner = null
      where ${matching(value, 'shop_id', 'adapter', 'push_key', 'times', 'owner')}`,
  ),
  // A push that came again meanwhile stays due: its meaning may have changed.
  endLease: prepareText(db)<unknown>(
    (value) => sql`update pushes set leased_until = null, owner = null
      where ${matching(value, 'shop_id', 'adapter', 'push_key', 'owner')}`,
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
export function settlePushCommands(db: Db, { calls, names }: Parts) {
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

/** The longest name of a payment that is not here. */
const longestName = 200

export function pushRecordCommands(db: Db) {
  /** The conditions whose values are given. */
  const chosen = (value: Place) =>
    (
      [
        ['shopId', sql<boolean>`shop_id = ${value('shopId')}`],
        ['adapter', sql<boolean>`adapter = ${value('adapter')}`],
        ['key', sql<boolean>`substr(push_key, 1, length(${value('key')})) = ${value('key')}`],
        ['named', sql<boolean>`names like ${value('named')} escape ${sql.lit('!')}`],
      ] as const
    ).map(([name, condition]) => sql<boolean>`(cast(${value(name)} as text) is null or ${condition})`)
  const newest = (state: (value: Place) => RawBuilder<boolean>): Query<PushRow> =>
    prepareText(db)<PushRow>(
      (value) => sql`select * from pushes where ${sql.join([state(value), ...chosen(value)], sql` and `)}
        order by received_at desc limit ${value('limit')}`,
    )
  const every = newest(() => sql<boolean>`1 = 1`)
  const inTrouble = newest((value) => sql<boolean>`trouble = ${value('trouble')}`)
  const waiting = newest(() => sql<boolean>`due_at is not null and trouble is null`)
  const processed = newest(() => sql<boolean>`due_at is null and trouble is null`)
  const troubles = prepareText(db)<{ trouble: PushTrouble; count: number }>(
    (value) => sql`select trouble, count(*) as count from pushes
      where trouble is not null and trouble <> 'ignored' and received_at >= ${value('since')} group by trouble`,
  )

  function queryOf(outcome: PushState | undefined): Query<PushRow> {
    if (outcome === undefined) return every
    if (outcome === 'waiting') return waiting
    return outcome === 'processed' ? processed : inTrouble
  }

  return {
    /** Pushes of the last 30 days, with what became of them, newest first. */
    pushes: read(function* ({ outcome, name, ...filter }: PushFilter): Command<PushRecord[]> {
      if (name === undefined) {
        const values = { ...filter, trouble: outcome }
        return (yield* all(queryOf(outcome), values)).map(pushRecordFrom)
      }
      const values = { ...filter, trouble: 'unmatched', named: containing(name) }
      const records = (yield* all(inTrouble, values)).map(pushRecordFrom)
      // LIKE of SQLite takes capital and small letters for the same.
      return records.filter(({ names }) => names.includes(name))
    }),

    /** How many pushes since a moment are of each kind of trouble. */
    countPushTroubles: read(function* (since: number): Command<Partial<Record<PushTrouble, number>>> {
      const rows = yield* all(troubles, { since })
      return Object.fromEntries(rows.map(({ trouble, count }) => [trouble, count]))
    }),
  }
}

/** A list in JSON that has this text in it, as a pattern. */
const containing = (name: string) =>
  `%${JSON.stringify(name.slice(0, longestName)).replace(/[%_!]/g, '!$&')}%`
