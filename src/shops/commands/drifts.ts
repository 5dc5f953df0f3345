import { adding, type Db, ifGiven, type Plain, plain, value } from '../../store/columns.ts'
import { all, type Command, holding, lastly, read, write } from '../../store/query.ts'
import type { Tables } from '../../store/schema.ts'

/** A field that the contract does not know, or knows in another form. Never a value. Times are milliseconds since 1970. */
export type DriftRecord = Plain<Tables['drifts']>

export function driftCommands(db: Db) {
  const note = db.text<unknown>`${adding('drifts')} on conflict (shop_id, message, path, kind, became)
      do update set count = drifts.count + excluded.count, last_at = excluded.last_at`
  const latest = db.text<Tables['drifts']>`select * from drifts where ${ifGiven('shop_id')}
      order by last_at desc, shop_id, path limit ${value('limit')}`

  return {
    noteDrifts: write(function* (drifts: readonly DriftRecord[]): Command<void> {
      yield* holding('drifts')
      yield* lastly(...drifts.map((drift) => note({ ...drift })))
    }),

    /** Up to `limit` drifts of a shop, or of all, the latest first. */
    drifts: read(function* (filter: { shopId?: string | undefined; limit: number }) {
      return (yield* all(latest, filter)).map(plain)
    }),
  }
}
