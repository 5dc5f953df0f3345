import { type Kysely, sql } from 'kysely'
import { hashPageToken } from '../../payments/page-tokens.ts'
import type { Tables } from './tables.ts'

const batch = 1_000

/** Replaces page tokens by their hashes, so that a copy of the store opens no page. Existing addresses stay valid. */
export async function hashPageTokens(db: Kysely<Tables>): Promise<void> {
  let last = { id: '', shop_id: '' }
  for (;;) {
    const rows = await db
      .selectFrom('attempts')
      .select(['id', 'shop_id', 'page_hash'])
      .where(({ eb, refTuple, tuple }) => eb(refTuple('id', 'shop_id'), '>', tuple(last.id, last.shop_id)))
      .orderBy('id')
      .orderBy('shop_id')
      .limit(batch)
      .execute()
    if (rows.length === 0) return
    const hashed = rows.map((row) => sql`(${row.id}, ${row.shop_id}, ${hashPageToken(row.page_hash)})`)
    await sql`with hashed (id, shop_id, page_hash) as (values ${sql.join(hashed)})
      update attempts set page_hash = hashed.page_hash from hashed
      where attempts.id = hashed.id and attempts.shop_id = hashed.shop_id`.execute(db)
    last = rows.at(-1)!
  }
}
