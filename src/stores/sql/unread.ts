import { type Kysely, sql } from 'kysely'
import { laneName } from '../../payments/lane.ts'
import { countUnreadFor, nextReminder, remindAfter } from '../../payments/schedule.ts'
import type { OrderKey } from '../../store/payments.ts'
import type { Reminded, Unread, UnreadFilter } from '../../store/webhooks.ts'
import { ifGiven, ofOrder, skipLocked } from './columns.ts'
import { findUnread } from './find-unread.ts'
import { read, write } from './port.ts'
import { all, alone, ask, type Command, first, lastly, prepare, type Step, together } from './query.ts'
import { orderFrom } from './rows.ts'
import type { Tables } from './schema.ts'
import { setColumns } from './simple.ts'
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
