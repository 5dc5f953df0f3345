import { sql } from 'kysely'
import { type Db, matching, members, type Row, value } from '../../store/columns.ts'
import { all, type Command, first, holding, patient, read, together, write } from '../../store/query.ts'

/** A shop that was not called for so long is silent, in milliseconds. */
const silentAfter = 24 * 3_600_000
/** `new`: its platform has never called. `silent`: not for a day. */
export type ShopState = 'works' | 'silent' | 'new' | 'differs' | 'disabled'

export interface ShopSearch {
  /** A part of its id or of its platform's. */
  q?: string | undefined
  state?: ShopState | undefined
  /** The id of the last one of the page before. */
  after?: string | undefined
  now: number
  limit: number
}

const named = sql`(lower(id) like ${value('q')} escape ${sql.lit('!')} or lower(coalesce(platform_id, '')) like ${value('q')} escape ${sql.lit('!')})`

const stateNow = sql`case when disabled_at is not null then 'disabled' when compared <> '' then 'differs' when called_at is null then 'new'
  when called_at < cast(${value('now')} as bigint) - ${sql.lit(silentAfter)} then 'silent' else 'works' end`

interface StandingRow extends Row<'shops'> {
  state: ShopState
}

const standingOf = ({ state, ...row }: StandingRow) => ({
  ...members(row, 'id', 'platform_id', 'created_at', 'called_at', 'compared_at', 'compared'),
  state,
})
export type ShopStanding = ReturnType<typeof standingOf>

/** How shops stand, for people: when they were called, and how they are registered. */
export function standingCommands(db: Db) {
  const noteCall = db.setColumns('shops', ['called_at'], ['id'])
  const noteComparison = db.setColumns('shops', ['compared_at', 'compared'], ['id'])
  const page = db.text<StandingRow>`select *, ${stateNow} as state from shops where id > ${value('after')} and ${named}
      and (cast(${value('state')} as text) is null or ${stateNow} = ${value('state')})
      order by id limit ${value('limit')}`
  const byId = db.text<StandingRow>`select *, ${stateNow} as state from shops where ${matching('id')}`

  return {
    /** The platforms of these shops called just now. */
    noteCalls: patient(function* (ids: readonly string[], now: number): Command<void> {
      yield* holding()
      yield* together(...ids.map((id) => noteCall({ id, calledAt: now })))
    }),

    /** Stores how a shop's registration differed from the platform's records; an empty text where it did not. */
    noteComparison: write(function* (id: string, compared: string, now: number): Command<void> {
      yield* holding()
      yield* all(noteComparison, { id, compared, comparedAt: now })
    }),

    shopPage: read(function* ({ q = '', after = '', ...filter }: ShopSearch) {
      const rows = yield* all(page, { ...filter, after, q: `%${q.toLowerCase().replace(/[%_!]/g, '!$&')}%` })
      return rows.map(standingOf)
    }),

    shopStanding: read(function* (id: string, now: number) {
      const row = yield* first(byId, { id, now })
      return row && standingOf(row)
    }),
  }
}
