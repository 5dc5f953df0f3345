import { type RawBuilder, sql } from 'kysely'
import type { PaymentStatus } from '../../contract/index.ts'
import {
  type Db,
  ifGiven,
  matching,
  ofOrder,
  orderFrom,
  plain,
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
import type { PaymentChange } from '../../store.ts'
import { momentOf, momentOfCode, type Payment } from '../ledger/payment.ts'
import type { Keyed, LoadPayments } from './load-payments.ts'

export interface PaymentFilter {
  shopId?: string | undefined
  status?: PaymentStatus | undefined
  /** Only payments whose status changed then or later. */
  since?: number | undefined
  /** Only payments behind this one in the list. */
  after?: { changedAt: number; shopId: string; orderId: string } | undefined
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

type FoundOrder = ReturnType<typeof orderFrom> & { by: NamedBy }

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
    anomaly: by(sql`anomalies where id = ${value('name')} and ${ifGiven('shop_id')} ${most}`),
  }
}

const listQueries = (db: Db) => ({
  saveRead: db.text<unknown>`update payments set read_version = ${value('version')}, read_at = ${value('now')}
      where ${ofOrder} and read_version < ${value('version')}`,
  newest: db.text<Keyed>`select shop_id, order_id from payments where ${ifGiven('shop_id')}
        and ${ifGiven('status')} and changed_at >= ${value('since')} and (changed_at, shop_id, order_id)
          < (cast(${value('changedAt')} as bigint), ${value('afterShop')}, ${value('afterOrder')})
      order by changed_at desc, shop_id desc, order_id desc limit ${value('limit')}`,
})

/** Reads payments, also of all shops by any of their ids, and notes what the platform has read. */
export function findCommands(db: Db, load: LoadPayments) {
  const queries = queriesByKind(db)
  const { newest, saveRead } = listQueries(db)

  return {
    /** Orders of all shops with one of these ids: at most a hundred for each kind of id, newest first. */
    findOrders: read(function* (names: PaymentNames): Command<FoundOrder[]> {
      const kinds = Object.keys(queries) as NamedBy[]
      const values = { ...names, keyAt: momentOf(names.name), codeAt: momentOfCode(names.name) }
      const rows = yield* together(...kinds.map((kind) => queries[kind](values)))
      return kinds.flatMap((by, index) => rows[index]!.map((row) => ({ ...orderFrom(row), by })))
    }),

    payment: read(load.one),

    /** Payments, latest change of status first. */
    payments: read(function* (filter: PaymentFilter): Command<Payment[]> {
      const { shopId, status, since = 0, after = fromTheTop, limit } = filter
      const { changedAt, shopId: afterShop, orderId: afterOrder } = after
      const values = { shopId, status, since, changedAt, afterShop, afterOrder, limit }
      return yield* load.all(yield* all(newest, values))
    }),

    /** The platform has read the status up to `version`. */
    noteRead: patient(function* (shopId: string, orderId: string, version: number, now: number) {
      yield* writeHolding([orderKey(shopId, orderId)], saveRead, { shopId, orderId, version, now })
    }),
  }
}

/** Where a list begins. */
const fromTheTop = { changedAt: Number.MAX_SAFE_INTEGER, shopId: '', orderId: '' }

// The feed of changes. A row is written in the commit of what changed, and gets its place in the feed when somebody reads: on several connections
// the order of ids is not the order of commits, and a reader must not step over a change that is committed later.

const changeFrom = ({
  id: _,
  place,
  shop_id: shop,
  attempt_id: attempt,
  ...row
}: Row<'changes'>): PaymentChange => ({
  ...plain(row),
  kind: row.kind as PaymentChange['kind'],
  cursor: String(place),
  shop,
  attempt,
})

/** Numbered in one commit at most. */
const mostPlaced = 5_000

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

    /** The changes behind a place, in order. */
    changes: read(function* ({ after, limit }: { after: number; limit: number }): Command<PaymentChange[]> {
      return (yield* all(behind, { after, limit })).map(changeFrom)
    }),
  }
}
