import { sql } from 'kysely'
import { type Db, plain, prepareText, type Row } from '../../store/columns.ts'
import { all, alone, type Command, first, read, write } from '../../store/query.ts'
import type { PaymentChange } from '../../store.ts'

// The feed of changes. A row is written in the commit of what changed, and gets its place in the feed when somebody reads: on several connections
// the order of ids is not the order of commits, and a reader must not step over a change that is committed later.

const changeFrom = ({
  id: _,
  place,
  shop_id: shop,
  attempt_id: attempt,
  ...row
}: Row<'changes'>): PaymentChange => ({
  ...plain(row),
  kind: row.kind as PaymentChange['kind'],
  cursor: String(place),
  shop,
  attempt,
})

/** Numbered in one commit at most. */
const most = 5_000

/** Reads the feed. */
export function changeCommands(db: Db) {
  const text = prepareText(db)
  const unplaced = text<{ id: number }>(() => sql`select id from changes where place is null limit 1`)
  // An update, so that readers on other connections wait.
  const lock = text<{ last_place: number }>(
    () => sql`update feeds set last_place = last_place where name = 'changes' returning last_place`,
  )
  const give = text<{ id: number }>(
    (value) => sql`update changes set place = cast(${value('last')} as bigint) + fresh.number
      from (select id, row_number() over (order by id) as number
        from (select id from changes where place is null order by id limit ${sql.lit(most)}) as front) as fresh
      where changes.id = fresh.id returning changes.id`,
  )
  const note = text<unknown>(
    (value) => sql`update feeds set last_place = ${value('last')} where name = 'changes'`,
  )
  const behind = text<Row<'changes'>>(
    (value) =>
      sql`select * from changes where place > ${value('after')} order by place limit ${value('limit')}`,
  )

  return {
    /** Gives new changes their places in the feed, some thousand at a time. Resolves with whether there may be more. */
    placeChanges: write(function* (): Command<boolean> {
      yield* alone('feed changes')
      if (!(yield* first(unplaced, {}))) return false
      const { last_place: last } = (yield* first(lock, {}))!
      const placed = yield* all(give, { last })
      yield* all(note, { last: last + placed.length })
      return placed.length === most
    }),

    /** The changes behind a place, in order. */
    changes: read(function* ({ after, limit }: { after: number; limit: number }): Command<PaymentChange[]> {
      return (yield* all(behind, { after, limit })).map(changeFrom)
    }),
  }
}
