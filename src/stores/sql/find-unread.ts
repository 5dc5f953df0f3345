import { type Kysely, sql } from 'kysely'
import { remindAfter } from '../../payments/schedule.ts'
import type { Place } from './columns.ts'
import { ask, type Command, eachFor, first, prepare, type Query, together } from './query.ts'
import type { Tables } from './schema.ts'
import { prepareText } from './sets.ts'

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
