import { type Kysely, sql } from 'kysely'
import { nextReminder, remindAfter } from '../../payments/schedule.ts'
import type { OrderKey, Reminded } from '../../store.ts'
import type { NotificationCommands } from './notifications.ts'
import { all, ask, type Command, first, prepare, together } from './query.ts'
import { skipLocked } from './skip-locked.ts'
import type { Tables } from './tables.ts'

/** Webhooks that a shop accepted without reading the status after them. They are delivered again, on a slow schedule. */
export function unreadCommands(db: Kysely<Tables>, { owes }: Pick<NotificationCommands, 'owes'>) {
  const due = prepare((value) =>
    db
      .selectFrom('payments')
      .select(['shop_id', 'order_id', 'webhook_url', 'status_version', 'accepted_at'])
      .select(({ selectFrom }) =>
        selectFrom('notifications')
          .select('owed_since')
          .whereRef('notifications.shop_id', '=', 'payments.shop_id')
          .whereRef('notifications.order_id', '=', 'payments.order_id')
          .as('owed_since'),
      )
      .where('remind_at', '<=', value('now'))
      .orderBy('remind_at')
      .limit(value('limit'))
      .$call(skipLocked(db)),
  )
  const saveReminder = prepare((value) =>
    db
      .updateTable('payments')
      .set({ remind_at: value('remindAt') })
      .where('shop_id', '=', value('shopId'))
      .where('order_id', '=', value('orderId')),
  )
  const count = prepare((value) =>
    db
      .selectFrom('payments')
      .select(sql<number>`count(*)`.as('unread'))
      .where('remind_at', 'is not', null)
      .where('accepted_at', '<=', value('before')),
  )

  return {
    *remindUnread({ now, limit }: { now: number; limit: number }): Command<Reminded> {
      const rows = yield* all(due, { now, limit })
      yield* together(
        ...rows.map((row) =>
          ask(saveReminder, {
            shopId: row.shop_id,
            orderId: row.order_id,
            remindAt: nextReminder(row.accepted_at!, now),
          }),
        ),
      )
      const reminded: OrderKey[] = []
      for (const row of rows) {
        // A call that is owed already, or was given up, says the same.
        if (row.owed_since !== null) continue
        const order = { shopId: row.shop_id, orderId: row.order_id }
        yield* owes({ ...order, webhookUrl: row.webhook_url, statusVersion: row.status_version }, now)
        reminded.push(order)
      }
      return { reminded, more: rows.length === limit }
    },

    *countUnread(now: number): Command<number> {
      return (yield* first(count, { before: now - remindAfter }))!.unread
    },
  }
}
