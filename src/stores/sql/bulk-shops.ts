import { type Kysely, sql } from 'kysely'
import { byProvider } from '../../audit.ts'
import { type AddedShop, ShopsExist } from '../../store.ts'
import { columns } from './columns.ts'
import type { Commands } from './port.ts'
import { ask, type Command, holding, prepare, type Step, together } from './query.ts'
import type { Tables } from './tables.ts'

/** Queries in one flight to a server. */
const perFlight = 1_000

/** Many shops at once, all or none. */
export function bulkShopCommands(db: Kysely<Tables>) {
  const byId = prepare((value) => db.selectFrom('shops').select('id').where('id', '=', value('id')))
  const addShop = prepare((value) =>
    db
      .insertInto('shops')
      .values({
        ...columns(value, 'id', 'platform_id', 'hosts_confirmed', 'sealed_settings', 'settings_version'),
        created_at: value('now'),
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id'),
  )
  const addHost = prepare((value) =>
    db
      .insertInto('shop_hosts')
      .values({ shop_id: value('id'), host: value('host'), added_at: value('now') })
      .onConflict((conflict) => conflict.doNothing()),
  )
  const addEndpoint = prepare((value) =>
    db.insertInto('endpoints').values({
      token_hash: value('tokenHash'),
      shop_id: value('id'),
      sealed_token: value('sealedToken'),
      created_at: value('now'),
    }),
  )
  const logAdded = prepare((value) =>
    db.insertInto('audit').values({
      shop_id: value('id'),
      at: value('now'),
      author: value('by'),
      action: sql.lit('shop.added'),
      detail: value('detail'),
    }),
  )

  function* flights(steps: Step[]): Command<unknown[][]> {
    const rows: unknown[][] = []
    for (let from = 0; from < steps.length; from += perFlight)
      rows.push(...(yield* together(...steps.slice(from, from + perFlight))))
    return rows
  }

  /** The rows of a new shop. */
  function rowsOf({ id, endpoint, start }: AddedShop): Step[] {
    const { platformId, hosts, settings, by = byProvider } = start
    const { tokenHash, sealedToken, now } = endpoint
    const detail = JSON.stringify({ platformId, hosts, settings })
    return [
      ...(hosts ?? []).map((host) => ask(addHost, { id, host, now })),
      ask(addEndpoint, { id, tokenHash, sealedToken, now }),
      ask(logAdded, { id, now, by, detail }),
    ]
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
      const added = yield* flights(
        shops.map(({ id, endpoint: { now }, start: { platformId, hosts, sealedSettings } }) =>
          ask(addShop, {
            id,
            now,
            platformId,
            sealedSettings,
            hostsConfirmed: hosts ? 1 : 0,
            // As for a shop whose settings are saved after it was added.
            settingsVersion: sealedSettings === undefined ? now : now + 1,
          }),
        ),
      )
      const there = shops.filter((_, place) => added[place]?.length === 0)
      // This ends the transaction: nothing is added.
      if (there.length > 0) throw new ShopsExist(there.map(({ id }) => id))
      yield* flights(shops.flatMap(rowsOf))
    },
  } satisfies Partial<Commands>
}
