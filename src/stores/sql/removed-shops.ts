import { type Kysely, sql } from 'kysely'
import { Gone } from '../../store/shops.ts'
import { type Command, first, prepare } from './query.ts'
import type { Tables } from './schema.ts'

// The id of a shop is of one life. The record of a removed shop keeps its id, and a shop that is added under the same name gets another one.

/** The records of removed shops, and the ids that names have by them. */
export function removedShops(db: Kysely<Tables>) {
  const shop = prepare((value) =>
    db.selectFrom('shops').select('disabled_at').where('id', '=', value('shopId')),
  )
  const record = prepare((value) =>
    db.selectFrom('removed_shops').select('id').where('id', '=', value('shopId')),
  )
  // No name has a dot, so `bikes.2` is never a name.
  const idOf = prepare((value) =>
    db
      .selectFrom('removed_shops')
      .select(
        sql<string>`case count(*) when 0 then cast(${value('name')} as text)
          else cast(${value('name')} as text) || '.' || (count(*) + 1) end`.as('id'),
      )
      .where('name', '=', value('name')),
  )

  return {
    record,
    /** The id of the shop of a name, or the id it would get if it were added now. */
    idOf,

    /** Throws `Gone` for a removed shop and, where it `serves`, for a disabled one. The locks of the command hold this until its commit. */
    *expect(shopId: string, serves = false): Command<void> {
      const found = yield* first(shop, { shopId })
      if (found ? serves && found.disabled_at !== null : yield* first(record, { shopId })) throw new Gone()
    },
  }
}

export type RemovedShops = ReturnType<typeof removedShops>
