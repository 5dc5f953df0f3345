import { type RawBuilder, sql } from 'kysely'
import { type Db, ifGiven, members, prepareText, type Row } from '../../store/columns.ts'
import { all, type Command, type Parameter, type Query, read } from '../../store/query.ts'
import type { PushTrouble } from '../../store/schema.ts'

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
