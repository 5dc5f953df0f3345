import { sql } from 'kysely'
import { columns, type Db, ifGiven, type Plain, plain, prepareText } from '../../store/columns.ts'
import { all, ask, type Command, holding, lastly, prepare, read, write } from '../../store/query.ts'
import type { Tables } from '../../store/schema.ts'

const key = ['shop_id', 'message', 'path', 'kind', 'became'] as const

/** A field that the contract does not know, or knows in another form. Never a value. Times are milliseconds since 1970. */
export type DriftRecord = Plain<Tables['drifts']>

export function driftCommands(db: Db) {
  const note = prepare((value) =>
    db
      .insertInto('drifts')
      .values(columns(value, ...key, 'count', 'first_at', 'last_at'))
      .onConflict((conflict) =>
        conflict.columns(key).doUpdateSet({
          count: sql<number>`drifts.count + excluded.count`,
          last_at: sql<number>`excluded.last_at`,
        }),
      ),
  )
  const latest = prepareText(db)<Tables['drifts']>(
    (value) => sql`select * from drifts where ${ifGiven(value, 'shop_id')}
      order by last_at desc, shop_id, path limit ${value('limit')}`,
  )

  return {
    /** Adds the counts to those of before. */
    noteDrifts: write(function* (drifts: readonly DriftRecord[]): Command<void> {
      yield* holding('drifts')
      yield* lastly(...drifts.map((drift) => ask(note, { ...drift })))
    }),

    /** Up to `limit` drifts of a shop, or of all, the latest first. */
    drifts: read(function* (filter: { shopId?: string | undefined; limit: number }) {
      return (yield* all(latest, filter)).map(plain)
    }),
  }
}
