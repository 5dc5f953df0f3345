import { type Kysely, sql } from 'kysely'
import { byProvider } from '../../audit.ts'
import { anomalyId, type OpenedAnomaly } from '../../payments/anomalies.ts'
import type { AnomalyKind } from '../../payments/anomaly-kinds.ts'
import type { Anomaly } from '../../payments/status.ts'
import type { AnomalyFilter } from '../../store.ts'
import type { AuditCommands } from './audit.ts'
import { all, type Command, first, holding, prepare } from './query.ts'
import { anomalyFrom } from './rows.ts'
import type { Tables } from './tables.ts'

/** Stores anomalies: events that need review until a person closes them. */
export function anomalyCommands(db: Kysely<Tables>, { logChange }: AuditCommands) {
  const open = prepare((value) =>
    db
      .insertInto('anomalies')
      .values({
        shop_id: value('shopId'),
        order_id: value('orderId'),
        attempt_id: value('attemptId'),
        kind: value('kind'),
        id: value('id'),
        opened_at: value('now'),
      })
      .onConflict((conflict) =>
        conflict
          .columns(['shop_id', 'order_id', 'attempt_id', 'kind'])
          .doUpdateSet((excluded) => ({
            opened_at: excluded.ref('excluded.opened_at'),
            closed_at: sql<null>`null`,
            note: sql<null>`null`,
          }))
          .where('anomalies.closed_at', 'is not', null),
      )
      .returning('id'),
  )
  const close = prepare((value) =>
    db
      .updateTable('anomalies')
      .set({ closed_at: value('now'), note: value('note') })
      .where('id', '=', value('id'))
      .returningAll(),
  )
  const list = prepare((value) =>
    db
      .selectFrom('anomalies')
      .selectAll()
      .where(sql<boolean>`(cast(${value('shopId')} as text) is null or shop_id = ${value('shopId')})`)
      .where(sql<boolean>`(cast(${value('orderId')} as text) is null or order_id = ${value('orderId')})`)
      .where(sql<boolean>`(closed_at is null or cast(${value('closed')} as integer) = 1)`)
      .orderBy('opened_at')
      .limit(value('limit')),
  )

  const counts = prepare(() =>
    db
      .selectFrom('anomalies')
      .select(['kind', sql<number>`count(*)`.as('count')])
      .where('closed_at', 'is', null)
      .groupBy('kind'),
  )

  return {
    *countAnomalies(): Command<Partial<Record<AnomalyKind, number>>> {
      return Object.fromEntries((yield* all(counts, {})).map(({ kind, count }) => [kind, count]))
    },

    *openAnomaly(shopId: string, orderId: string, anomaly: Anomaly, now: number): Command<boolean> {
      yield* holding()
      const id = anomalyId(shopId, orderId, anomaly)
      return (yield* all(open, { shopId, orderId, ...anomaly, id, now })).length > 0
    },

    *closeAnomaly(
      id: string,
      note: string,
      now: number,
      by = byProvider,
    ): Command<OpenedAnomaly | undefined> {
      const row = yield* first(close, { id, note, now })
      if (!row) return undefined
      const { shop_id, order_id: order, attempt_id: attempt, kind } = row
      yield* logChange(
        shop_id,
        { at: now, by },
        { action: 'anomaly.closed', order, attempt, kind, anomaly: id },
      )
      return anomalyFrom(row)
    },

    *anomalies({ shopId, orderId, closed, limit }: AnomalyFilter): Command<OpenedAnomaly[]> {
      return (yield* all(list, { shopId, orderId, closed: closed ? 1 : 0, limit })).map(anomalyFrom)
    },
  }
}

export type AnomalyCommands = ReturnType<typeof anomalyCommands>
