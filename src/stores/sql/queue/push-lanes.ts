import { sql } from 'kysely'
import type { LeasedPush } from '../../../store/pushes.ts'
import { addNewRow, type Db, deleteBy, matching, prepareText } from '../columns.ts'
import { all, ask, type Command, type Place, type Step, together } from '../query.ts'
import type { Row } from '../rows.ts'
import { claimedPushColumns, claimedPushFrom } from './call-rows.ts'
import { LaneCalls } from './lane-calls.ts'

/** Pushes in lanes by adapter and shop. */
export const pushLanes = (db: Db) =>
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

export interface NamedPush {
  shopId: string
  adapter: string
  pushKey: string
}

/** References that pushes name and no attempt has yet. A push is due again once a start notes one of them. */
export function pushNames(db: Db) {
  const add = addNewRow(db, 'push_names')
  const remove = deleteBy(db, 'push_names', 'shop_id', 'name', 'adapter', 'push_key')
  const known = prepareText(db)<{ id: string }>(
    (value) =>
      sql`select id from attempts where ${matching(value, 'shop_id', 'adapter', 'reference')} limit 1`,
  )
  const waitingFor = (value: Place) =>
    sql`push_names where name = ${value('reference')} and ${matching(value, 'shop_id', 'adapter')}`
  const noted = prepareText(db)<Omit<Row<'push_names'>, 'shop_id'>>(
    (value) => sql`select name, adapter, push_key from ${waitingFor(value)}`,
  )
  const dueAtOnce = prepareText(db)<unknown>(
    (value) => sql`update pushes set due_at = received_at
      where ${matching(value, 'shop_id', 'adapter', 'push_key')} and due_at is not null`,
  )

  return {
    /** Whether an attempt has one of these references. */
    *isKnown({ shopId, adapter }: NamedPush, references: readonly string[]): Command<boolean> {
      const found = yield* together(
        ...references.map((reference) => ask(known, { shopId, adapter, reference })),
      )
      return found.some((rows) => rows.length > 0)
    },

    awaited: (push: NamedPush, references: readonly string[]): Step[] =>
      references.map((name) => ask(add, { ...push, name })),

    forgotten: (push: NamedPush, references: readonly string[]): Step[] =>
      references.map((name) => ask(remove, { ...push, name })),

    /** Where the pushes are that wait for an attempt of `adapter` with `reference`. */
    waitingFor,

    /** The same, before an attempt of the adapter stores its reference. */
    noted: (shopId: string, adapter: string, reference: string | undefined) =>
      all(noted, { shopId, adapter, reference }),

    makingDue(
      shopId: string,
      pushes: readonly { name: string; adapter: string; push_key: string }[],
      lookSooner: (lane: { adapter: string; shopId: string }) => Step,
    ): Step[] {
      if (pushes.length === 0) return []
      return [
        ...pushes.flatMap(({ name, adapter, push_key: pushKey }) => [
          ask(remove, { shopId, name, adapter, pushKey }),
          ask(dueAtOnce, { shopId, adapter, pushKey }),
        ]),
        lookSooner({ adapter: pushes[0]!.adapter, shopId }),
      ]
    },
  }
}
