import { type Kysely, sql } from 'kysely'
import type { CopyMark } from '../../store/copies.ts'
import { read, write } from './port.ts'
import { administration, all, alone, type Command, prepare } from './query.ts'
import { copyMarkFrom } from './rows.ts'
import type { Tables } from './schema.ts'

// The marks of `purveyor db copy`: which store this one was copied to, and which one it is a copy of.

export function copyCommands(db: Kysely<Tables>) {
  const list = prepare(() => db.selectFrom('store_copies').selectAll().orderBy('role'))
  const served = prepare((value) =>
    db
      .updateTable('store_copies')
      .set({ served_at: value('now') })
      .where('role', '=', sql.lit('copy'))
      .where('served_at', 'is', null),
  )
  return {
    /** The marks of a store: at most one as a source and one as a copy. */
    copyMarks: read(function* (): Command<CopyMark[]> {
      return (yield* all(list, {})).map(copyMarkFrom)
    }),

    /** A provider starts on this copy: the way back is a copy of its own from now on. In milliseconds since 1970. */
    noteServed: write(function* (now: number): Command<void> {
      yield* alone(administration)
      yield* all(served, { now })
    }),
  }
}
