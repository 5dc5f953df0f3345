import { type Kysely, sql } from 'kysely'
import type { LeasedPush } from '../../store/pushes.ts'
import { claimedPushColumns, claimedPushFrom } from './call-rows.ts'
import { LaneCalls } from './lane-calls.ts'
import type { Tables } from './schema.ts'

/** Pushes in lanes by adapter and shop. */
export const pushLanes = (db: Kysely<Tables>) =>
  new LaneCalls(db, {
    calls: 'pushes',
    lanes: 'push_lanes',
    byLane: ['adapter', 'shop_id'],
    keepsWaiting: sql<boolean>`(coalesce(trouble, '') = 'unmatched')`,
    claimedBy: ['adapter'],
    byCall: ['shop_id', 'adapter', 'push_key'],
    reads: claimedPushColumns,
    callFrom: claimedPushFrom,
    holds: ({ adapter, shopId }: { adapter: string; shopId: string }) => `push lane ${adapter} ${shopId}`,
    countsFull: false,
    recallsAtSuccess: true,
    failed: (value) => ({ outcome: value('failure'), trouble: sql.lit('failed') }),
  })

export type PushLanes = ReturnType<typeof pushLanes>

/** The hold of a write about one push. */
export const pushHold = (shopId: string, adapter: string, key: string) => `push ${shopId} ${adapter} ${key}`

export const callOf = ({ shopId, adapter, key, owner }: LeasedPush) => ({
  shopId,
  adapter,
  pushKey: key,
  owner,
})
