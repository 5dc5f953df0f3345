import { type Expression, type Kysely, type SqlBool, sql } from 'kysely'
import type { PushFilter, PushRecord, PushState, PushTrouble } from '../../store/pushes.ts'
import { type PushRow, pushRecord, pushRecordFrom } from './call-rows.ts'
import type { Place } from './columns.ts'
import { read } from './port.ts'
import { all, type Command, prepare, type Query } from './query.ts'
import type { Tables } from './schema.ts'

/** The longest name of a payment that is not here. */
export const longestName = 200

export function pushRecordCommands(db: Kysely<Tables>) {
  /** The conditions whose values are given. */
  const chosen = (value: Place) =>
    (
      [
        ['shopId', sql<SqlBool>`shop_id = ${value('shopId')}`],
        ['adapter', sql<SqlBool>`adapter = ${value('adapter')}`],
        ['key', sql<SqlBool>`substr(push_key, 1, length(${value('key')})) = ${value('key')}`],
        ['named', sql<SqlBool>`names like ${value('named')} escape ${sql.lit('!')}`],
      ] as const
    ).map(([name, condition]) => sql<SqlBool>`(cast(${value(name)} as text) is null or ${condition})`)
  const newest = (state: (value: Place) => Expression<SqlBool>): Query<PushRow> =>
    prepare((value) =>
      db
        .selectFrom('pushes')
        .select(pushRecord)
        .where(({ and }) => and([state(value), ...chosen(value)]))
        .orderBy('received_at', 'desc')
        .limit(value('limit')),
    )
  const every = newest(() => sql<SqlBool>`1 = 1`)
  const inTrouble = newest((value) => sql<SqlBool>`trouble = ${value('trouble')}`)
  const waiting = newest(() => sql<SqlBool>`due_at is not null and trouble is null`)
  const processed = newest(() => sql<SqlBool>`due_at is null and trouble is null`)
  const troubles = prepare((value) =>
    db
      .selectFrom('pushes')
      .select(['trouble', sql<number>`count(*)`.as('count')])
      .where('trouble', 'is not', null)
      .where('trouble', '<>', sql.lit('ignored'))
      .where('received_at', '>=', value('since'))
      .groupBy('trouble'),
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
      return Object.fromEntries(rows.map(({ trouble, count }) => [trouble!, Number(count)]))
    }),
  }
}

/** A list in JSON that has this text in it, as a pattern. */
const containing = (name: string) =>
  `%${JSON.stringify(name.slice(0, longestName)).replace(/[%_!]/g, '!$&')}%`
