import { type Kysely, sql } from 'kysely'
import type { StoredImage } from '../../store.ts'
import { columns, matching, replaced } from './columns.ts'
import type { Commands } from './port.ts'
import { administration, first, prepare, writeHolding } from './query.ts'
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
    *keepImage(image) {
      yield* writeHolding([administration], keep, { ...image })
    },

    *image(by) {
      const row = yield* 'source' in by ? first(bySource, by) : first(byName, by)
      if (!row) return undefined
      const { fetched_at: fetchedAt, shop_id: shopId, ...image } = row
      return { ...image, shopId, fetchedAt } satisfies StoredImage
    },

    *dropImagesBut(shopId, logo = '', favicon = '') {
      yield* writeHolding([administration], drop, { shopId, logo, favicon })
    },
  } satisfies Partial<Commands>
}
