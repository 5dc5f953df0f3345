import { type Kysely, sql } from 'kysely'
import type { CopyMark } from '../../store.ts'
import { columns, replaced } from './columns.ts'
import type { Commands } from './port.ts'
import { administration, all, alone, ask, prepare, type Step } from './query.ts'
import { copyMarkFrom, type Row } from './rows.ts'
import type { Tables } from './schema.ts'

// The marks of `purveyor db copy`: which store this one was copied to, and which one it is a copy of.

const markColumns = ['role', 'copy_id', 'other', 'state', 'began_at', 'ended_at', 'served_at'] as const

function markQueries(db: Kysely<Tables>) {
  return {
    list: prepare(() => db.selectFrom('store_copies').selectAll().orderBy('role')),
    put: prepare((value) =>
      db
        .insertInto('store_copies')
        .values(columns(value, ...markColumns))
        .onConflict((conflict) =>
          conflict
            .column('role')
            .doUpdateSet(replaced('copy_id', 'other', 'state', 'began_at', 'ended_at', 'served_at')),
        ),
    ),
    drop: prepare((value) => db.deleteFrom('store_copies').where('role', '=', value('role'))),
    served: prepare((value) =>
      db
        .updateTable('store_copies')
        .set({ served_at: value('now') })
        .where('role', '=', sql.lit('copy'))
        .where('served_at', 'is', null),
    ),
  }
}

/** The steps that read and write marks, for a copy that runs them on its own connection. */
export function markSteps(db: Kysely<Tables>) {
  const { list, put, drop } = markQueries(db)
  return {
    list: (): Step => ask(list, {}),
    from: (rows: readonly unknown[]): CopyMark[] => (rows as Row<'store_copies'>[]).map(copyMarkFrom),
    put: (mark: CopyMark): Step => ask(put, { ...mark }),
    drop: (role: CopyMark['role']): Step => ask(drop, { role }),
  }
}

export function copyCommands(db: Kysely<Tables>) {
  const { list, served } = markQueries(db)
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
