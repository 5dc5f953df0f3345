import type { Kysely } from 'kysely'
import { columns, replaced } from './columns.ts'
import type { Commands } from './port.ts'
import { all, alone, ask, prepare, together, writeHolding } from './query.ts'
import { nodeFrom } from './rows.ts'
import type { Tables } from './schema.ts'

export function nodeCommands(db: Kysely<Tables>) {
  const note = prepare((value) =>
    db
      .insertInto('nodes')
      .values(
        columns(
          value,
          'id',
          'opens',
          'seen_at',
          'host',
          'pid',
          'main_pid',
          'version',
          'build',
          'since',
          'url',
        ),
      )
      .onConflict((conflict) => conflict.column('id').doUpdateSet(replaced('opens', 'seen_at', 'url'))),
  )
  const dropSilent = prepare((value) => db.deleteFrom('nodes').where('seen_at', '<', value('before')))
  const drop = prepare((value) => db.deleteFrom('nodes').where('id', '=', value('id')))
  const everyOne = prepare(() => db.selectFrom('nodes').selectAll().orderBy('id'))

  return {
    *noteNode({ id, opens, runs }, { now, since }) {
      yield* alone('nodes')
      const [, , rows] = yield* together(
        ask(note, { id, opens: opens.join(' '), seenAt: now, ...runs }),
        ask(dropSilent, { before: since }),
        ask(everyOne, {}),
      )
      return rows.map(nodeFrom)
    },

    *nodes(since) {
      const rows = yield* all(everyOne, {})
      return rows.filter(({ seen_at }) => seen_at >= since).map(nodeFrom)
    },

    *forgetNode(id) {
      yield* writeHolding(['nodes'], drop, { id })
    },
  } satisfies Partial<Commands>
}
