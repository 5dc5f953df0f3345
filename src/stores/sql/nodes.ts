import { type Kysely, sql } from 'kysely'
import type { CopyMark } from '../../store/copies.ts'
import type { Node, NodeSeen } from '../../store/nodes.ts'
import { columns, replaced } from './columns.ts'
import { read, write } from './port.ts'
import { administration, all, alone, ask, type Command, prepare, together, writeHolding } from './query.ts'
import { copyMarkFrom, nodeFrom } from './rows.ts'
import type { Tables } from './schema.ts'

/** The nodes of a store, and the marks of `purveyor db copy`: to which store this one was copied, and of which one it is a copy. */
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

  const marks = prepare(() => db.selectFrom('store_copies').selectAll().orderBy('role'))
  const noteServed = prepare((value) =>
    db
      .updateTable('store_copies')
      .set({ served_at: value('now') })
      .where('role', '=', sql.lit('copy'))
      .where('served_at', 'is', null),
  )

  return {
    /** The marks of a store: at most one as a source and one as a copy. */
    copyMarks: read(function* (): Command<CopyMark[]> {
      return (yield* all(marks, {})).map(copyMarkFrom)
    }),

    /** A provider starts on this copy: the way back is a copy of its own from now on. In milliseconds since 1970. */
    noteServed: write(function* (now: number): Command<void> {
      yield* alone(administration)
      yield* all(noteServed, { now })
    }),

    /** Marks a node as running, and removes nodes not seen since the given time. Resolves with all that are left. */
    noteNode: write(function* (
      { id, opens, runs }: Node,
      { now, since }: { now: number; since: number },
    ): Command<NodeSeen[]> {
      yield* alone('nodes')
      const [, , rows] = yield* together(
        ask(note, { id, opens: opens.join(' '), seenAt: now, ...runs }),
        ask(dropSilent, { before: since }),
        ask(everyOne, {}),
      )
      return rows.map(nodeFrom)
    }),

    /** The nodes that were seen since a moment, by their ids. */
    nodes: read(function* (since: number): Command<NodeSeen[]> {
      const rows = yield* all(everyOne, {})
      return rows.filter(({ seen_at }) => seen_at >= since).map(nodeFrom)
    }),

    /** The node has stopped. */
    forgetNode: write(function* (id: string): Command<void> {
      yield* writeHolding(['nodes'], drop, { id })
    }),
  }
}
