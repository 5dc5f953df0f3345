import { type Kysely, sql } from 'kysely'
import { matching, type Place } from './columns.ts'
import { all, type Command, prepare } from './query.ts'
import type { Tables } from './schema.ts'

/** Rows of a shop of which two are live at most, while one is changed for the next: its endpoints, and its webhook keys. */
export function twoLive<Table extends 'endpoints' | 'webhook_keys'>(
  tables: Kysely<Tables>,
  table: Table,
  key: string & keyof Tables[Table],
) {
  const db = tables as unknown as Kysely<Record<string, Tables[Table]>>
  const end = prepare((value) =>
    tables
      .updateTable(table as 'endpoints')
      .set({ expires_at: value('endsAt') })
      .where(sql.ref(key), '=', value('key')),
  )
  const dropOthers = prepare((value) =>
    tables
      .deleteFrom(table as 'endpoints')
      .where(matching(value, 'shop_id'))
      .where(sql.ref(key), '<>', value('key')),
  )
  const allLive = (value: Place) =>
    db
      .selectFrom(table as string)
      .selectAll()
      .where(sql<boolean>`(expires_at is null or expires_at > ${value('now')})`)
      // Of two created at the same time, the one without an end is newer.
      .orderBy(sql`expires_at is null`, 'desc')
      .orderBy(sql`created_at`, 'desc')

  return {
    /** Of one shop, the newest first. */
    live: prepare((value) => allLive(value).where(matching(value, 'shop_id'))),
    /** Of all shops, in the same order. */
    allLive: prepare(allLive),

    /** Makes room for one more: the newest ends at a moment, older ones at once. */
    *replace(shopId: string, newest: string | undefined, endsAt: number): Command<void> {
      yield* all(dropOthers, { shopId, key: newest ?? '' })
      if (newest !== undefined) yield* all(end, { key: newest, endsAt })
    },
  }
}
