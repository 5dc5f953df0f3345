import type { Kysely } from 'kysely'
import type { NodeSeen } from '../../store.ts'
import { all, ask, type Command, holding, prepare, together } from './query.ts'
import type { Tables } from './tables.ts'

/** The processes that run on a store. */
export function nodeCommands(db: Kysely<Tables>) {
  const note = prepare((value) =>
    db
      .insertInto('nodes')
      .values({ id: value('id'), opens: value('opens'), seen_at: value('now') })
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet((excluded) => ({
          opens: excluded.ref('excluded.opens'),
          seen_at: excluded.ref('excluded.seen_at'),
        })),
      ),
  )
  const dropSilent = prepare((value) => db.deleteFrom('nodes').where('seen_at', '<', value('since')))
  const drop = prepare((value) => db.deleteFrom('nodes').where('id', '=', value('id')))
  const everyOne = prepare(() => db.selectFrom('nodes').selectAll().orderBy('id'))

  return {
    *noteNode({ id, opens }: NodeSeen, { now, since }: { now: number; since: number }): Command<NodeSeen[]> {
      yield* holding()
      const [, , rows] = yield* together(
        ask(note, { id, opens: opens.join(' '), now }),
        ask(dropSilent, { since }),
        ask(everyOne, {}),
      )
      return rows.map((row) => ({ id: row.id, opens: row.opens.split(' ') }))
    },

    *nodes(since: number): Command<NodeSeen[]> {
      const rows = yield* all(everyOne, {})
      return rows
        .filter(({ seen_at }) => seen_at >= since)
        .map((row) => ({ id: row.id, opens: row.opens.split(' ') }))
    },

    *forgetNode(id: string): Command<void> {
      yield* holding()
      yield* all(drop, { id })
    },
  }
}
