import { sql } from 'kysely'
import { webhookLane } from '../../queue/lanes.ts'
import { countUnreadFor, nextReminder, remindAfter } from '../../queue/schedule.ts'
import { type Db, ifGiven, ofOrder, orderFrom, plain, type Row, value } from '../../store/columns.ts'
import {
  all,
  alone,
  type Command,
  eachFor,
  first,
  lastly,
  read,
  type Step,
  together,
  write,
} from '../../store/query.ts'
import type { WebhookCommands } from './webhooks.ts'

/** The pause before a webhook with a locked lane is tried again, in milliseconds. Until then those of other lanes come first. */
const againAfter = 60_000

const withPayments = sql`reminders join payments
  on payments.shop_id = reminders.shop_id and payments.order_id = reminders.order_id`

/** Webhooks that a shop accepted at least 15 minutes ago without reading the status since. Times are milliseconds since 1970. */
export interface UnreadRow {
  shop_id: string
  /** How many orders have such a webhook, and one of them. */
  orders: number
  order_id: string
  /** When the shop accepted the first of them. */
  accepted_at: number
  /** The time of the next reminder. Not set after the last one, a week later. */
  remind_at: number | null
}

export interface UnreadFilter {
  shopId?: string | undefined
  /** Needs `shopId`. */
  orderId?: string | undefined
  limit: number
}

interface AboutRow extends Pick<Row<'payments'>, 'webhook_url' | 'status_version' | 'read_version'> {
  is_owed: boolean | number
}

/** Webhooks that a shop accepted without reading the status after them. They are delivered again, on a slow schedule. */
export function unreadCommands(db: Db, { owing }: Pick<WebhookCommands, 'owing'>) {
  const due = db.text<
    Omit<Row<'reminders'>, 'remind_at'>
  >`select * from reminders where remind_at <= ${value('now')}
      order by remind_at limit ${value('limit')} ${db.skipsLocked}`
  const about = db.text<AboutRow>`select webhook_url, status_version, read_version,
        exists (select version from webhooks where ${ofOrder}) as is_owed
      from payments where ${ofOrder}`
  const lanesOf = db.rowsBy('lanes', ['lane'])
  const freeLanes = db.text<{ lane: string }>`
    select lane from lanes where lane = ${value('lane')} ${db.skipsLocked}`
  const saveReminder = db.setColumns('reminders', ['remind_at'], ['shop_id', 'order_id'])
  const drop = db.deleteBy('reminders', 'shop_id', 'order_id')
  const count = db.text<{ unread: number }>`select count(*) as unread from ${withPayments}
      where reminders.accepted_at <= ${value('before')} and read_version < version`
  const byShop = db.text<UnreadRow>`select reminders.shop_id, count(*) as orders, min(reminders.order_id) as order_id,
        min(accepted_at) as accepted_at,
        min(case when remind_at < accepted_at + ${sql.lit(countUnreadFor)} then remind_at end) as remind_at
      from ${withPayments} where read_version < version
        and ${ifGiven('reminders.shop_id')} and ${ifGiven('reminders.order_id')}
      group by reminders.shop_id order by min(accepted_at), reminders.shop_id limit ${value('limit')}`
  const lookForUnread = findUnread(db)

  /** Lanes locked by another client. The others are locked by this command, so they do not wait. */
  function* locked(lanes: ReadonlySet<string>): Command<Set<string>> {
    const names = [...lanes]
    const found = yield* together(...names.flatMap((lane) => [lanesOf({ lane }), freeLanes({ lane })]))
    return new Set(names.filter((_, index) => found[2 * index]!.length > found[2 * index + 1]!.length))
  }

  return {
    /**
     * Owes up to `limit` webhooks again that a shop accepted without reading the status, if they are due for that: `reminded`. Those in `neverRead`
     * were not read for 30 days, and are no longer counted. `more` may be due.
     */
    remindUnread: write(function* ({ now, limit }: { now: number; limit: number }) {
      yield* alone('reminders')
      const found = yield* lookForUnread(now)
      const rows = yield* all(due, { now, limit })
      const more = found.more || rows.length === limit
      const payments = yield* together(...rows.map((row) => about(orderFrom(row))))
      const reminded: ReturnType<typeof orderFrom>[] = []
      const neverRead: ReturnType<typeof orderFrom>[] = []
      const steps: Step[] = []
      const unread = rows.flatMap((row, index) => {
        const [payment] = payments[index]!
        const order = orderFrom(row)
        const isRead = !payment || payment.read_version >= row.version
        if (!isRead && now - row.accepted_at < countUnreadFor)
          return [{ ...row, ...payment, order, lane: webhookLane(row.shop_id, payment.webhook_url).lane }]
        if (!isRead) neverRead.push(order)
        steps.push(drop(order))
        return []
      })
      const blocked = yield* locked(new Set(unread.map(({ lane }) => lane)))
      for (const { order, lane, ...row } of unread) {
        const isBlocked = blocked.has(lane)
        const remindAt = isBlocked ? now + againAfter : nextReminder(row.accepted_at, now)
        steps.push(saveReminder({ ...order, remindAt }))
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
    unread: read(function* (filter: UnreadFilter) {
      return (yield* all(byShop, { ...filter })).map(plain)
    }),
  }
}

/** The most deliveries of one look. Those of the same millisecond are looked at together. */
const most = 1_000

/**
 * Looks through the deliveries that are older than 15 minutes, each once, and notes those whose status was not read since: most were, so a
 * delivery itself writes nothing about that. A delivery is noted on disk within seconds, long before its look.
 */
function findUnread(db: Db) {
  const calledAt = sql<number>`coalesce(deliveries.last_at, at)`
  const between = (to: string) => sql<boolean>`${calledAt} > ${value('from')} and ${calledAt} <= ${value(to)}`
  const lastLook = db.text<{ last_place: number }>`select last_place from feeds where name = 'deliveries'`
  const nextAt = (offset: number) =>
    db.text<{ at: number }>`select ${calledAt} as at from deliveries where ${between('until')}
        order by ${calledAt} limit 1 offset ${sql.lit(offset)}`
  const [firstAt, lastAt] = [nextAt(0), nextAt(most - 1)]
  const noteUnread = db.text<unknown>`insert into reminders (shop_id, order_id, version, accepted_at, remind_at)
      select shop_id, order_id, version, accepted_at, accepted_at + ${sql.lit(remindAfter)} from (
        select deliveries.shop_id, deliveries.order_id, version,
          case when failure is null then at + ms else deliveries.last_at + last_ms end as accepted_at
        from deliveries
          join payments on payments.shop_id = deliveries.shop_id and payments.order_id = deliveries.order_id
        where ${between('upTo')} and version = status_version and read_version < version
          and (failure is null or (deliveries.last_at is not null and last_failure is null))
      ) as unread where true
      on conflict (order_id, shop_id) do update set version = excluded.version,
        accepted_at = excluded.accepted_at, remind_at = excluded.remind_at
      where reminders.version < excluded.version`
  const noteLook = db.text<unknown>`update feeds set last_place = ${value('upTo')} where name = 'deliveries'`
  /** The start of a look that a damaged page has stopped: it is left out, so that the looks after it go on. */
  let stoppedFrom: number | undefined

  return function* look(now: number): Command<{ more: boolean }> {
    const from = (yield* first(lastLook, {}))?.last_place ?? 0
    const until = now - remindAfter
    if (until <= from) return { more: false }
    const [[begin], [end]] = yield* together(firstAt({ from, until }), lastAt({ from, until }))
    if (!begin) return { more: false }
    const upTo = end?.at ?? until
    const about = { from, upTo }
    if (stoppedFrom !== from) yield* eachFor([[from, noteUnread(about)]], () => (stoppedFrom = from))
    yield* together(noteLook(about))
    return { more: end !== undefined }
  }
}
