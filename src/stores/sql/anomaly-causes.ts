import { type Kysely, sql } from 'kysely'
import { byProvider } from '../../audit.ts'
import type { OpenedAnomaly } from '../../payments/anomalies.ts'
import type { AnomalyKind } from '../../payments/anomaly-kinds.ts'
import type { AnomalyCause, AnomalyChoice, CauseFilter } from '../../store.ts'
import type { AuditCommands } from './audit.ts'
import { all, type Command, holding, prepare } from './query.ts'
import { anomalyFrom } from './rows.ts'
import type { Tables } from './tables.ts'

interface CauseRow {
  kind: AnomalyKind
  adapter: string | null
  count: number
  shops: number
  orders: number
  shop_id: string
  order_id: string
  id: string
  opened_at: number
  last_opened_at: number
}

/** Groups anomalies by cause: of one kind and adapter, each opened soon after the one before. */
export function anomalyCauseCommands(db: Kysely<Tables>, { logChange }: AuditCommands) {
  const causes = prepare<CauseRow>((value) => {
    const each = sql`select anomalies.kind, attempts.adapter, anomalies.shop_id, anomalies.order_id, anomalies.id, anomalies.opened_at as at,
        lag(anomalies.opened_at)
          over (partition by anomalies.kind, attempts.adapter order by anomalies.opened_at, anomalies.id) as before
      from anomalies left join attempts on attempts.id = anomalies.attempt_id and attempts.shop_id = anomalies.shop_id
      where closed_at is null
        and (cast(${value('shopId')} as text) is null or anomalies.shop_id = ${value('shopId')})`
    // A cause begins after a long pause. The number of a cause is the count of beginnings up to it.
    const numbered = sql`select *, sum(case when at - before <= ${value('within')} then 0 else 1 end)
        over (partition by kind, adapter order by at, id rows unbounded preceding) as cause
      from (${each}) as each_one`
    const grouped = sql<CauseRow>`select kind, adapter, count(*) as count, count(distinct shop_id) as shops,
        count(distinct order_id) as orders, min(shop_id) as shop_id, min(order_id) as order_id, min(id) as id,
        min(at) as opened_at, max(at) as last_opened_at
      from (${numbered}) as numbered
      group by kind, adapter, cause
      order by min(at), kind, adapter
      limit ${value('limit')}`
    return { compile: () => grouped.compile(db) }
  })
  const chosen = prepare((value) =>
    db
      .selectFrom('anomalies')
      .leftJoin('attempts', (join) =>
        join
          .onRef('attempts.id', '=', 'anomalies.attempt_id')
          .onRef('attempts.shop_id', '=', 'anomalies.shop_id'),
      )
      .selectAll('anomalies')
      .where('closed_at', 'is', null)
      .where('anomalies.opened_at', '<', value('before'))
      .where('kind', '=', value('kind'))
      .where(sql<boolean>`(cast(${value('adapter')} as text) is null or adapter = ${value('adapter')})`)
      .where(
        sql<boolean>`(cast(${value('shopId')} as text) is null or anomalies.shop_id = ${value('shopId')})`,
      )
      .orderBy('anomalies.opened_at')
      .orderBy('anomalies.id')
      .limit(value('limit')),
  )
  const close = prepare((value) =>
    db
      .updateTable('anomalies')
      .set({ closed_at: value('now'), note: value('note') })
      .where('id', '=', value('id'))
      .where('closed_at', 'is', null)
      .returningAll(),
  )

  return {
    *anomalyCauses(filter: CauseFilter): Command<AnomalyCause[]> {
      return (yield* all(causes, { ...filter })).map((row) => ({
        kind: row.kind,
        adapter: row.adapter ?? undefined,
        count: row.count,
        shops: row.shops,
        shopId: row.shops === 1 ? row.shop_id : undefined,
        orderId: row.shops === 1 && row.orders === 1 ? row.order_id : undefined,
        id: row.count === 1 ? row.id : undefined,
        openedAt: row.opened_at,
        lastOpenedAt: row.last_opened_at,
      }))
    },

    *chooseAnomalies(choice: AnomalyChoice): Command<OpenedAnomaly[]> {
      return (yield* all(chosen, { ...choice })).map(anomalyFrom)
    },

    *closeAnomalies(choice: AnomalyChoice, note: string, now: number, by = byProvider): Command<number> {
      yield* holding()
      let closed = 0
      for (const { id } of yield* all(chosen, { ...choice })) {
        const [row] = yield* all(close, { id, note, now })
        if (!row) continue
        closed++
        const { shop_id, order_id: order, attempt_id: attempt, kind } = row
        const change = { action: 'anomaly.closed', order, attempt, kind, anomaly: id } as const
        yield* logChange(shop_id, { at: now, by }, change)
      }
      return closed
    },
  }
}
