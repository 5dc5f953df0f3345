import { type RawBuilder, sql } from 'kysely'
import type { PaymentStatus } from '../../contract/index.ts'
import {
  type Db,
  ifGiven,
  matching,
  members,
  ofOrder,
  orderFrom,
  type Row,
  value,
} from '../../store/columns.ts'
import {
  all,
  alone,
  type Command,
  first,
  orderKey,
  patient,
  read,
  together,
  write,
  writeHolding,
} from '../../store/query.ts'
import type { PaymentChange, PaymentSummary } from '../../store.ts'
import { momentOf, momentOfCode, type Payment } from '../ledger/payment.ts'
import type { Keyed, LoadPayments } from './load-payments.ts'

export interface PaymentFilter {
  shopId?: string | undefined
  status?: PaymentStatus | undefined
  /** Only payments of which something happened then or later. */
  since?: number | undefined
  /** Only payments with an open anomaly. */
  review?: boolean | undefined
  /** Only payments behind this one in the list. */
  after?: { lastAt: number; shopId: string; orderId: string } | undefined
  limit: number
}

export interface PaymentNames {
  /** The id or the number of the order, the id or the code of the attempt, the id of an anomaly, a reference, an idempotency key. */
  name: string
  pageHash: string
  /** Of this shop alone. */
  shopId?: string | undefined
}

export type NamedBy = keyof ReturnType<typeof queriesByKind>

type OrderKey = ReturnType<typeof orderFrom>

type FoundOrder = OrderKey & { by: NamedBy }

/** The most orders found by one kind of id, because many shops use the same order numbers. */
const most = sql`limit 100`

/** One query for each kind of name. Each uses an index. */
function queriesByKind(db: Db) {
  const by = (which: RawBuilder<unknown>) => db.text<Keyed>`select shop_id, order_id from ${which}`
  const newestOrders = sql`group by shop_id, order_id order by max(opened_at) desc`
  const byColumn = (column: string, newest = newestOrders) =>
    by(
      sql`attempts where ${sql.ref(column)} = ${value('name')} and ${ifGiven('shop_id')}
        ${newest} ${most}`,
    )
  return {
    order: byColumn('order_id'),
    attempt: byColumn('id'),
    'order number': byColumn('order_number'),
    reference: byColumn('reference'),
    'idempotency key': by(
      sql`attempts where opened_at = ${value('keyAt')} and idempotency_key = ${value('name')}
        and ${ifGiven('shop_id')}`,
    ),
    code: by(sql`attempts where opened_at = ${value('codeAt')} and ${ifGiven('shop_id')} ${most}`),
    event: by(
      sql`facts where event = ${value('name')} and ${ifGiven('shop_id')}
        group by shop_id, order_id order by max(learned_at) desc ${most}`,
    ),
    // Any number of attempts may have one amount: the index ends with those that are looked at.
    amount: byColumn('amount', sql`order by opened_at desc`),
    page: by(sql`attempts where ${matching('page_hash')} and ${ifGiven('shop_id')}`),
    webhook: by(sql`deliveries where message = ${value('name')} and ${ifGiven('shop_id')} ${most}`),
    anomaly: by(sql`anomalies where id = ${value('name')} and ${ifGiven('shop_id')} ${most}`),
  }
}

const inOrder = sql`order by last_at desc, payments.shop_id desc, payments.order_id desc`
/** The latest event first. A list of one shop has an index of its own: at a million payments no other is quick. */
const newestFirst = (which: RawBuilder<unknown>) => sql`where ${which}
    and ${ifGiven('status')} and last_at >= ${value('since')} and (last_at, payments.shop_id, payments.order_id)
      < (cast(${value('lastAt')} as bigint), ${value('afterShop')}, ${value('afterOrder')})
  ${inOrder} limit ${value('limit')}`

type SummaryRow = Pick<
  Row<'payments'>,
  'order_id' | 'status' | 'changed_at' | 'last_at' | 'status_version' | 'read_version'
> &
  Pick<Row<'attempts'>, 'amount' | 'currency' | 'adapter' | 'order_number' | 'opened_at'> & {
    shop: string
    method: string
    owed_since: number | null
    due_at: number | null
    review: string | null
    moved: string | null
  }

const summaryFrom = ({ review, moved, ...row }: SummaryRow): PaymentSummary => ({
  ...members(row, 'order_id', 'status', 'amount', 'currency', 'adapter', 'order_number', 'opened_at'),
  ...members(row, 'changed_at', 'last_at'),
  ...{ shop: row.shop, method: row.method, webhook: webhookOf(row) },
  review: (review?.split(',') ?? []) as PaymentSummary['review'],
  moved: (moved?.split(',') ?? []) as PaymentSummary['moved'],
})

function webhookOf(row: Omit<SummaryRow, 'review' | 'moved'>): PaymentSummary['webhook'] {
  if (row.status_version === 0) return 'none'
  if (row.owed_since !== null) return row.due_at === null ? 'dead' : 'owed'
  return row.read_version >= row.status_version ? 'read' : 'accepted'
}

/** Where a list begins. */
const fromTheTop = { lastAt: Number.MAX_SAFE_INTEGER, shopId: '', orderId: '' }

function valuesOf({ shopId, status, since = 0, after = fromTheTop, limit }: PaymentFilter) {
  const { lastAt, shopId: afterShop, orderId: afterOrder } = after
  return { shopId, status, since, lastAt, afterShop, afterOrder, limit }
}

/** Reads payments, also of all shops by any of their ids, and notes what the platform has read. */
export function findCommands(db: Db, load: LoadPayments) {
  const queries = queriesByKind(db)
  const kindsIn = db.isServer ? sql`string_agg(distinct kind, ',')` : sql`group_concat(distinct kind)`
  const about = sql`of_one.shop_id = payments.shop_id and of_one.order_id = payments.order_id`
  // From the few that are open: by the newest event every payment would be looked at.
  const join = db.isServer ? sql`join` : sql`cross join`
  const openOnes = sql`(select distinct shop_id, order_id from anomalies where closed_at is null and ${ifGiven('shop_id')}) as open_ones
    ${join} payments on payments.shop_id = open_ones.shop_id and payments.order_id = open_ones.order_id`
  /** Of the payments that are chosen first: joined with their attempts, PostgreSQL would read all of both. */
  const summary = (which: RawBuilder<unknown>, payments = sql`payments`) => db.text<SummaryRow>`
    select payments.shop_id as shop, payments.order_id, status, amount, currency, attempts.adapter, method_id as method,
        order_number, created_at as opened_at, changed_at, last_at, status_version, read_version,
        webhooks.owed_since, webhooks.due_at,
        (select ${kindsIn} from anomalies as of_one where ${about} and closed_at is null) as review,
        (select ${kindsIn} from facts as of_one where ${about}
          and kind in ('refunded', 'refund_failed', 'disputed', 'charged_back', 'chargeback_won')) as moved
      from (select payments.* from ${payments} ${which}) as payments join attempts on attempts.shop_id = payments.shop_id and attempts.order_id = payments.order_id
        and attempts.number = (select max(number) from attempts as of_one where ${about})
        left join webhooks on webhooks.shop_id = payments.shop_id and webhooks.order_id = payments.order_id
      ${inOrder}`
  const saveRead = db.text<unknown>`update payments
      set read_version = ${value('version')}, read_at = ${value('now')}, last_at = ${value('now')}
      where ${ofOrder} and read_version < ${value('version')}`
  const changedSince = db.text<{ status: PaymentStatus; count: number }>`
    select status, count(*) as count from payments where changed_at >= ${value('since')} group by status`
  const newest = db.text<Keyed & { last_at: number }>`
    select shop_id, order_id, last_at from payments ${newestFirst(ifGiven('payments.shop_id'))}`
  const ofOne = summary(sql`where ${matching('payments.shop_id', 'payments.order_id')}`)
  const ofAll = summary(newestFirst(sql`1 = 1`))
  const ofShop = summary(newestFirst(matching('payments.shop_id')))
  const toReview = summary(newestFirst(sql`1 = 1`), openOnes)

  return {
    /** Orders of all shops with one of these ids: at most a hundred for each kind of id, newest first. */
    findOrders: read(function* (names: PaymentNames): Command<FoundOrder[]> {
      const kinds = Object.keys(queries) as NamedBy[]
      const values = { ...names, keyAt: momentOf(names.name), codeAt: momentOfCode(names.name) }
      const rows = yield* together(...kinds.map((kind) => queries[kind](values)))
      return kinds.flatMap((by, index) => rows[index]!.map((row) => ({ ...orderFrom(row), by })))
    }),

    payment: read(load.one),

    /** Payments, the latest event first, each with its time. */
    payments: read(function* (filter: PaymentFilter): Command<(Payment & { lastAt: number })[]> {
      const keys = yield* all(newest, valuesOf(filter))
      const found = yield* load.all(keys)
      return found.map((payment, index) => ({ ...payment, lastAt: keys[index]!.last_at }))
    }),

    /** The same payments in the same order, without their attempts and facts. */
    paymentSummaries: read(function* (filter: PaymentFilter): Command<PaymentSummary[]> {
      const query = filter.review ? toReview : filter.shopId === undefined ? ofAll : ofShop
      return (yield* all(query, valuesOf(filter))).map(summaryFrom)
    }),

    /** How many payments of each status changed it since a moment. */
    countChanged: read(function* (since: number): Command<Partial<Record<PaymentStatus, number>>> {
      const rows = yield* all(changedSince, { since })
      return Object.fromEntries(rows.map(({ status, count }) => [status, count]))
    }),

    /** The same of these orders, as far as they are there. */
    summariesOf: read(function* (orders: readonly OrderKey[]): Command<PaymentSummary[]> {
      return (yield* together(...orders.map((order) => ofOne({ ...order })))).flat().map(summaryFrom)
    }),

    /** The platform has read the status up to `version`. */
    noteRead: patient(function* (shopId: string, orderId: string, version: number, now: number) {
      yield* writeHolding([orderKey(shopId, orderId)], saveRead, { shopId, orderId, version, now })
    }),
  }
}

// The feed of changes. A row is written in the commit of what changed, and gets its place in the feed when somebody reads: on several connections
// the order of ids is not the order of commits, and a reader must not step over a change that is committed later.

const changeFrom = (row: Row<'changes'>): PaymentChange => ({
  ...members(row, 'order_id', 'at', 'kind', 'event', 'amount', 'currency', 'status'),
  kind: row.kind as PaymentChange['kind'],
  ...{ cursor: String(row.place), shop: row.shop_id, attempt: row.attempt_id },
})

/** Numbered in one commit at most. */
const mostPlaced = 5_000

export interface LatestChanges {
  shopId?: string | undefined
  kind?: string | undefined
  /** The cursor of the change before. */
  before?: number | undefined
  limit: number
}

/** Reads the feed. */
export function changeCommands(db: Db) {
  const unplaced = db.text<{ id: number }>`select id from changes where place is null limit 1`
  // An update, so that readers on other connections wait.
  const lock = db.text<{ last_place: number }>`
    update feeds set last_place = last_place where name = 'changes' returning last_place`
  const give = db.text<{ id: number }>`
    update changes set place = cast(${value('last')} as bigint) + fresh.number
      from (select id, row_number() over (order by id) as number
        from (select id from changes where place is null order by id limit ${sql.lit(mostPlaced)}) as front) as fresh
      where changes.id = fresh.id returning changes.id`
  const note = db.text<unknown>`update feeds set last_place = ${value('last')} where name = 'changes'`
  const behind = db.text<Row<'changes'>>`
    select * from changes where place > ${value('after')} order by place limit ${value('limit')}`
  const back = db.text<Row<'changes'>>`select * from changes
      where id < ${value('before')} and ${ifGiven('shop_id')} and ${ifGiven('kind')} order by id desc limit ${value('limit')}`

  return {
    /** Gives new changes their places in the feed, some thousand at a time. Resolves with whether there may be more. */
    placeChanges: write(function* (): Command<boolean> {
      yield* alone('feed changes')
      if (!(yield* first(unplaced, {}))) return false
      const { last_place: last } = (yield* first(lock, {}))!
      const placed = yield* all(give, { last })
      yield* all(note, { last: last + placed.length })
      return placed.length === mostPlaced
    }),

    /** Changes from the end back, for people: the cursor of each is that of this list, and not of the feed. */
    latestChanges: read(function* ({ before = Number.MAX_SAFE_INTEGER, ...filter }: LatestChanges) {
      return (yield* all(back, { before, ...filter })).map((row) => ({
        ...changeFrom(row),
        cursor: String(row.id),
      }))
    }),

    /** The changes behind a place, in order. */
    changes: read(function* ({ after, limit }: { after: number; limit: number }): Command<PaymentChange[]> {
      return (yield* all(behind, { after, limit })).map(changeFrom)
    }),
  }
}
