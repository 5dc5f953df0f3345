import { type Kysely, sql } from 'kysely'
import type { AuditAction, AuditEntry } from '../../audit.ts'
import type { AuditFilter } from '../../store/administration.ts'
import { addRow } from './columns.ts'
import { read, write } from './port.ts'
import { all, alone, ask, type Command, prepare, type Step, together } from './query.ts'
import { auditEntryFrom } from './rows.ts'
import type { Tables } from './schema.ts'

/** The audit trail: who changed what, and when. Commands write their entry with their change, so that neither exists without the other. */
export function auditCommands(db: Kysely<Tables>) {
  const add = addRow(db, 'audit', 'shop_id', 'at', 'author', 'action', 'detail')
  const newest = prepare((value) =>
    db
      .selectFrom('audit')
      .selectAll()
      .where('shop_id', '=', value('shopId'))
      .where('at', '>=', value('since'))
      .orderBy('at', 'desc')
      // Several entries of one moment are in the order of their changes.
      .orderBy('id', 'desc')
      .limit(value('limit')),
  )
  const prune = prepare((value) =>
    db
      .deleteFrom('audit')
      .where('id', 'in', ({ selectFrom }) =>
        selectFrom('audit').select('audit.id').where('at', '<', value('before')).limit(value('limit')),
      )
      .returning(sql<number>`1`.as('one')),
  )

  /** The entry of a change, for the command that makes it. */
  const entry = (
    shopId: string,
    { at, by: author }: { at: number; by: string },
    { action, ...detail }: AuditAction,
  ): Step => ask(add, { shopId, at, author, action, detail: JSON.stringify(detail) })

  function* logChange(...change: Parameters<typeof entry>): Command<void> {
    yield* together(entry(...change))
  }

  const commands = {
    /** The newest entries of a shop's audit trail, newest last. The trail outlives its shop. */
    auditTrail: read(function* ({ shopId, since = 0, limit }: AuditFilter): Command<AuditEntry[]> {
      return (yield* all(newest, { shopId, since, limit })).reverse().map(auditEntryFrom)
    }),

    /** Deletes up to `limit` entries from before the given time. Resolves with their number. */
    pruneAuditTrail: write(function* ({ before, limit }: { before: number; limit: number }): Command<number> {
      yield* alone()
      return (yield* all(prune, { before, limit })).length
    }),
  }

  return { ...commands, entry, logChange }
}

export type AuditCommands = ReturnType<typeof auditCommands>
