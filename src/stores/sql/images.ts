import { type Kysely, sql } from 'kysely'
import type { StoredImage } from '../../store.ts'
import { columns, matching, replaced } from './columns.ts'
import type { Commands } from './port.ts'
import { administration, first, prepare, writeHolding } from './query.ts'
import type { Tables } from './tables.ts'

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

/** Creates the table of images. */
export async function addImages({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('images')
    .addColumn('source', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('width', 'integer', (column) => column.notNull())
    .addColumn('height', 'integer', (column) => column.notNull())
    .addColumn('content', 'text', (column) => column.notNull())
    .addColumn('fetched_at', 'bigint', (column) => column.notNull())
    .execute()
  await schema.createIndex('images_by_name').on('images').column('name').execute()
}

/** Images belong to a shop. Those kept before are fetched again. */
export async function addShopsOfImages({ schema }: Kysely<unknown>): Promise<void> {
  await schema.dropTable('images').execute()
  await schema
    .createTable('images')
    .addColumn('shop_id', 'text', (column) => column.notNull())
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('width', 'integer', (column) => column.notNull())
    .addColumn('height', 'integer', (column) => column.notNull())
    .addColumn('content', 'text', (column) => column.notNull())
    .addColumn('fetched_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('images_key', ['shop_id', 'source'])
    .execute()
  await schema.createIndex('images_by_name').on('images').column('name').execute()
}
