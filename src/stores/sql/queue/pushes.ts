import { sql } from 'kysely'
import type { ClaimedPush, KeptPush, LeasedPush, Push } from '../../../store/pushes.ts'
import type { Claim } from '../../../store/webhooks.ts'
import { columns, type Db, matching, prepareText, replaced, rowsBy } from '../columns.ts'
import type { RemovedShops } from '../new-shops.ts'
import { patient, read, write } from '../port.ts'
import { all, alone, ask, type Command, holding, inOneFlight, lastly, type Place, prepare } from '../query.ts'
import type { Row } from '../rows.ts'
import { keptPushFrom } from './call-rows.ts'
import { callOf, pushHold, pushLanes, pushNames } from './push-lanes.ts'
import { settlePushCommands } from './settle-pushes.ts'

/** A push with what it is when it comes first. */
const newPush = (db: Db, value: Place) =>
  db.insertInto('pushes').values({
    ...columns(value, 'shop_id', 'adapter', 'push_key', 'sealed'),
    received_at: value('now'),
    times: sql<number>`1`,
    due_at: value('now'),
  })

const pushKeyColumns = ['shop_id', 'adapter', 'push_key'] as const

const pushQueries = (db: Db) => ({
  keepOnce: prepare((value) =>
    newPush(db, value).onConflict((conflict) => conflict.columns(pushKeyColumns).doNothing()),
  ),
  known: rowsBy(db, 'pushes', [...pushKeyColumns]),
  keep: prepare((value) =>
    newPush(db, value).onConflict((conflict) =>
      conflict.columns(pushKeyColumns).doUpdateSet({
        ...replaced('sealed', 'due_at'),
        // A processed push starts again.
        received_at: sql`case when pushes.due_at is null then excluded.received_at else pushes.received_at end`,
        times: sql<number>`pushes.times + 1`,
        tries: sql<number>`0`,
        waits_for_lane: sql<number>`0`,
        recalls: sql<number>`0`,
        outcome: sql<null>`null`,
        trouble: sql<null>`null`,
        names: sql<null>`null`,
      }),
    ),
  ),
  dueAdapters: prepareText(db)<{ adapter: string }>(
    (value) => sql`select adapter from push_lanes where next_due <= ${value('now')} group by adapter`,
  ),
  waiting: prepareText(db)<Row<'pushes'>>(
    (value) => sql`select * from pushes where ${matching(value, 'adapter', 'shop_id')} and due_at is not null
      order by received_at desc limit ${value('limit')}`,
  ),
})

/** Stores pushes until they are processed, with their outcome, in lanes by adapter and shop. */
export function pushCommands(db: Db, removed: RemovedShops) {
  const calls = pushLanes(db)
  const { keep, keepOnce, known, dueAdapters, waiting } = pushQueries(db)
  const names = pushNames(db)

  const commands = {
    /** Stores a push until it is processed. A repeated one is processed again. */
    keepPush: write(function* ({ shopId, adapter, key: pushKey, sealed }: Push, now: number): Command<void> {
      yield* holding(pushHold(shopId, adapter, pushKey))
      yield* removed.expect(shopId)
      yield* lastly(
        ask(keep, { shopId, adapter, pushKey, sealed, now }),
        calls.lookSooner({ adapter, shopId }),
      )
    }),

    /** Stores a push that is processed once. A repeated one changes nothing. Resolves with whether it is new. */
    keepPushOnce: write(function* (
      { shopId, adapter, key: pushKey, sealed }: Push,
      now: number,
    ): Command<boolean> {
      yield* holding(pushHold(shopId, adapter, pushKey))
      const [[one]] = yield* inOneFlight(all(known, { shopId, adapter, pushKey }), removed.expect(shopId))
      if (one) return false
      yield* lastly(
        ask(keepOnce, { shopId, adapter, pushKey, sealed, now }),
        calls.lookSooner({ adapter, shopId }),
      )
      return true
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
      return yield* calls.claim(claim, { among: { adapter } })
    }),

    /** Up to `limit` pushes of a shop through an adapter that are not processed yet, newest first. */
    waitingPushes: read(function* (
      { adapter, shopId }: { adapter: string; shopId: string },
      limit: number,
    ): Command<KeptPush[]> {
      const rows = yield* all(waiting, { adapter, shopId, limit })
      return rows.map(keptPushFrom)
    }),

    /** Renews claims of pushes. A push that another process has taken over stays with it. */
    renewPushes: patient(function* (leased: readonly LeasedPush[], leaseUntil: number): Command<void> {
      yield* calls.renew(leased.map(callOf), leaseUntil)
    }),
  }

  return { commands: { ...commands, ...settlePushCommands(db, { calls, names }) }, calls, names }
}

export type PushCommands = ReturnType<typeof pushCommands>
