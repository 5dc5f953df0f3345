import { sql } from 'kysely'
import { laneCalls } from '../../queue/lane-calls.ts'
import { type LaneNames, pushLane, pushPace } from '../../queue/lanes.ts'
import { addNewRow, type Db, deleteBy, matching, prepareText, type Row } from '../../store/columns.ts'
import { ask, type Command, type Parameter, type Step, together } from '../../store/query.ts'

interface PushKey {
  shopId: string
  adapter: string
  /** A repeated push has the same key. */
  key: string
}

/** A push whose content the store cannot read. */
export interface Push extends PushKey {
  sealed: string
  /** When it first arrived, in milliseconds since 1970. */
  receivedAt: number
}

/** A claimed push: `times` is how often it arrived, `tries` counts its failed tries so far. */
export interface ClaimedPush extends Push {
  times: number
  tries: number
  /** The process that has claimed it. */
  owner: string
  /** More may be due in its lane than may be processed at a time. */
  full: boolean
}

export const pushKey = ['shop_id', 'adapter', 'push_key'] as const
/** The columns that a claim reads of a push. */
const claimedColumns = ['shop_id', 'adapter', 'push_key', 'sealed', 'received_at', 'times', 'tries'] as const

type ClaimedRow = Pick<Row<'pushes'>, (typeof claimedColumns)[number]>

/** Pushes in lanes by adapter and shop. */
export const pushLanes = (db: Db) =>
  laneCalls<ClaimedRow>(db, {
    calls: 'pushes',
    key: pushKey,
    reads: claimedColumns,
    pace: pushPace,
    recallsAtSuccess: true,
    keepsWaiting: sql`coalesce(trouble, '') = 'unmatched'`,
    failed: (value) => sql`, outcome = ${value('failure')}, trouble = 'failed'`,
  })

/** The hold of a write about one push. */
export const pushHold = ({ shopId, adapter, key }: PushKey) => `push ${shopId} ${adapter} ${key}`

/** A push may bring hundreds of events, such as a batch of a night. A start notes references of up to 255 characters. */
const mostReferences = 1_000
const longestReference = 255

/** The references that a push waits for. One that is longer than any of a start is never noted. */
export const awaitedReferences = (references: readonly string[] = []): string[] =>
  [...new Set(references)].filter(({ length }) => length <= longestReference).slice(0, mostReferences)

/** References that pushes name and no attempt has yet. A push is due again once a start notes one of them. */
export function pushNames(db: Db, lookSooner: (names: LaneNames) => Step[]) {
  const text = prepareText(db)
  const add = addNewRow(db, 'push_names')
  const remove = deleteBy(db, 'push_names', 'shop_id', 'name', 'adapter', 'push_key')
  const known = text<{ id: string }>(
    (value) =>
      sql`select id from attempts where ${matching(value, 'shop_id', 'adapter', 'reference')} limit 1`,
  )
  const waitingFor = (value: Parameter) =>
    sql`push_names where name = ${value('reference')} and ${matching(value, 'shop_id', 'adapter')}`
  const dueAtOnce = text<unknown>(
    (value) => sql`update pushes set due_at = received_at where due_at is not null
      and (shop_id, adapter, push_key) in (select shop_id, adapter, push_key from ${waitingFor(value)})`,
  )
  const removeAll = text<unknown>((value) => sql`delete from ${waitingFor(value)}`)

  return {
    /** Whether an attempt has one of these references. */
    *isKnown({ shopId, adapter }: Record<string, string>, references: readonly string[]): Command<boolean> {
      const found = yield* together(
        ...references.map((reference) => ask(known, { shopId, adapter, reference })),
      )
      return found.some((rows) => rows.length > 0)
    },

    awaited: (push: Record<string, string>, references: readonly string[]): Step[] =>
      references.map((name) => ask(add, { ...push, name })),

    forgotten: (push: Record<string, string>, references: readonly string[]): Step[] =>
      references.map((name) => ask(remove, { ...push, name })),

    /** Where the pushes are that wait for an attempt of `adapter` with `reference`. */
    waitingFor,

    /** They wait no longer: an attempt has this reference. */
    makingDue: (of: { shopId: string; adapter: string; reference: string | undefined }): Step[] => [
      ...[ask(dueAtOnce, of), ask(removeAll, of)],
      ...lookSooner(pushLane(of.shopId, of.adapter)),
    ],
  }
}
