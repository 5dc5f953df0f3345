import { type Kysely, sql } from 'kysely'
import type { StoredImage } from '../../store/images.ts'
import { columns, matching, replaced } from './columns.ts'
import { read, write } from './port.ts'
import { administration, type Command, first, prepare, writeHolding } from './query.ts'
import { plain } from './rows.ts'
import type { Tables } from './schema.ts'

const members = ['name', 'type', 'width', 'height', 'content', 'fetched_at'] as const

export function imageCommands(db: Kysely<Tables>) {
  const keep = prepare((value) =>
    db
      .insertInto('images')
      .values(columns(value, 'shop_id', 'source', ...members))
      .onConflict((conflict) => conflict.columns(['shop_id', 'source']).doUpdateSet(replaced(...members))),
  )
  const bySource = prepare((value) =>
    db
      .selectFrom('images')
      .selectAll()
      .where(matching(value, 'shop_id', 'source')),
  )
  const byName = prepare((value) =>
    db.selectFrom('images').selectAll().where('name', '=', value('name')).limit(sql.lit(1)),
  )
  const drop = prepare((value) =>
    db
      .deleteFrom('images')
      .where(matching(value, 'shop_id'))
      .where(sql<boolean>`source not in (${value('logo')}, ${value('favicon')})`),
  )

  return {
    /** Keeps an image, in the place of an earlier one of this shop from the same address. */
    keepImage: write(function* (image: StoredImage): Command<void> {
      yield* writeHolding([administration], keep, { ...image })
    }),

    image: read(function* (
      by: { shopId: string; source: string } | { name: string },
    ): Command<StoredImage | undefined> {
      const row = yield* 'source' in by ? first(bySource, by) : first(byName, by)
      return row && plain(row)
    }),

    /** Erases the images of a shop but those of two addresses. */
    dropImagesBut: write(function* (
      shopId: string,
      logo: string | undefined = '',
      favicon: string | undefined = '',
    ): Command<void> {
      yield* writeHolding([administration], drop, { shopId, logo, favicon })
    }),
  }
}
