import { type Kysely, sql } from 'kysely'
import { laneName } from '../../payments/lane.ts'
import { countUnreadFor, nextReminder, remindAfter } from '../../payments/schedule.ts'
import type { OrderKey } from '../../store/payments.ts'
import type { Reminded, Unread, UnreadFilter } from '../../store/webhooks.ts'
import { ifGiven, ofOrder, type Place, setColumns, skipLocked } from './columns.ts'
import { read, write } from './port.ts'
import {
  all,
  alone,
  ask,
  type Command,
  eachFor,
  first,
  lastly,
  prepare,
  type Query,
  type Step,
  together,
} from './query.ts'
import { orderFrom } from './rows.ts'
import type { Tables } from './schema.ts'
import { prepareText } from './sets.ts'
import type { WebhookCommands } from './webhooks.ts'

/** The pause before a webhook with a locked lane is tried again, in milliseconds. Until then those of other lanes come first. */
const againAfter = 60_000

const unreadQueries = (db: Kysely<Tables>) => ({
  due: prepare((value) =>
    db
      .selectFrom('reminders')
      .select(['shop_id', 'order_id', 'version', 'accepted_at'])
      .where('remind_at', '<=', value('now'))
      .orderBy('remind_at')
      .limit(value('limit'))
      .$call(skipLocked(db)),
  ),
  about: prepare((value) =>
    db
      .selectFrom('payments')
      .select(['webhook_url', 'status_version', 'read_version'])
      .select(({ exists, selectFrom }) =>
        exists(selectFrom('webhooks').select('version').where(ofOrder(value))).as('is_owed'),
      )
      .where(ofOrder(value)),
  ),
  lanesOf: prepare((value) => db.selectFrom('lanes').select('lane').where('lane', '=', value('lane'))),
  freeLanes: prepare((value) =>
    db.selectFrom('lanes').select('lane').where('lane', '=', value('lane')).$call(skipLocked(db)),
  ),
  saveReminder: setColumns(db, 'reminders', ['remind_at'], ['shop_id', 'order_id']),
  drop: prepare((value) => db.deleteFrom('reminders').where(ofOrder(value))),
  count: prepare((value) =>
    db
      .selectFrom('reminders')
      .innerJoin('payments', (join) =>
        join
          .onRef('payments.shop_id', '=', 'reminders.shop_id')
          .onRef('payments.order_id', '=', 'reminders.order_id'),
      )
      .select(sql<number>`count(*)`.as('unread'))
      .where('reminders.accepted_at', '<=', value('before'))
      .whereRef('read_version', '<', 'version'),
  ),
  byShop: prepare((value) =>
    db
      .selectFrom('reminders')
      .innerJoin('payments', (join) =>
        join
          .onRef('payments.shop_id', '=', 'reminders.shop_id')
          .onRef('payments.order_id', '=', 'reminders.order_id'),
      )
      .select([
        'reminders.shop_id',
        sql<number>`count(*)`.as('orders'),
        sql<string>`min(reminders.order_id)`.as('order_id'),
        sql<number>`min(reminders.accepted_at)`.as('first_at'),
        sql<
          number | null
        >`min(case when reminders.remind_at < reminders.accepted_at + ${sql.lit(countUnreadFor)}
          then reminders.remind_at end)`.as('next_at'),
      ])
      .whereRef('read_version', '<', 'version')
      .where(ifGiven(value, 'reminders.shop_id'))
      .where(ifGiven(value, 'reminders.order_id'))
      .groupBy('reminders.shop_id')
      .orderBy('first_at')
      .orderBy('reminders.shop_id')
      .limit(value('limit')),
  ),
})

/** Webhooks that a shop accepted without reading the status after them. They are delivered again, on a slow schedule. */
export function unreadCommands(db: Kysely<Tables>, { owing }: Pick<WebhookCommands, 'owing'>) {
  const { due, about, lanesOf, freeLanes, saveReminder, drop, count, byShop } = unreadQueries(db)
  const lookForUnread = findUnread(db)

  /** Lanes locked by another client. The others are locked by this command, so they do not wait. */
  function* locked(lanes: ReadonlySet<string>): Command<Set<string>> {
    const names = [...lanes]
    const found = yield* together(
      ...names.flatMap((lane) => [ask(lanesOf, { lane }), ask(freeLanes, { lane })]),
    )
    return new Set(names.filter((_, index) => found[2 * index]!.length > found[2 * index + 1]!.length))
  }

  return {
    /** Owes up to `limit` webhooks again that a shop accepted without reading the status, if they are due for that. */
    remindUnread: write(function* ({ now, limit }: { now: number; limit: number }): Command<Reminded> {
      yield* alone('reminders')
      const found = yield* lookForUnread(now)
      const rows = yield* all(due, { now, limit })
      const more = found.more || rows.length === limit
      const payments = yield* together(...rows.map((row) => ask(about, orderFrom(row))))
      const reminded: OrderKey[] = []
      const neverRead: OrderKey[] = []
      const steps: Step[] = []
      const unread = rows.flatMap((row, index) => {
        const [payment] = payments[index]!
        const order = orderFrom(row)
        const isRead = !payment || payment.read_version >= row.version
        if (!isRead && now - row.accepted_at < countUnreadFor)
          return [{ ...row, ...payment, order, lane: laneName(row.shop_id, payment.webhook_url) }]
        if (!isRead) neverRead.push(order)
        steps.push(ask(drop, order))
        return []
      })
      const blocked = yield* locked(new Set(unread.map(({ lane }) => lane)))
      for (const { order, lane, ...row } of unread) {
        const isBlocked = blocked.has(lane)
        const remindAt = isBlocked ? now + againAfter : nextReminder(row.accepted_at, now)
        steps.push(ask(saveReminder, { ...order, remindAt }))
        // A webhook that is owed already, or was given up, has the same effect.
        if (row.is_owed || isBlocked) continue
        const { webhook_url: webhookUrl, status_version: statusVersion } = row
        steps.push(...owing({ ...order, webhookUrl, statusVersion, before: statusVersion }, now))
        reminded.push(order)
      }
      if (steps.length > 0) yield* lastly(...steps)
      return { reminded, neverRead, more }
    }),

    /** The number of webhooks that were accepted 15 minutes to 30 days ago without a read of the status since. */
    countUnread: read(function* (now: number): Command<number> {
      return (yield* first(count, { before: now - remindAfter }))!.unread
    }),

    /** The same by shop, the shop that waits longest first, or only those of one shop or order. */
    unread: read(function* ({ shopId, orderId, limit }: UnreadFilter): Command<Unread[]> {
      const rows = yield* all(byShop, { shopId, orderId, limit })
      return rows.map(({ shop_id, orders, order_id, first_at, next_at }) => ({
        ...{
          shopId: shop_id,
          orders,
          orderId: order_id,
          acceptedAt: first_at,
          remindAt: next_at ?? undefined,
        },
      }))
    }),
  }
}

/** The most deliveries of one look. Those of the same millisecond are looked at together. */
const most = 1_000

/**
 * Looks through the deliveries that are older than 15 minutes, each once, and notes those whose status was not read since: most were, so a
 * delivery itself writes nothing about that. A delivery is noted on disk within seconds, long before its look.
 */
export function findUnread(db: Kysely<Tables>) {
  const calledAt = sql<number>`coalesce(last_at, at)`
  const between = (value: Place, to: string) =>
    sql<boolean>`${calledAt} > ${value('from')} and ${calledAt} <= ${value(to)}`
  const lastLook = prepare(() =>
    db.selectFrom('feeds').select('last_place').where('name', '=', sql.lit('deliveries')),
  )
  const nextAt = (offset: number) =>
    prepare((value) =>
      db
        .selectFrom('deliveries')
        .select(calledAt.as('at'))
        .where(between(value, 'until'))
        .orderBy(calledAt)
        .limit(sql.lit(1))
        .offset(sql.lit(offset)),
    )
  const [firstAt, lastAt] = [nextAt(0), nextAt(most - 1)]
  const noteUnread = prepareText(
    db,
    (value) => sql`insert into reminders (shop_id, order_id, version, accepted_at, remind_at)
      select shop_id, order_id, version, accepted_at, accepted_at + ${sql.lit(remindAfter)} from (
        select deliveries.shop_id, deliveries.order_id, version,
          case when failure is null then at + ms else last_at + last_ms end as accepted_at
        from deliveries
          join payments on payments.shop_id = deliveries.shop_id and payments.order_id = deliveries.order_id
        where ${between(value, 'upTo')} and version = status_version and read_version < version
          and (failure is null or (last_at is not null and last_failure is null))
      ) as unread where true
      on conflict (order_id, shop_id) do update set version = excluded.version,
        accepted_at = excluded.accepted_at, remind_at = excluded.remind_at
      where reminders.version < excluded.version`,
  ) as Query<unknown>
  const noteLook = prepare((value) =>
    db
      .updateTable('feeds')
      .set({ last_place: value('upTo') })
      .where('name', '=', sql.lit('deliveries')),
  )
  /** The start of a look that a damaged page has stopped: it is left out, so that the looks after it go on. */
  let stoppedFrom: number | undefined

  /** Returns whether deliveries are left. */
  return function* look(now: number): Command<{ more: boolean }> {
    const from = (yield* first(lastLook, {}))?.last_place ?? 0
    const until = now - remindAfter
    if (until <= from) return { more: false }
    const [[begin], [end]] = yield* together(ask(firstAt, { from, until }), ask(lastAt, { from, until }))
    if (!begin) return { more: false }
    const upTo = end?.at ?? until
    const about = { from, upTo }
    if (stoppedFrom !== from) yield* eachFor([[from, ask(noteUnread, about)]], () => (stoppedFrom = from))
    yield* together(ask(noteLook, about))
    return { more: end !== undefined }
  }
}
