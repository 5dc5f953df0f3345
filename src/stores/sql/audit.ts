import { type Kysely, sql } from 'kysely'
import type { AuditAction, AuditEntry } from '../../audit.ts'
import type { AuditFilter } from '../../store.ts'
import { all, type Command, prepare } from './query.ts'
import type { Tables } from './tables.ts'

/** The audit trail: who changed what, and when. Commands write their entry with their change, so that neither exists without the other. */
export function auditCommands(db: Kysely<Tables>) {
  const add = prepare((value) =>
    db.insertInto('audit').values({
      shop_id: value('shopId'),
      at: value('at'),
      author: value('by'),
      action: value('action'),
      detail: value('detail'),
    }),
  )
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

  return {
    /** The entry of a change, for the command that makes it. */
    *logChange(
      shopId: string,
      { at, by }: { at: number; by: string },
      { action, ...detail }: AuditAction,
    ): Command<void> {
      yield* all(add, { shopId, at, by, action, detail: JSON.stringify(detail) })
    },

    *auditTrail({ shopId, since = 0, limit }: AuditFilter): Command<AuditEntry[]> {
      const rows = yield* all(newest, { shopId, since, limit })
      return rows.reverse().map(({ shop_id: shop, at, author: by, action, detail }) => ({
        shop,
        at,
        by,
        action,
        ...JSON.parse(detail),
      }))
    },

    *pruneAuditTrail({ before, limit }: { before: number; limit: number }): Command<number> {
      return (yield* all(prune, { before, limit })).length
    },
  }
}

export type AuditCommands = ReturnType<typeof auditCommands>
