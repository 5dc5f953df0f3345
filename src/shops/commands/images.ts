import { type Db, matching, type Plain, plain, value } from '../../store/columns.ts'
import { administration, type Command, first, read, write, writeHolding } from '../../store/query.ts'
import type { Tables } from '../../store/schema.ts'

export type StoredImage = Plain<Tables['images']>

export function imageCommands(db: Db) {
  const keep = db.putRow('images')
  const bySource = db.rowsBy('images', ['shop_id', 'source'])
  const byName = db.text<Tables['images']>`select * from images where ${matching('name')} limit 1`
  const drop = db.text<unknown>`delete from images where ${matching('shop_id')}
      and source not in (${value('logo')}, ${value('favicon')})`

  return {
    /** Keeps an image, in the place of an earlier one of this shop from the same address. */
    keepImage: write(function* (image: StoredImage): Command<void> {
      yield* writeHolding([administration], keep, { ...image })
    }),

    image: read(function* (by: { shopId: string; source: string } | { name: string }) {
      const row = yield* 'source' in by ? first(bySource, by) : first(byName, by)
      return row && plain(row)
    }),

    /** Erases the images of a shop but those of two addresses. */
    dropImagesBut: write(function* (shopId: string, logo = '', favicon = ''): Command<void> {
      yield* writeHolding([administration], drop, { shopId, logo, favicon })
    }),
  }
}
