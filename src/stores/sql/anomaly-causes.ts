import { type Kysely, sql } from 'kysely'
import { byProvider } from '../../audit.ts'
import type { OpenedAnomaly } from '../../payments/anomalies.ts'
import type { AnomalyKind } from '../../payments/anomaly-kinds.ts'
import type { AnomalyCause, AnomalyChoice, CauseFilter } from '../../store/anomalies.ts'
import { afterClosing, closing } from './anomalies.ts'
import type { AuditCommands } from './audit.ts'
import { ifGiven } from './columns.ts'
import { read, write } from './port.ts'
import { all, alone, type Command, prepare } from './query.ts'
import { anomalyFrom, type CauseRow, causeFrom } from './rows.ts'
import type { Tables } from './schema.ts'

const besideAttempt = sql`anomalies left join attempts on attempts.id = anomalies.attempt_id and attempts.shop_id = anomalies.shop_id`

const causeQueries = (db: Kysely<Tables>) => ({
  causes: prepare<CauseRow>((value) => {
    const each = sql`select anomalies.kind, attempts.adapter, anomalies.shop_id, anomalies.order_id, anomalies.id, anomalies.opened_at as at,
        anomalies.expected, anomalies.received, anomalies.stake, anomalies.currency,
        lag(anomalies.opened_at)
          over (partition by anomalies.kind, attempts.adapter order by anomalies.opened_at, anomalies.id) as before
      from ${besideAttempt}
      where closed_at is null and ${ifGiven(value, 'anomalies.shop_id')}`
    // A cause begins after a long pause. The number of a cause is the count of beginnings up to it.
    const numbered = sql`select *, sum(case when at - before <= ${value('within')} then 0 else 1 end)
        over (partition by kind, adapter order by at, id rows unbounded preceding) as cause
      from (${each}) as each_one`
    const grouped = sql<CauseRow>`select kind, adapter, count(*) as count, count(distinct shop_id) as shops,
        count(distinct order_id) as orders, min(shop_id) as shop_id, min(order_id) as order_id, min(id) as id,
        min(at) as opened_at, max(at) as last_opened_at,
        min(expected) as expected, min(received) as received, min(stake) as stake, min(currency) as currency
      from (${numbered}) as numbered
      group by kind, adapter, cause
      order by min(at), kind, adapter
      limit ${value('limit')}`
    return { compile: () => grouped.compile(db) }
  }),
  counts: prepare<{ kind: string; count: number }>((value) => {
    const newest = db
      .selectFrom('anomalies')
      .select(['kind', 'shop_id', 'attempt_id', 'opened_at'])
      .where('closed_at', 'is', null)
      .orderBy('opened_at', 'desc')
      .limit(value('newest'))
    const begun = sql`select anomalies.kind, case when anomalies.opened_at - lag(anomalies.opened_at)
          over (partition by anomalies.kind, attempts.adapter order by anomalies.opened_at) <= ${value('within')}
        then 0 else 1 end as begins
      from ${newest} as ${besideAttempt}`
    const counted = sql<{ kind: string; count: number }>`select kind, sum(begins) as count
      from (${begun}) as begun group by kind`
    return { compile: () => counted.compile(db) }
  }),
  chosen: prepare((value) =>
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
      .where(ifGiven(value, 'adapter'))
      .where(ifGiven(value, 'anomalies.shop_id'))
      .orderBy('anomalies.opened_at')
      .orderBy('anomalies.id')
      .limit(value('limit')),
  ),
  close: prepare((value) =>
    db
      .updateTable('anomalies')
      .set({ closed_at: value('now'), note: value('note') })
      .where('id', '=', value('id'))
      .where('closed_at', 'is', null)
      .returningAll(),
  ),
})

/** Groups anomalies by cause: of one kind and adapter, each opened soon after the one before. */
export function anomalyCauseCommands(db: Kysely<Tables>, audit: AuditCommands) {
  const closedBy = afterClosing(db, audit)
  const { causes, counts, chosen, close } = causeQueries(db)

  return {
    /** Open anomalies by cause, oldest first. */
    anomalyCauses: read(function* (filter: CauseFilter): Command<AnomalyCause[]> {
      return (yield* all(causes, { ...filter })).map(causeFrom)
    }),

    /** The number of causes by kind, of the newest open anomalies, at most as many as `newest`. `within` as in `CauseFilter`. */
    countCauses: read(function* (among: {
      within: number
      newest: number
    }): Command<Partial<Record<AnomalyKind, number>>> {
      return Object.fromEntries((yield* all(counts, { ...among })).map(({ kind, count }) => [kind, count]))
    }),

    /** Up to `limit` matching open anomalies, oldest first. */
    chooseAnomalies: read(function* (choice: AnomalyChoice): Command<OpenedAnomaly[]> {
      return (yield* all(chosen, { ...choice })).map(anomalyFrom)
    }),

    /** Closes up to `limit` matching open anomalies, each with an entry in the audit trail. Resolves with their number. */
    closeAnomalies: write(function* (
      choice: AnomalyChoice,
      note: string,
      now: number,
      by: string = byProvider,
    ): Command<number> {
      yield* alone(closing)
      let closed = 0
      for (const { id } of yield* all(chosen, { ...choice })) {
        const [row] = yield* all(close, { id, note, now })
        if (!row) continue
        closed++
        yield* closedBy(row, now, by)
      }
      return closed
    }),
  }
}
