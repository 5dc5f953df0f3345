import type { Kysely } from 'kysely'
import { ShopsExist } from '../../store.ts'
import type { NewShops } from './new-shops.ts'
import type { Commands } from './port.ts'
import { ask, type Command, holding, prepare, type Step, together } from './query.ts'
import type { Tables } from './tables.ts'

/** Queries in one flight to a server. */
const perFlight = 1_000

/** Many shops at once, all or none. */
export function bulkShopCommands(db: Kysely<Tables>, rows: NewShops) {
  const byId = prepare((value) => db.selectFrom('shops').select('id').where('id', '=', value('id')))

  function* flights(steps: Step[]): Command<unknown[][]> {
    const found: unknown[][] = []
    for (let from = 0; from < steps.length; from += perFlight)
      found.push(...(yield* together(...steps.slice(from, from + perFlight))))
    return found
  }

  return {
    *shopsAmong(ids) {
      const found = (yield* flights(ids.map((id) => ask(byId, { id })))) as { id: string }[][]
      return found.flatMap(([row]) => (row ? [row.id] : []))
    },

    *addShops(given) {
      yield* holding()
      // Always in the same order, so that two calls never wait for each other.
      const shops = given.toSorted((a, b) => (a.id < b.id ? -1 : 1))
      const added = yield* flights(shops.map(rows.shop))
      const there = shops.filter((_, place) => added[place]?.length === 0)
      // This ends the transaction: nothing is added.
      if (there.length > 0) throw new ShopsExist(there.map(({ id }) => id))
      yield* flights(shops.flatMap(rows.others))
    },
  } satisfies Partial<Commands>
}
