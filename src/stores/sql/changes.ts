import { type Kysely, sql } from 'kysely'
import type { Learned } from '../../payments/moves.ts'
import type { Opened } from '../../payments/open.ts'
import type { PaymentChange } from '../../store/changes.ts'
import { columns } from './columns.ts'
import { read, write } from './port.ts'
import { all, alone, ask, type Command, first, prepare, type Step } from './query.ts'
import { changeFrom } from './rows.ts'
import type { Tables } from './schema.ts'

// The feed of changes. A row is written in the commit of what changed, and gets its place in the feed when somebody reads: on several connections
// the order of ids is not the order of commits, and a reader must not step over a change that is committed later.

/** Numbered in one commit at most. */
const most = 5_000

/** Writes the lines of the feed with the changes that they are about, and reads them. */
export function changeCommands(db: Kysely<Tables>) {
  const add = prepare((value) =>
    db.insertInto('changes').values({
      ...columns(value, 'shop_id', 'order_id', 'attempt_id', 'at', 'kind', 'event', 'amount', 'currency'),
      ...columns(value, 'status'),
    }),
  )
  const unplaced = prepare(() =>
    db.selectFrom('changes').select('id').where('place', 'is', null).limit(sql<number>`1`),
  )
  // An update, so that readers on other connections wait.
  const lock = prepare(() =>
    db
      .updateTable('feeds')
      .set({ last_place: sql.ref('last_place') })
      .where('name', '=', sql.lit('changes'))
      .returning('last_place'),
  )
  const give = prepare((value) => ({
    compile: () =>
      sql<{ id: number }>`update changes set place = cast(${value('last')} as bigint) + fresh.number
        from (select id, row_number() over (order by id) as number
          from (select id from changes where place is null order by id limit ${sql.lit(most)}) as front) as fresh
        where changes.id = fresh.id returning changes.id`.compile(db),
  }))
  const note = prepare((value) =>
    db
      .updateTable('feeds')
      .set({ last_place: value('last') })
      .where('name', '=', sql.lit('changes')),
  )
  const behind = prepare((value) =>
    db
      .selectFrom('changes')
      .selectAll()
      .where('place', '>', value('after'))
      .orderBy('place')
      .limit(value('limit')),
  )

  return {
    /** The line of a POST /payment. */
    opened({ payment, attempt }: Opened): Step {
      const { shopId, orderId, status } = payment
      const { id: attemptId, openedAt: at, amount, currency } = attempt
      return ask(add, { shopId, orderId, attemptId, at, kind: 'opened', amount, currency, status })
    },

    /** The lines of a report: one for each fact. */
    learned: ({ payment: { shopId, orderId, status }, added }: Learned, attemptId: string): Step[] =>
      added.map(({ kind, event, amount, currency, at }) =>
        ask(add, { shopId, orderId, attemptId, at, kind, event, amount, currency, status }),
      ),

    commands: {
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
    },
  }
}

export type ChangeCommands = ReturnType<typeof changeCommands>
