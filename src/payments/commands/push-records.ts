import { type RawBuilder, sql } from 'kysely'
import { laneCalls } from '../../queue/lane-calls.ts'
import { type LaneNames, pushLane, pushPace } from '../../queue/lanes.ts'
import {
  addNewRow,
  type Db,
  deleteBy,
  ifGiven,
  matching,
  members,
  prepareText,
  type Row,
} from '../../store/columns.ts'
import {
  all,
  ask,
  type Command,
  type Parameter,
  type Query,
  read,
  type Step,
  together,
} from '../../store/query.ts'
import type { PushTrouble } from '../../store/schema.ts'

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
  const eachName = (query: Query<unknown>) => (push: Record<string, string>, references: readonly string[]) =>
    references.map((name): Step => ask(query, { ...push, name }))

  return {
    /** Whether an attempt has one of these references. */
    *isKnown({ shopId, adapter }: Record<string, string>, references: readonly string[]): Command<boolean> {
      const found = yield* together(
        ...references.map((reference) => ask(known, { shopId, adapter, reference })),
      )
      return found.some((rows) => rows.length > 0)
    },

    awaited: eachName(add),
    forgotten: eachName(remove),

    /** Where the pushes are that wait for an attempt of `adapter` with `reference`. */
    waitingFor,

    /** They wait no longer: an attempt has this reference. */
    makingDue: (of: { shopId: string; adapter: string; reference: string | undefined }): Step[] => [
      ...[ask(dueAtOnce, of), ask(removeAll, of)],
      ...lookSooner(pushLane(of.shopId, of.adapter)),
    ],
  }
}

/** How a push stands. `waiting`: it was not tried yet. `ignored`: its adapter says that it is about no payment here. */
export type PushState = 'waiting' | 'processed' | 'ignored' | PushTrouble

export interface PushFilter {
  shopId?: string | undefined
  adapter?: string | undefined
  outcome?: PushState | undefined
  /** The beginning of its key. */
  key?: string | undefined
  /** Only pushes that are `unmatched` and call a payment so. */
  name?: string | undefined
  limit: number
}

/** So much of a name of a payment that is not here is kept. */
export const longestName = 200

export type PushRecord = ReturnType<typeof recordFrom>

const recordFrom = (row: Row<'pushes'>) => ({
  ...members(row, 'shop_id', 'adapter', 'received_at', 'times', 'tries', 'due_at', 'processed_at'),
  key: row.push_key,
  outcome: row.trouble ?? (row.due_at === null ? 'processed' : ('waiting' as const)),
  /** The outcome of it or of its last try, in words. Not set while it waits for its first one. */
  detail: row.outcome ?? undefined,
  names: row.names === null ? [] : (JSON.parse(row.names) as string[]),
})

/** Pushes for people: what became of them. */
export function pushRecordCommands(db: Db) {
  const text = prepareText(db)
  const newest = (state: (value: Parameter) => RawBuilder<unknown>) =>
    text<Row<'pushes'>>(
      (value) => sql`select * from pushes
        where ${state(value)} and ${ifGiven(value, 'shop_id')} and ${ifGiven(value, 'adapter')}
          and (cast(${value('key')} as text) is null or substr(push_key, 1, length(${value('key')})) = ${value('key')})
          and (cast(${value('named')} as text) is null or names like ${value('named')} escape ${sql.lit('!')})
        order by received_at desc limit ${value('limit')}`,
    )
  const every = newest(() => sql`1 = 1`)
  const inTrouble = newest((value) => sql`trouble = ${value('outcome')}`)
  const without: Partial<Record<PushState, Query<Row<'pushes'>>>> = {
    waiting: newest(() => sql`due_at is not null and trouble is null`),
    processed: newest(() => sql`due_at is null and trouble is null`),
  }
  const troubles = text<{ trouble: PushTrouble; count: number }>(
    (value) => sql`select trouble, count(*) as count from pushes
      where trouble is not null and trouble <> 'ignored' and received_at >= ${value('since')} group by trouble`,
  )

  return {
    /** Pushes of the last 30 days, with what became of them, newest first. */
    pushes: read(function* ({ name, ...filter }: PushFilter) {
      const outcome = name === undefined ? filter.outcome : 'unmatched'
      const query = outcome === undefined ? every : (without[outcome] ?? inTrouble)
      const named = name === undefined ? undefined : containing(name)
      const records = (yield* all(query, { ...filter, outcome, named })).map(recordFrom)
      // LIKE of SQLite takes capital and small letters for the same.
      return name === undefined ? records : records.filter(({ names }) => names.includes(name))
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
