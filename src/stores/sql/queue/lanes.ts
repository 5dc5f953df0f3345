import { type RawBuilder, sql } from 'kysely'
import { isClosed, type Lane, laneDue, refusedPlaces } from '../../../payments/lane.ts'
import type { Place } from '../query.ts'
import { refusedKind } from '../tables/schema.ts'

// Shared by the lanes of webhooks and of pushes.

export const laneOfPush = sql`push_lanes.adapter = pushes.adapter and push_lanes.shop_id = pushes.shop_id`

/** A push that waits for a start to store its reference is no call that waits in its lane. */
export const waitsInLane = (value: Place) =>
  sql<boolean>`(trouble is null or trouble <> 'unmatched' or due_at <= ${value('now')})`

const restsFor = 30_000

/** Lanes whose calls lie on a damaged page of a SQLite file. Claims leave each of them out for 30 s, so that all others go on. */
export class DamagedLanes {
  readonly #until = new Map<string, number>()

  add(lane: string, now: number): void {
    this.#until.set(lane, now + restsFor)
  }

  restsUntil(lane: string, now: number): number | undefined {
    const until = this.#until.get(lane)
    if (until === undefined || until > now) return until
    this.#until.delete(lane)
    return undefined
  }
}

/** Leased calls first, because a closed lane has one call at a time. Then the least tried, then the longest due; refused ones come last. */
export const probeFirst = (value: Place) =>
  sql<number>`case when leased_until > ${value('now')} then 0 else 1 end, ${isRefused}, tries, due_at`

// `waits_for_lane` is 1 where a call failed in a way that its lane may be to blame for: it is due at once when the lane opens, and `recalls`
// counts that. One that fails again waits for the lane again when that closes. After five recalls a call keeps its own schedule, so that
// calls which fail by themselves beside good ones are not repeated without end. After a long outage the count begins anew. Both are 0 where
// the failure is the call's own.

/** Beside good calls a lane that single calls have closed opens sooner, in milliseconds. */
const longOutage = 15 * 60_000
export const isLong = (was: Lane, now: number): number => (now - (was.closedAt ?? now) >= longOutage ? 1 : 0)

const mayBeOfLane = sql<boolean>`(waits_for_lane = 1 or recalls > 0)`
export const recalledAfter = (value: Place) =>
  sql<boolean>`(waits_for_lane = 1 or (recalls > 0 and ${value('long')} = 1))`
export const recallsAfter = (value: Place) =>
  sql<number>`case when ${value('long')} = 1 then 1 else recalls + 1 end`
/** A recalled call is soon tried again if it fails once more, however often it failed before. One that was refused keeps its place. */
export const triesAfterRecall = sql<number>`case when ${mayBeOfLane} and tries > 1 then 1 else tries end`

/**
 * A person's opening recalls every call that failed, however often it was recalled before, and what was refused on its own: the person knows
 * that the other side was repaired.
 */
export const mayBeRecalled = sql<boolean>`tries > 0`
export const recallsByHand = sql<number>`recalls + waits_for_lane`

/** It failed since its lane opened last, and was not recalled too often. */
export const mayWaitAgain = sql<boolean>`(waits_for_lane = 0 and recalls between 1 and 4)`

export const waitsAfter = (value: Place) =>
  sql<number>`case when ${value('waits')} = 1 and ${mayBeOfLane} and not (${value('closed')} = 1 and ${mayWaitAgain})
    then waits_for_lane else ${value('waits')} end`
/** A failure of its own begins anew. */
export const recallsAfterFailure = (value: Place) =>
  sql<number>`case when ${value('waits')} = 1 then recalls else 0 end`

/** `aboutOne`: the failure is about this call only, not its lane. */
export const failedIn = (was: Lane, aboutOne: boolean) => ({
  waits: aboutOne ? 0 : 1,
  closed: isClosed(was) ? 1 : 0,
})

/**
 * How many calls a look reads of those that are due first, if so many may be open. Leased calls were due before those that wait, so a look finds
 * them, and one more says that others wait.
 */
export const lookedAt = (most: number): number => most + 1

interface Taken<Row> {
  taken: Row[]
  /** The time of the lane's next check. */
  nextDue: number | undefined
  /** More may be due than may be called at a time. */
  full: boolean
}

/** The calls that a claim takes of a lane. */
export function takeFrom<Row extends { leased_until: number | null }>(
  lane: Lane,
  claim: {
    /** The due calls, fresh and refused ones apart. The probe of a closed lane counts as fresh. */
    fresh: readonly Row[]
    refused: readonly Row[]
    /** The due time of the first call that is not due yet. */
    after: number | undefined
    /** The most open calls of the lane, and the number that the claim still wants. */
    most: number
    room: number
    now: number
    leaseUntil: number
  },
): Taken<Row> {
  const { after, most, room, now, leaseUntil } = claim
  if (claim.fresh.length + claim.refused.length === 0)
    return { taken: [], nextDue: laneDue(lane, after), full: false }
  const fresh = dueCalls(claim.fresh, now)
  const refused = dueCalls(claim.refused, now)
  const leased = fresh.leased + refused.leased
  const places = Math.max(0, Math.min(most - leased, room))
  const { taken, left, refusedAreFull } = divide({ fresh, refused }, { most, places })
  const isFull = leased + taken.length >= most
  const onlyRefusedWait = left.refused > 0 && left.fresh === 0 && refusedAreFull
  const nextLook = () => {
    // A lane that is full or being probed is checked when one of its calls ends.
    if (isFull) return leaseUntil
    if (left.fresh + left.refused > 0 && !onlyRefusedWait) return now
    // A leased call may be free again when its lease ends.
    return laneDue(lane, Math.min(after ?? leaseUntil, leaseUntil))
  }
  return { taken, nextDue: nextLook(), full: isFull || onlyRefusedWait }
}

/** The record of an outage that ends now. */
export const ended = (was: Lane, now: number) => ({
  began: was.failingSince ?? was.closedAt ?? now,
  now,
  failure: was.lastFailure,
})

/** The columns of an outage that ends. `waiting` counts what waits in the lane then. */
export const outageColumns = (
  value: (name: string) => never,
  calls: 'webhooks' | 'pushes',
  ofLane: ReturnType<typeof sql<boolean>>,
) => ({
  outage_began_at: value('began'),
  outage_ended_at: value('now'),
  outage_failure: value('failure'),
  outage_waiting: sql<number>`(select count(*) from ${sql.table(calls)} where ${ofLane} and due_at is not null)`,
})

export const outageNames = ['outage_began_at', 'outage_ended_at', 'outage_failure', 'outage_waiting'] as const

/** Lanes in which nothing waits are forgotten, but not before their last outage is. */
export const mayBeForgotten = (value: (name: string) => never) =>
  sql<boolean>`next_due is null and (outage_ended_at is null or outage_ended_at < ${value('before')})`

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
interface DueCalls<Row> {
  free: readonly Row[]
  leased: number
}

function dueCalls<Row extends Leased>(rows: readonly Row[], now: number): DueCalls<Row> {
  const free = rows.filter(({ leased_until }) => leased_until === null || leased_until <= now)
  return { free, leased: rows.length - free.length }
}

/** Divides the free places of a lane: refused calls get what is kept for them, and fresh ones all others. */
function divide<Row>(
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
