import { type Kysely, sql } from 'kysely'
import type { Commands } from './port.ts'
import { administration, all, alone, prepare } from './query.ts'
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
    *copyMarks() {
      return (yield* all(list, {})).map(copyMarkFrom)
    },

    *noteServed(now) {
      yield* alone(administration)
      yield* all(served, { now })
    },
  } satisfies Partial<Commands>
}
