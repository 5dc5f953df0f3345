import type { AuditAction, AuditEntry } from '../../audit.ts'
import { type Db, matching, type Row, value } from '../../store/columns.ts'
import { all, alone, type Command, read, type Step, together, write } from '../../store/query.ts'

const entryFrom = (row: Row<'audit'>): AuditEntry => ({
  ...{ shop: row.shop_id, at: row.at, by: row.author, action: row.action },
  ...JSON.parse(row.detail),
})

export interface AuditFilter {
  shopId: string
  /** Only entries from this moment on. */
  since?: number | undefined
  limit: number
}

/** The audit trail: who changed what, and when. Commands write their entry with their change, so that neither exists without the other. */
export function auditCommands(db: Db) {
  const add = db.addRow('audit')
  // Several entries of one moment are in the order of their changes.
  const newest = db.text<Row<'audit'>>`
    select * from audit where ${matching('shop_id')} and at >= ${value('since')}
      order by at desc, id desc limit ${value('limit')}`
  const prune = db.text<{ one: 1 }>`
    delete from audit where id in (select id from audit where at < ${value('before')}
      limit ${value('limit')}) returning 1 as one`

  const entry = (
    shopId: string,
    { at, by: author }: { at: number; by: string },
    { action, ...detail }: AuditAction,
  ): Step => add({ shopId, at, author, action, detail: JSON.stringify(detail) })

  function* logChange(...change: Parameters<typeof entry>): Command<void> {
    yield* together(entry(...change))
  }

  const commands = {
    /** The newest entries of a shop's audit trail, newest last. The trail outlives its shop. */
    auditTrail: read(function* ({ shopId, since = 0, limit }: AuditFilter): Command<AuditEntry[]> {
      return (yield* all(newest, { shopId, since, limit })).reverse().map(entryFrom)
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
