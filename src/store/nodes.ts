import { type Db, type NodeSeen, nodeFrom, type Plain, plain, type Row, value } from './columns.ts'
import { administration, all, alone, type Command, read, together, write, writeHolding } from './query.ts'

export type CopyMark = Omit<Plain<Row<'store_copies'>>, 'servedAt'> & { servedAt?: number | undefined }

/** The nodes of a store, and the marks of `purveyor db copy`: to which store this one was copied, and of which one it is a copy. */
export function nodeCommands(db: Db) {
  const note = db.putRow('nodes')
  const dropSilent = db.deleteBefore('nodes', 'seen_at')
  const drop = db.deleteBy('nodes', 'id')
  const everyOne = db.rowsBy('nodes', [], 'id')
  const marks = db.rowsBy('store_copies', [], 'role')
  const noteServed = db.text<unknown>`
    update store_copies set served_at = ${value('now')} where role = 'copy' and served_at is null`

  return {
    /** The marks of a store: at most one as a source and one as a copy. */
    copyMarks: read(function* () {
      return (yield* all(marks, {})).map(plain)
    }),

    /** A provider starts on this copy: the way back is a copy of its own from now on. In milliseconds since 1970. */
    noteServed: write(function* (now: number): Command<void> {
      yield* alone(administration)
      yield* all(noteServed, { now })
    }),

    /** Marks a node as running, and removes nodes not seen since the given time. Resolves with all that are left. */
    noteNode: write(function* (
      { id, opens, runs }: Omit<NodeSeen, 'seenAt'>,
      { now, since }: { now: number; since: number },
    ): Command<NodeSeen[]> {
      yield* alone('nodes')
      const [, , rows] = yield* together(
        note({ id, opens: opens.join(' '), seenAt: now, ...runs }),
        dropSilent({ before: since }),
        everyOne({}),
      )
      return rows.map(nodeFrom)
    }),

    /** The nodes that were seen since a moment, by their ids. */
    nodes: read(function* (since: number): Command<NodeSeen[]> {
      const rows = yield* all(everyOne, {})
      return rows.filter(({ seen_at }) => seen_at >= since).map(nodeFrom)
    }),

    forgetNode: write(function* (id: string): Command<void> {
      yield* writeHolding(['nodes'], drop, { id })
    }),
  }
}
