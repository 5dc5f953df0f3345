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
import {
  all,
  alone,
  type Command,
  first,
  holding,
  lastly,
  orderKey,
  read,
  together,
  write,
} from '../../store/query.ts'
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
  id?: string | undefined
  /** Includes closed anomalies; `only` has those alone, the last closed first. */
  closed?: boolean | 'only'
  limit: number
}

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

/** Anomalies of one cause, counted together: the number of `shops` and `orders`, one of each, and when the first and the last of them opened. */
interface CauseRow
  extends Pick<
    Row<'anomalies'>,
    ('kind' | 'shop_id' | 'order_id' | 'id' | 'opened_at') | ('expected' | 'received' | 'stake' | 'currency')
  > {
  adapter: string | null
  /** Numbers the causes of a kind and adapter. */
  cause: number | string
  count: number
  shops: number
  orders: number
  last_opened_at: number
}

interface StakeRow extends Pick<CauseRow, 'kind' | 'adapter' | 'cause'> {
  currency: string
  stake: number | string
}

/** The money at stake in a cause, by currency. */
const stakesOf = ({ kind, adapter, cause }: CauseRow, sums: readonly StakeRow[]) =>
  sums
    .filter((one) => one.kind === kind && one.adapter === adapter && one.cause === cause)
    .map(({ currency, stake }) => ({ currency, amount: roundToCurrency(decimal(String(stake)), currency) }))

export type AnomalyCause = ReturnType<typeof causeFrom> & { stakes: ReturnType<typeof stakesOf> }

const causeFrom = (row: CauseRow) => ({
  kind: row.kind as AnomalyKind,
  ...members(row, 'adapter', 'count', 'opened_at'),
  shops: row.shops,
  lastOpenedAt: row.last_opened_at,
  shopId: row.shops === 1 ? row.shop_id : undefined,
  orderId: row.shops === 1 && row.orders === 1 ? row.order_id : undefined,
  id: row.count === 1 ? row.id : undefined,
  ...(row.count === 1 && row.stake !== null && members(row, 'expected', 'received', 'stake', 'currency')),
  remedy: remedyOf(row.kind),
})

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

const anomalyQueries = (db: Db) => ({
  open: db.addNewRow('anomalies'),
  known: db.rowsBy('anomalies', ['id']),
  close: closing(db, sql``),
  end: closing(db, sql`and closed_at is null`),
  list: db.text<Row<'anomalies'>>`
    select * from anomalies where ${ifGiven('shop_id')} and ${ifGiven('order_id')} and ${ifGiven('id')}
      and (closed_at is null or cast(${value('closed')} as integer) = 1) order by opened_at limit ${value('limit')}`,
  ended: db.text<Row<'anomalies'>>`
    select * from anomalies where ${ifGiven('shop_id')} and closed_at is not null order by closed_at desc limit ${value('limit')}`,
  counts: db.text<{ kind: string; count: number }>`
    select kind, count(*) as count from anomalies where closed_at is null group by kind`,
})

const besideAttempt = sql`anomalies left join attempts on attempts.id = anomalies.attempt_id and attempts.shop_id = anomalies.shop_id`

function causeQueries(db: Db) {
  const newest = sql`(select * from anomalies where closed_at is null and ${ifGiven('shop_id')}
    order by opened_at desc limit ${value('newest')})`
  const each = sql`select anomalies.kind, attempts.adapter, anomalies.shop_id, anomalies.order_id, anomalies.id, anomalies.opened_at as at,
      anomalies.expected, anomalies.received, anomalies.stake, anomalies.currency,
      lag(anomalies.opened_at)
        over (partition by anomalies.kind, attempts.adapter order by anomalies.opened_at, anomalies.id) as before
    from ${newest} as ${besideAttempt}`
  // A cause begins after a long pause. The number of a cause is the count of beginnings up to it.
  const numbered = sql`select *, sum(case when at - before <= ${value('within')} then 0 else 1 end)
      over (partition by kind, adapter order by at, id rows unbounded preceding) as cause
    from (${each}) as each_one`
  return {
    causes: db.text<CauseRow>`select kind, adapter, cause, count(*) as count, count(distinct shop_id) as shops,
        count(distinct order_id) as orders, min(shop_id) as shop_id, min(order_id) as order_id, min(id) as id,
        min(at) as opened_at, max(at) as last_opened_at,
        min(expected) as expected, min(received) as received, min(stake) as stake, min(currency) as currency
      from (${numbered}) as numbered
      group by kind, adapter, cause
      order by min(at), kind, adapter
      limit ${value('limit')}`,
    // Amounts are decimal text. As floats they are right to a cent up to ten million million.
    stakes: db.text<StakeRow>`select kind, adapter, cause, currency,
        sum(cast(stake as ${db.isServer ? sql`numeric` : sql`real`})) as stake
      from (${numbered}) as numbered where stake is not null group by kind, adapter, cause, currency`,
    chosen: db.text<Row<'anomalies'>>`select anomalies.* from ${besideAttempt}
      where closed_at is null and anomalies.opened_at < ${value('before')} and anomalies.opened_at >= ${value('since')}
        and ${matching('kind')}
        and ${ifGiven('adapter')} and ${ifGiven('anomalies.shop_id')}
      order by anomalies.opened_at, anomalies.id limit ${value('limit')}`,
  }
}

/** Stores anomalies: events that need review until a person closes them. A cause is of one kind and adapter, each opened soon after the one before. */
export function anomalyCommands(db: Db, audit: AuditCommands) {
  const closed = afterClosing(db, audit)
  const { open, known, close, end, list, ended, counts } = anomalyQueries(db)
  const { causes, chosen, stakes } = causeQueries(db)
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

    /** Open anomalies by cause, oldest first. */
    anomalyCauses: read(function* (filter: CauseFilter) {
      const every = { ...filter, newest: Number.MAX_SAFE_INTEGER }
      const [found, sums] = yield* together(causes(every), stakes(every))
      return found.map((row) => ({ ...causeFrom(row), stakes: stakesOf(row, sums) }))
    }),

    /** The number of causes by kind, of the newest open anomalies, at most as many as `newest`. `within` as in `CauseFilter`. */
    countCauses: read(function* ({ within, newest }: { within: number; newest: number }) {
      const found = Map.groupBy(yield* all(causes, { within, newest, limit: newest }), ({ kind }) => kind)
      return Object.fromEntries([...found].map(([kind, of]) => [kind, of.length]))
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
