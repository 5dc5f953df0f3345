import { sql } from 'kysely'
import type { Claim } from '../../queue/lane-claims.ts'
import { pushLane } from '../../queue/lanes.ts'
import type { RemovedShops } from '../../shops/commands/new-shops.ts'
import { type Db, matching, prepareText, rowsBy } from '../../store/columns.ts'
import { patient, read, write } from '../../store/port.ts'
import { all, alone, ask, type Command, holding, inOneFlight, lastly, type Step } from '../../store/query.ts'
import { members, type Row } from '../../store/rows.ts'
import {
  type ClaimedPush,
  keptFrom,
  type Push,
  pushHold,
  pushKey,
  pushLanes,
  pushNames,
} from './push-lanes.ts'
import { callOf, settlePushCommands } from './settle-pushes.ts'

function pushQueries(db: Db) {
  const text = prepareText(db)
  return {
    known: rowsBy(db, 'pushes', [...pushKey]),
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
  }
}

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
      return (yield* calls.claim(claim, adapter)).map(({ row, owner, full }) => ({
        ...keptFrom(row),
        ...members(row, 'received_at', 'times', 'tries'),
        ...{ owner, full },
      }))
    }),

    /** Up to `limit` pushes of a shop through an adapter that are not processed yet, newest first. */
    waitingPushes: read(function* ({ adapter, shopId }: { adapter: string; shopId: string }, limit: number) {
      return (yield* all(waiting, { lane: pushLane(shopId, adapter).lane, limit })).map(keptFrom)
    }),

    /** Renews claims of pushes. A push that another process has taken over stays with it. */
    renewPushes: patient(function* (leased: readonly ClaimedPush[], leaseUntil: number): Command<void> {
      yield* calls.renew(leased.map(callOf), leaseUntil)
    }),
  }

  return { commands: { ...commands, ...settlePushCommands(db, { calls, names }) }, calls, names }
}

export type PushCommands = ReturnType<typeof pushCommands>
