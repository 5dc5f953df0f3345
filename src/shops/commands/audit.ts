import { sql } from 'kysely'
import type { AuditAction, AuditEntry } from '../../audit.ts'
import { type Db, ifGiven, matching, type Row, value } from '../../store/columns.ts'
import { all, alone, type Command, holding, read, type Step, together, write } from '../../store/query.ts'

const entryFrom = (row: Row<'audit'>): AuditEntry => ({
  ...{ shop: row.shop_id, at: row.at, by: row.author, action: row.action },
  ...JSON.parse(row.detail),
})

export interface AuditFilter {
  /** Without it those of all shops, and of none. */
  shopId?: string | undefined
  since?: number | undefined
  limit: number
}

export interface AuditSearch extends AuditFilter {
  by?: string | undefined
  /** The action, or the part of it before its dot, such as `shop`. */
  action?: string | undefined
  /** Only entries before this one, by its number. */
  before?: number | undefined
}

type Who = { at: number; by: string }

/** The audit trail: who changed what, and when. Commands write their entry with their change, so that neither exists without the other. */
export function auditCommands(db: Db) {
  const add = db.addRow('audit')
  // Several entries of one moment are in the order of their changes.
  const newest = db.text<Row<'audit'>>`
    select * from audit where ${ifGiven('shop_id')} and at >= ${value('since')}
      and (cast(${value('before')} as bigint) is null or (at, id) < (select at, id from audit where id = ${value('before')}))
      and ${ifGiven('author')} and (cast(${value('action')} as text) is null or action = ${value('action')}
        or substr(action, 1, length(cast(${value('group')} as text))) = ${value('group')})
      order by at desc, id desc limit ${value('limit')}`
  const ofOrder = db.text<Row<'audit'>>`select * from audit where ${matching('shop_id')}
      and action in ('payment.reported', 'money.asked', 'webhook.replayed')
      and detail like ${value('named')} escape ${sql.lit('!')} order by at, id limit 200`
  const prune = db.text<{ one: 1 }>`
    delete from audit where id in (select id from audit where at < ${value('before')}
      limit ${value('limit')}) returning 1 as one`

  const entry = (shopId: string, { at, by: author }: Who, { action, ...detail }: AuditAction): Step =>
    add({ shopId, at, author, action, detail: JSON.stringify(detail) })

  function* logChange(...change: Parameters<typeof entry>): Command<void> {
    yield* together(entry(...change))
  }

  const commands = {
    /** The newest entries of a shop's audit trail, newest last. The trail outlives its shop. */
    auditTrail: read(function* ({ shopId, since = 0, limit }: AuditFilter): Command<AuditEntry[]> {
      return (yield* all(newest, { shopId, since, limit })).reverse().map(entryFrom)
    }),

    /** Entries from the end back, each with its number. */
    searchAuditTrail: read(function* ({ by: author, since = 0, ...search }: AuditSearch) {
      const rows = yield* all(newest, { ...search, author, since, group: `${search.action}.` })
      return rows.map((row) => ({ number: row.id, entry: entryFrom(row) }))
    }),

    /** The actions of persons about one order, oldest first. Closed anomalies have their own note. */
    auditOfOrder: read(function* (shopId: string, orderId: string): Command<AuditEntry[]> {
      const named = `%${JSON.stringify({ order: orderId }).slice(1, -1).replace(/[%_!]/g, '!$&')}%`
      return (yield* all(ofOrder, { shopId, named })).map(entryFrom)
    }),

    /** Writes an entry that no other change makes. `shopId` is empty for what concerns no shop. */
    noteAudit: write(function* (shopId: string, who: Who, action: AuditAction) {
      yield* holding()
      yield* logChange(shopId, who, action)
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
