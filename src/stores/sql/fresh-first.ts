import { type RawBuilder, sql } from 'kysely'
import { refusedPlaces } from '../../payments/lane.ts'
import { refusedKind } from './schema.ts'

// An open lane takes fresh calls before refused ones, so that a pile of refused orders delays no good order of the same shop. Each kind
// is read in the order in which it became due, from an index that keeps the two apart.

const kind = sql.raw(refusedKind)
export const isFresh = sql<boolean>`(${kind}) = 0`
export const isRefused = sql<boolean>`(${kind}) = 1`

type Calls = 'webhooks' | 'pushes'

/** The earliest `due_at` among calls of a lane: two looks into the index, however many calls wait. Null without one. */
export const firstDue = (calls: Calls, where: RawBuilder<boolean>) =>
  sql<number | null>`(select min(due_at) from (
    select min(due_at) as due_at from ${sql.table(calls)} where ${where} and ${isFresh}
    union all select min(due_at) from ${sql.table(calls)} where ${where} and ${isRefused}) as of_each)`

/** Whether a lane has such a call, of either kind. */
export const hasCall = (calls: Calls, where: RawBuilder<boolean>) =>
  sql<boolean>`(exists (select 1 from ${sql.table(calls)} where ${where} and ${isFresh})
    or exists (select 1 from ${sql.table(calls)} where ${where} and ${isRefused}))`

/** A probe is chosen among so many of each kind that are due first: a look never reads all that is owed. */
const frontOfLane = sql<number>`1000`

/** Whether a call, named by its key, is among the first of its lane. */
export function inFront(calls: Calls, key: readonly string[], where: RawBuilder<boolean>) {
  const columns = sql.join(key.map((column) => sql.ref(column)))
  const first = (ofKind: RawBuilder<boolean>) => sql`select ${columns} from
    (select ${columns} from ${sql.table(calls)} where ${where} and ${ofKind} order by due_at limit ${frontOfLane}) as first_due`
  // Selected from both together: from a bare union SQLite would look through the whole table.
  return sql<boolean>`(${columns}) in
    (select ${columns} from (${first(isFresh)} union all ${first(isRefused)}) as of_each)`
}

interface Leased {
  leased_until: number | null
}

/** The calls of one kind that are due: free ones, and how many are leased. */
export interface DueCalls<Row> {
  free: readonly Row[]
  leased: number
}

export function dueCalls<Row extends Leased>(rows: readonly Row[], now: number): DueCalls<Row> {
  const free = rows.filter(({ leased_until }) => leased_until === null || leased_until <= now)
  return { free, leased: rows.length - free.length }
}

/** Divides the free places of a lane: refused calls get what is kept for them, and fresh ones all others. */
export function divide<Row>(
  of: { fresh: DueCalls<Row>; refused: DueCalls<Row> },
  { most, places }: { most: number; places: number },
): { taken: Row[]; left: { fresh: number; refused: number }; refusedAreFull: boolean } {
  const { kept, atMost } = refusedPlaces(most)
  const { fresh, refused } = of
  const wanted = Math.max(kept - refused.leased, places - fresh.free.length)
  const room = Math.max(0, atMost - refused.leased)
  const ofRefused = Math.max(0, Math.min(wanted, room, places, refused.free.length))
  const ofFresh = Math.min(places - ofRefused, fresh.free.length)
  return {
    taken: [...fresh.free.slice(0, ofFresh), ...refused.free.slice(0, ofRefused)],
    left: { fresh: fresh.free.length - ofFresh, refused: refused.free.length - ofRefused },
    refusedAreFull: ofRefused === room,
  }
}
