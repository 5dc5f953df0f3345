import { sql } from 'kysely'
import { type Db, type Plain, plain, type Row, value } from '../../store/columns.ts'
import { all, type Command, first, holding, read, together, write } from '../../store/query.ts'
import type { AuditCommands } from './audit.ts'

/** One minute of one thing on a node. Durations are in milliseconds. */
export type Minute = Omit<Plain<Row<'minutes'>>, 'span' | 'minute' | 'node'>
/** The sum of all nodes for one label in a minute or half an hour: the highest of their percentiles. */
export type MinuteSum = Plain<SumRow>

interface SumRow extends Omit<Row<'minutes'>, 'span' | 'node'> {}

const halfHour = 30 * 60_000
const keptFor = { 1: 48 * 3_600_000, 30: 30 * 24 * 3_600_000 }
/** A way into the console that was made by command. Times are milliseconds since 1970. */
export type ConsoleLink = Plain<Row<'console_links'>>

/** The commands of the console alone: minutes, links into it, and who was signed out. */
export function consoleCommands(db: Db, audit: AuditCommands) {
  const figures = ['p50', 'p95', 'p99'].map((name) => sql.ref(name))
  const greater = db.isServer ? sql`greatest` : sql`max`
  const highest = sql.join(figures.map((one) => sql`${one} = ${greater}(minutes.${one}, excluded.${one})`))
  const put = db.text<unknown>`insert into minutes (what, span, minute, label, node, count, failed, p50, p95, p99)
      values (${sql.join('what span minute label node count failed p50 p95 p99'.split(' ').map(value))})
      on conflict (what, span, minute, label, node) do update
        set count = minutes.count + excluded.count, failed = minutes.failed + excluded.failed, ${highest}`
  const old = db.text<unknown>`delete from minutes where span = cast(${value('span')} as integer) and minute < ${value('before')}`
  const sums = db.text<SumRow>`select what, label, minute, sum(count) as count, sum(failed) as failed, max(p50) as p50,
        max(p95) as p95, max(p99) as p99
      from minutes where what = ${value('what')} and span = cast(${value('span')} as integer) and minute >= ${value('since')}
      group by what, label, minute order by minute`
  const addLink = db.addRow('console_links')
  const spend = db.text<Row<'console_links'>>`
    delete from console_links where token_hash = ${value('tokenHash')} returning *`
  const dropLinks = db.deleteBefore('console_links', 'expires_at')
  const signOut = db.putRow('console_sign_outs')
  const signedOut = db.rowsBy('console_sign_outs', ['name'])
  const newest = db.text<{ id: number | null }>`select max(id) as id from changes`

  return {
    /** Adds what a node saw in the minute that began at `minute`, and to its half hour what was delivered. */
    noteMinutes: write(function* (node: string, minute: number, rows: readonly Minute[]): Command<void> {
      yield* holding()
      const half = minute - (minute % halfHour)
      yield* together(
        ...rows.flatMap((row) => [
          put({ ...row, node, minute, span: 1 }),
          ...(row.what === 'delivery' ? [put({ ...row, node, minute: half, span: 30 })] : []),
        ]),
      )
    }),

    /** Deletes minutes after 48 h, half hours after 30 days, and links that are over. */
    forgetMinutes: write(function* (now: number): Command<void> {
      yield* holding()
      yield* together(
        old({ span: 1, before: now - keptFor[1] }),
        old({ span: 30, before: now - keptFor[30] }),
        dropLinks({ before: now }),
      )
    }),

    /** The minutes (`span` 1) of one thing, or the half hours (30) of deliveries, since a moment, oldest first. */
    minutes: read(function* (what: string, span: 1 | 30, since: number): Command<MinuteSum[]> {
      const rows = yield* all(sums, { what, span, since })
      return rows.map((row) => ({ ...plain(row), count: Number(row.count), failed: Number(row.failed) }))
    }),

    addConsoleLink: write(function* (link: ConsoleLink, who: { at: number; by: string }): Command<void> {
      yield* holding()
      const entry = audit.entry('', who, { action: 'console.link_made', name: link.name, role: link.role })
      yield* together(addLink({ ...link }), entry)
    }),

    /** The link with this token, which opens nothing from now on. Resolves with `undefined` for one that is unknown or over. */
    spendConsoleLink: write(function* (tokenHash: string, now: number): Command<ConsoleLink | undefined> {
      yield* holding()
      const row = yield* first(spend, { tokenHash })
      return row && row.expires_at > now ? plain(row) : undefined
    }),

    /** Ends every session that somebody began before now. */
    signOutOfConsole: write(function* (name: string, now: number, by: string): Command<void> {
      yield* holding()
      const action = { action: 'console.signed_out', ...(by !== name && { name }) } as const
      yield* together(signOut({ name, at: now }), audit.entry('', { at: now, by }, action))
    }),

    /** When somebody was signed out everywhere last, in milliseconds since 1970; 0 for never. */
    signedOutAt: read(function* (name: string): Command<number> {
      return (yield* first(signedOut, { name }))?.at ?? 0
    }),

    /** Changes with every event of a payment. */
    lastChange: read(function* (): Command<number> {
      return (yield* first(newest, {}))?.id ?? 0
    }),
  }
}
