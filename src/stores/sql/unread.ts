import { type Kysely, sql } from 'kysely'
import { laneName } from '../../payments/lane.ts'
import { countUnreadFor, nextReminder, remindAfter } from '../../payments/schedule.ts'
import type { OrderKey } from '../../store.ts'
import { skipLocked } from './columns.ts'
import type { Commands } from './port.ts'
import { all, alone, ask, type Command, first, lastly, prepare, type Step, together } from './query.ts'
import { orderFrom } from './rows.ts'
import { setColumns } from './simple.ts'
import type { Tables } from './tables.ts'
import type { WebhookCommands } from './webhooks.ts'

/** The pause before a webhook with a locked lane is tried again, in milliseconds. Until then those of other lanes come first. */
const againAfter = 60_000

/** Webhooks that a shop accepted without reading the status after them. They are delivered again, on a slow schedule. */
export function unreadCommands(db: Kysely<Tables>, { owing }: Pick<WebhookCommands, 'owing'>) {
  const due = prepare((value) =>
    db
      .selectFrom('payments')
      .select(['shop_id', 'order_id', 'webhook_url', 'status_version', 'accepted_at'])
      .select(({ selectFrom }) =>
        selectFrom('webhooks')
          .select('owed_since')
          .whereRef('webhooks.shop_id', '=', 'payments.shop_id')
          .whereRef('webhooks.order_id', '=', 'payments.order_id')
          .as('owed_since'),
      )
      .where('remind_at', '<=', value('now'))
      .orderBy('remind_at')
      .limit(value('limit'))
      .$call(skipLocked(db)),
  )
  const lanesOf = prepare((value) => db.selectFrom('lanes').select('lane').where('lane', '=', value('lane')))
  const freeLanes = prepare((value) =>
    db.selectFrom('lanes').select('lane').where('lane', '=', value('lane')).$call(skipLocked(db)),
  )
  const saveReminder = setColumns(db, 'payments', ['remind_at'], ['shop_id', 'order_id'])
  const count = prepare((value) =>
    db
      .selectFrom('payments')
      .select(sql<number>`count(*)`.as('unread'))
      .where('remind_at', 'is not', null)
      .where('accepted_at', '<=', value('before')),
  )

  /** Lanes locked by another client. The others are locked by this command, so they do not wait. */
  function* locked(lanes: ReadonlySet<string>): Command<Set<string>> {
    const names = [...lanes]
    const found = yield* together(
      ...names.flatMap((lane) => [ask(lanesOf, { lane }), ask(freeLanes, { lane })]),
    )
    return new Set(names.filter((_, index) => found[2 * index]!.length > found[2 * index + 1]!.length))
  }

  return {
    *remindUnread({ now, limit }) {
      yield* alone('reminders')
      const rows = (yield* all(due, { now, limit })).map((row) => ({
        ...row,
        lane: laneName(row.shop_id, row.webhook_url),
      }))
      if (rows.length === 0) return { reminded: [], neverRead: [], more: false }
      const isOver = ({ accepted_at }: { accepted_at: number | null }) => now - accepted_at! >= countUnreadFor
      const blocked = yield* locked(new Set(rows.map(({ lane }) => lane)))
      const reminded: OrderKey[] = []
      const neverRead: OrderKey[] = []
      const steps: Step[] = []
      for (const row of rows) {
        const order = orderFrom(row)
        const remindAt = isOver(row)
          ? undefined
          : blocked.has(row.lane)
            ? now + againAfter
            : nextReminder(row.accepted_at!, now)
        steps.push(ask(saveReminder, { ...order, remindAt }))
        if (isOver(row)) neverRead.push(order)
        // A webhook that is owed already, or was given up, has the same effect.
        if (isOver(row) || row.owed_since !== null || blocked.has(row.lane)) continue
        steps.push(
          ...owing({ ...order, webhookUrl: row.webhook_url, statusVersion: row.status_version }, now),
        )
        reminded.push(order)
      }
      yield* lastly(...steps)
      return { reminded, neverRead, more: rows.length === limit }
    },

    *countUnread(now) {
      return (yield* first(count, { before: now - remindAfter }))!.unread
    },
  } satisfies Partial<Commands>
}
