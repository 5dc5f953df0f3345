import { type RawBuilder, sql } from 'kysely'
import { byProvider } from '../../audit.ts'
import { decimal, roundToCurrency } from '../../money/index.ts'
import type { AuditCommands } from '../../shops/commands/audit.ts'
import {
  type Db,
  ifGiven,
  matching,
  members,
  ofAttempt,
  plain,
  type Row,
  value,
} from '../../store/columns.ts'
import { all, alone, type Command, first, holding, lastly, orderKey, read, write } from '../../store/query.ts'
import {
  type Anomaly,
  type AnomalyKind,
  anomalyId,
  anomalyKinds,
  type OpenedAnomaly,
} from '../ledger/anomalies.ts'
import { isShort } from '../ledger/levels.ts'
import type { Learned } from '../ledger/moves.ts'

export interface AnomalyFilter {
  shopId?: string | undefined
  orderId?: string | undefined
  /** Includes closed anomalies; `only` has those alone, the last closed first. */
  closed?: boolean | 'only'
  limit: number
}

/** So many of the newest open anomalies are put together by cause: a page waits for all of them. */
const mostByCause = 50_000

/** Open anomalies of one kind and adapter share a cause if each opened within `within` milliseconds after the one before. */
export interface CauseFilter {
  shopId?: string | undefined
  within: number
  limit: number
}

export interface AnomalyChoice {
  kind: AnomalyKind
  adapter?: string | undefined
  shopId?: string | undefined
  /** Only those opened before this moment, and from `since` on. */
  before: number
  since?: number
  limit: number
}

const anomalyFrom = (row: Row<'anomalies'>): OpenedAnomaly => ({
  ...plain(row),
  kind: row.kind as AnomalyKind,
  remedy: remedyOf(row.kind),
})

/** A newer node may have opened a kind that this one does not know. */
const remedyOf = (kind: string): string =>
  anomalyKinds[kind as AnomalyKind]?.remedy ?? `Run \`purveyor explain ${kind}\` of the newest version.`

/** An open anomaly beside the adapter of its attempt. */
type OpenRow = Row<'anomalies'> & { adapter: string | null }

/** Open anomalies by cause, the one that began first before the others. They are given in the order in which they opened. */
function causesOf(rows: readonly OpenRow[], within: number): OpenRow[][] {
  const latest = new Map<string, OpenRow[]>()
  return rows.flatMap((row) => {
    const name = `${row.kind} ${row.adapter}`
    const cause = latest.get(name)
    if (cause && row.opened_at - cause.at(-1)!.opened_at <= within) {
      cause.push(row)
      return []
    }
    const begun = [row]
    latest.set(name, begun)
    return [begun]
  })
}

export type AnomalyCause = ReturnType<typeof causeFrom>

/** The anomalies of one cause, counted together, with the money at stake by currency. */
function causeFrom(rows: readonly OpenRow[]) {
  const [row, other] = rows as [OpenRow, ...OpenRow[]]
  const shops = new Set(rows.map(({ shop_id }) => shop_id)).size
  const isOneOrder = shops === 1 && rows.every(({ order_id }) => order_id === row.order_id)
  const byCurrency = Map.groupBy(rows, ({ currency }) => currency ?? '')
  const stakes = [...byCurrency].flatMap(([currency, of]) => {
    const amounts = of.flatMap(({ stake }) => stake ?? [])
    const sum = amounts.reduce((total, stake) => total.plus(stake), decimal(0))
    return amounts.length === 0 ? [] : { currency, amount: roundToCurrency(sum, currency) }
  })
  return {
    ...{ kind: row.kind as AnomalyKind, adapter: row.adapter ?? undefined, count: rows.length },
    ...{ openedAt: row.opened_at, shops, lastOpenedAt: rows.at(-1)!.opened_at },
    shopId: shops === 1 ? row.shop_id : undefined,
    orderId: isOneOrder ? row.order_id : undefined,
    id: other ? undefined : row.id,
    ...(!other && row.stake !== null && members(row, 'expected', 'received', 'stake', 'currency')),
    remedy: remedyOf(row.kind),
    stakes,
  }
}

const allAnomalies = 'anomalies'

/** Makes the command that follows the closing of an anomaly: it is in the audit trail, and an attempt whose money is settled may end. */
function afterClosing(db: Db, { logChange }: AuditCommands) {
  const touch = touching(db)
  const checkNow = db.text<unknown>`update attempts set check_at = ${value('now')}
      where ${ofAttempt} and (check_at is null or check_at > ${value('now')})`
  return function* (row: Row<'anomalies'>, now: number, by: string): Command<void> {
    const { shop_id: shopId, order_id: order, attempt_id: attempt, id: anomaly } = row
    const kind = row.kind as AnomalyKind
    if (isShort(kind)) yield* all(checkNow, { shopId, id: attempt, now })
    yield* all(touch, { shopId, orderId: order, now })
    yield* logChange(shopId, { at: now, by }, { action: 'anomaly.closed', order, attempt, kind, anomaly })
  }
}

/** Something about a payment happened now. */
const touching = (db: Db) =>
  db.text<unknown>`update payments set last_at = ${value('now')} where ${matching('shop_id', 'order_id')}`

const closing = (db: Db, which: RawBuilder<unknown>) =>
  db.text<Row<'anomalies'>>`update anomalies set closed_at = ${value('now')}, note = ${value('note')}
      where ${matching('id')} ${which} returning *`

const besideAttempt = sql`anomalies left join attempts on attempts.id = anomalies.attempt_id and attempts.shop_id = anomalies.shop_id`

const anomalyQueries = (db: Db) => ({
  open: db.addNewRow('anomalies'),
  known: db.rowsBy('anomalies', ['id']),
  close: closing(db, sql``),
  end: closing(db, sql`and closed_at is null`),
  list: db.text<Row<'anomalies'>>`
    select * from anomalies where ${ifGiven('shop_id')} and ${ifGiven('order_id')}
      and (closed_at is null or cast(${value('closed')} as integer) = 1) order by opened_at limit ${value('limit')}`,
  ended: db.text<Row<'anomalies'>>`
    select * from anomalies where ${ifGiven('shop_id')} and closed_at is not null order by closed_at desc limit ${value('limit')}`,
  counts: db.text<{ kind: string; count: number }>`
    select kind, count(*) as count from anomalies where closed_at is null group by kind`,
  newestOpen: db.text<OpenRow>`select anomalies.*, attempts.adapter
    from (select * from anomalies where closed_at is null and ${ifGiven('shop_id')}
      order by opened_at desc limit ${value('newest')}) as ${besideAttempt}
    order by anomalies.opened_at, anomalies.kind, attempts.adapter, anomalies.id`,
  chosen: db.text<Row<'anomalies'>>`select anomalies.* from ${besideAttempt}
    where closed_at is null and anomalies.opened_at < ${value('before')} and anomalies.opened_at >= ${value('since')}
      and ${matching('kind')} and ${ifGiven('adapter')} and ${ifGiven('anomalies.shop_id')}
    order by anomalies.opened_at, anomalies.id limit ${value('limit')}`,
})

/** Stores anomalies: events that need review until a person closes them. A cause is of one kind and adapter, each opened soon after the one before. */
export function anomalyCommands(db: Db, audit: AuditCommands) {
  const closed = afterClosing(db, audit)
  const { open, known, close, end, list, ended, counts, newestOpen, chosen } = anomalyQueries(db)
  const touch = touching(db)
  const opening = (shopId: string, orderId: string, anomaly: Anomaly, now: number) =>
    open({ shopId, orderId, ...anomaly, id: anomalyId(shopId, orderId, anomaly), openedAt: now })

  /** Closes the anomaly of a dispute that has ended. */
  const ending = (shopId: string, orderId: string, { by, ...one }: Learned['ended'][number], now: number) =>
    end({ id: anomalyId(shopId, orderId, one), note: `ended by ${by}`, now })

  return {
    opening,
    ending,

    countAnomalies: read(function* (): Command<Partial<Record<AnomalyKind, number>>> {
      return Object.fromEntries((yield* all(counts, {})).map(({ kind, count }) => [kind, count]))
    }),

    /** Opens an anomaly of an event. Resolves with whether it is new: one that is open or closed stays as it is. */
    openAnomaly: write(function* (shopId: string, orderId: string, anomaly: Anomaly, now: number) {
      yield* holding(orderKey(shopId, orderId))
      const opened = opening(shopId, orderId, anomaly, now)
      const isNew = !(yield* first(known, { id: anomalyId(shopId, orderId, anomaly) }))
      if (isNew) yield* lastly(opened, touch({ shopId, orderId, now }))
      return isNew
    }),

    /** Resolves with `undefined` when there is no such anomaly. */
    closeAnomaly: write(function* (id: string, note: string, now: number, by = byProvider) {
      yield* alone(allAnomalies)
      const row = yield* first(close, { id, note, now })
      if (!row) return undefined
      yield* closed(row, now, by)
      return anomalyFrom(row)
    }),

    /** Anomalies, oldest first. */
    anomalies: read(function* ({ closed, ...filter }: AnomalyFilter): Command<OpenedAnomaly[]> {
      const query = closed === 'only' ? ended : list
      return (yield* all(query, { ...filter, closed: closed ? 1 : 0 })).map(anomalyFrom)
    }),

    /** The anomaly of this id, open or closed. */
    anomaly: read(function* (id: string): Command<OpenedAnomaly | undefined> {
      const row = yield* first(known, { id })
      return row && anomalyFrom(row)
    }),

    /** The newest 50,000 open anomalies by cause, oldest first. */
    anomalyCauses: read(function* ({ shopId, within, limit }: CauseFilter) {
      const rows = yield* all(newestOpen, { shopId, newest: mostByCause })
      return causesOf(rows, within).slice(0, limit).map(causeFrom)
    }),

    /** The number of causes by kind, of the newest open anomalies, at most as many as `newest`. `within` as in `CauseFilter`. */
    countCauses: read(function* ({ within, newest }: { within: number; newest: number }) {
      const causes = causesOf(yield* all(newestOpen, { newest }), within)
      const byKind = Map.groupBy(causes, ([row]) => row!.kind)
      return Object.fromEntries([...byKind].map(([kind, of]) => [kind, of.length]))
    }),

    /** Up to `limit` matching open anomalies, oldest first. */
    chooseAnomalies: read(function* (choice: AnomalyChoice): Command<OpenedAnomaly[]> {
      return (yield* all(chosen, { since: 0, ...choice })).map(anomalyFrom)
    }),

    /** Closes up to `limit` matching open anomalies, each with an entry in the audit trail. Resolves with their number. */
    closeAnomalies: write(function* (choice: AnomalyChoice, note: string, now: number, by = byProvider) {
      yield* alone(allAnomalies)
      let count = 0
      for (const { id } of yield* all(chosen, { since: 0, ...choice })) {
        const [row] = yield* all(end, { id, note, now })
        if (!row) continue
        count++
        yield* closed(row, now, by)
      }
      return count
    }),
  }
}

export type AnomalyCommands = ReturnType<typeof anomalyCommands>
