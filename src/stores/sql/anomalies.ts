import { type Kysely, sql } from 'kysely'
import { byProvider } from '../../audit.ts'
import { type Anomaly, anomalyId, type OpenedAnomaly } from '../../payments/anomalies.ts'
import type { AnomalyKind } from '../../payments/anomaly-kinds.ts'
import type { Learned } from '../../payments/moves.ts'
import { shortKinds } from '../../payments/waiting.ts'
import type { AnomalyFilter } from '../../store/anomalies.ts'
import type { AuditCommands } from './audit.ts'
import { columns, ifGiven, ofAttempt } from './columns.ts'
import { read, write } from './port.ts'
import { all, alone, ask, type Command, first, holding, lastly, orderKey, prepare } from './query.ts'
import { anomalyFrom, type Row } from './rows.ts'
import type { Tables } from './schema.ts'

/** The hold of commands that close anomalies. */
export const closing = 'anomalies'

/** Makes the command that follows the closing of an anomaly: it is in the audit trail, and an attempt whose money is settled may end. */
export function afterClosing(db: Kysely<Tables>, { logChange }: AuditCommands) {
  const checkNow = prepare((value) =>
    db
      .updateTable('attempts')
      .set({ check_at: value('now') })
      .where(ofAttempt(value))
      .where(sql<boolean>`(check_at is null or check_at > ${value('now')})`),
  )
  return function* (row: Row<'anomalies'>, now: number, by: string): Command<void> {
    const { shop_id: shopId, order_id: order, attempt_id: attempt, kind, id: anomaly } = row
    if (shortKinds.some((one) => one === kind)) yield* all(checkNow, { shopId, id: attempt, now })
    yield* logChange(shopId, { at: now, by }, { action: 'anomaly.closed', order, attempt, kind, anomaly })
  }
}

const anomalyQueries = (db: Kysely<Tables>) => ({
  open: prepare((value) =>
    db
      .insertInto('anomalies')
      .values({
        ...columns(value, 'shop_id', 'order_id', 'attempt_id', 'kind', 'event', 'id'),
        ...columns(value, 'expected', 'received', 'stake', 'currency', 'answer_by'),
        opened_at: value('now'),
      })
      .onConflict((conflict) => conflict.doNothing()),
  ),
  known: prepare((value) => db.selectFrom('anomalies').select('id').where('id', '=', value('id'))),
  close: prepare((value) =>
    db
      .updateTable('anomalies')
      .set({ closed_at: value('now'), note: value('note') })
      .where('id', '=', value('id'))
      .returningAll(),
  ),
  end: prepare((value) =>
    db
      .updateTable('anomalies')
      .set({ closed_at: value('now'), note: value('note') })
      .where('id', '=', value('id'))
      .where('closed_at', 'is', null),
  ),
  list: prepare((value) =>
    db
      .selectFrom('anomalies')
      .selectAll()
      .where(ifGiven(value, 'shop_id'))
      .where(ifGiven(value, 'order_id'))
      .where(sql<boolean>`(closed_at is null or cast(${value('closed')} as integer) = 1)`)
      .orderBy('opened_at')
      .limit(value('limit')),
  ),
  counts: prepare(() =>
    db
      .selectFrom('anomalies')
      .select(['kind', sql<number>`count(*)`.as('count')])
      .where('closed_at', 'is', null)
      .groupBy('kind'),
  ),
})

/** Stores anomalies: events that need review until a person closes them. */
export function anomalyCommands(db: Kysely<Tables>, audit: AuditCommands) {
  const closed = afterClosing(db, audit)
  const { open, known, close, end, list, counts } = anomalyQueries(db)
  const opening = (shopId: string, orderId: string, anomaly: Anomaly, now: number) =>
    ask(open, { shopId, orderId, ...anomaly, id: anomalyId(shopId, orderId, anomaly), now })

  /** Closes the anomaly of a dispute that has ended. */
  const ending = (shopId: string, orderId: string, { by, ...one }: Learned['ended'][number], now: number) =>
    ask(end, { id: anomalyId(shopId, orderId, one), note: `ended by ${by}`, now })

  const commands = {
    /** The number of open anomalies by kind. */
    countAnomalies: read(function* (): Command<Partial<Record<AnomalyKind, number>>> {
      return Object.fromEntries((yield* all(counts, {})).map(({ kind, count }) => [kind, count]))
    }),

    /** Opens an anomaly of an event. Resolves with whether it is new: one that is open or closed stays as it is. */
    openAnomaly: write(function* (
      shopId: string,
      orderId: string,
      anomaly: Anomaly,
      now: number,
    ): Command<boolean> {
      yield* holding(orderKey(shopId, orderId))
      const opened = opening(shopId, orderId, anomaly, now)
      const isNew = !(yield* first(known, { id: anomalyId(shopId, orderId, anomaly) }))
      if (isNew) yield* lastly(opened)
      return isNew
    }),

    /** Resolves with `undefined` when there is no such anomaly. */
    closeAnomaly: write(function* (
      id: string,
      note: string,
      now: number,
      by: string = byProvider,
    ): Command<OpenedAnomaly | undefined> {
      yield* alone(closing)
      const row = yield* first(close, { id, note, now })
      if (!row) return undefined
      yield* closed(row, now, by)
      return anomalyFrom(row)
    }),

    /** Anomalies, oldest first. */
    anomalies: read(function* ({ shopId, orderId, closed, limit }: AnomalyFilter): Command<OpenedAnomaly[]> {
      return (yield* all(list, { shopId, orderId, closed: closed ? 1 : 0, limit })).map(anomalyFrom)
    }),
  }

  return { ...commands, opening, ending }
}

export type AnomalyCommands = ReturnType<typeof anomalyCommands>
