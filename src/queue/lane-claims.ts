import { type RawBuilder, sql } from 'kysely'
import { type Db, matching, type Row, value } from '../store/columns.ts'
import { all, type Command, eachFor, inGroups, lastlyAsking, type Step, together } from '../store/query.ts'
import { type CallsInLanes, isFresh, isRefused, type LaneQueries, type Looked } from './lane-queries.ts'
import { isClosed, type Lane, laneFrom, type PoolClaim } from './lanes.ts'

/** The most lanes of one look: those that are due first may have nothing free. */
const mostLanes = 256
/**
 * On a server a lane that is full is looked into again after this time, in milliseconds. The end of one of its calls makes it due earlier,
 * unless another process has the lane locked at that moment.
 */
const againAfter = 1_000
/** Lanes whose calls lie on a damaged page of a SQLite file: claims leave each out for so long, so that all others go on. */
const restsFor = 30_000

export interface Claim extends PoolClaim {
  owner: string
}

/** A call that was claimed, and what the claim knows of its lane. */
export interface Claimed<Due> {
  row: Looked<Due>
  lane: string
  owner: string
  /** More may be due in its lane than may be open at a time. */
  full: boolean
  /** It is the single call of a closed lane. */
  probe: boolean
}

/**
 * Claims in three flights: find lanes, look at their calls, lease them with the commit. A server locks the lanes that are found, and leaves out
 * lanes and calls that another client has locked. The look comes after the locks, so it sees every call that was added before.
 */
export function laneClaims<Due extends object>(
  db: Db,
  { calls, key }: CallsInLanes,
  queries: LaneQueries<Due>,
) {
  const locks = db.isServer
  const dueLanes = dueLanesOf(db, sql.table(calls))
  const restsUntil = new Map<string, number>()
  const textOf = (row: object, name: string) => row[name as never] as string
  const keyOf = (row: unknown): string => key.map((name) => textOf(row as object, name)).join(' ')

  /** Claims look at a damaged lane again when its rest is over. */
  function* withoutDamaged(found: readonly Row<'lanes'>[], now: number): Command<Row<'lanes'>[]> {
    const rests = ({ lane }: Row<'lanes'>) => (restsUntil.get(lane) ?? 0) > now
    const steps = found.filter(rests).map(({ lane }) => queries.lookAt(1, [lane, restsUntil.get(lane)!, 0]))
    if (steps.length > 0) yield* together(...steps)
    return found.filter((row) => !rests(row))
  }

  function leaseOf(group: readonly Claimed<Due>[], { leaseUntil, owner, now }: Claim): Step {
    const common = key.slice(0, -1).map((name) => textOf(group[0]!.row, name))
    const ofEach = group.map(({ row }) => textOf(row, key.at(-1)!))
    return queries.lease(group.length, [leaseUntil, owner, ...common, ...ofEach, now])
  }

  /** Looks into lanes, and leases what the claim takes of them: `room` calls at most. `isLast`: nothing is left that it may take. */
  function* takeFrom(
    found: readonly Row<'lanes'>[],
    claim: Claim,
    { room, mayBeMore }: { room: number; mayBeMore: boolean },
  ): Command<{ taken: Claimed<Due>[]; isLast: boolean }> {
    const { now, owner, perLane } = claim
    const isDamaged = (lane: string) => void restsUntil.set(lane, now + restsFor)
    const about = { now, fresh: lookedAt(perLane), refused: lookedAt(refusedPlaces(perLane).atMost) }
    const lanes = found.map((row) => ({ lane: row.lane, state: laneFrom(row) }))
    const rows = yield* eachFor(
      lanes.map(({ lane, state }) => {
        const look = isClosed(state) ? queries.probe : queries.due
        return [lane, look({ lane, ...about })] as const
      }),
      isDamaged,
    )
    const taken: Claimed<Due>[] = []
    const looks = lanes.flatMap(({ lane, state }, index) => {
      const took = chosen(state, rows[index] as Looked<Due>[], { ...claim, room: room - taken.length })
      const { full } = took
      taken.push(...took.taken.map((row) => ({ row, lane, owner, full, probe: isClosed(state) })))
      const nextDue = full && locks ? Math.min(took.nextDue!, now + againAfter) : took.nextDue
      // A lane without room in this claim stays where it is among the lanes.
      return took.taken.length === 0 && nextDue === now ? [] : [{ lane, nextDue, full }]
    })
    const leases = [...Map.groupBy(taken, ({ lane }) => lane).values()]
      .flatMap(inGroups)
      .map((group) => [group[0]!.lane, leaseOf(group, claim)] as const)
    // One statement is about many lanes on a server. In the process a damaged page stops one lane only.
    const ofLanes = (locks ? inGroups(looks) : looks.map((look) => [look])).map((group) => {
      const values = group.flatMap(({ lane, nextDue = null, full }) => [lane, nextDue, full ? 1 : 0])
      return [group[0]!.lane, queries.lookAt(group.length, values)] as const
    })
    const steps = [...leases, ...ofLanes]
    const isLast = !mayBeMore || taken.length === room || taken.length === 0
    // A lease whose answer was lost ends, and the call is claimed again.
    const answers: unknown[][] =
      isLast && locks
        ? yield* lastlyAsking(...steps.map(([, step]) => step))
        : yield* eachFor(steps, isDamaged)
    const leased = new Set(answers.slice(0, leases.length).flat().map(keyOf))
    return { taken: locks ? taken.filter(({ row }) => leased.has(keyOf(row))) : taken, isLast }
  }

  return function* (claim: Claim, adapter: string): Command<Claimed<Due>[]> {
    const { now, limit, perLane } = claim
    const about = { adapter, now, perLane, refused: refusedPlaces(perLane).atMost }
    const claimed: Claimed<Due>[] = []
    for (;;) {
      const wanted = limit - claimed.length
      const found = yield* all(dueLanes, { ...about, wanted, lanes: Math.max(limit, mostLanes) })
      // Fewer than there may be: others have locked some.
      const mayBeMore = (found[0]?.planned ?? 0) >= wanted
      const left = yield* withoutDamaged(found, now)
      let isLast = true
      while (left.length > 0 && claimed.length < limit) {
        const some = left.splice(0, locks ? left.length : Math.ceil((limit - claimed.length) / perLane))
        const took = yield* takeFrom(some, claim, { room: limit - claimed.length, mayBeMore })
        claimed.push(...took.taken)
        isLast = took.isLast
      }
      if (isLast) return claimed
    }
  }
}

/**
 * Finds lanes that are due, those first that are due first. A server locks those among them that have as many due calls as are wanted.
 * `planned` counts these calls: as many as were wanted means that there may be more.
 */
function dueLanesOf(db: Db, calls: RawBuilder<unknown>) {
  const due = sql`lanes where ${matching('adapter')} and next_due <= ${value('now')}
    order by next_due limit ${value('lanes')}`
  const dueOf = (ofKind: RawBuilder<boolean>, limit: string) =>
    sql`(select due_at from ${calls} as call where call.lane = one.lane and ${ofKind} and due_at <= ${value('now')}
      order by due_at limit ${value(limit)})`
  const inProcess = sql`select * from ${due}`
  const onServer = sql`with planned as (
      select one.lane from (select lane from ${due}) as one left join lateral (
        select 1 from ${dueOf(isFresh, 'perLane')} as fresh
        union all select 1 from ${dueOf(isRefused, 'refused')} as refused
      ) as of_lane on true limit ${value('wanted')}
    )
    select *, (select count(*) from planned) as planned from lanes
    where lane in (select lane from planned) and next_due <= ${value('now')}
    order by next_due for update of lanes skip locked`
  return db.text<Row<'lanes'> & { planned?: number }>(db.isServer ? onServer : inProcess)
}

/**
 * How many calls a look reads of those that are due first, if so many may be open. Leased calls were due before those that wait, so a look finds
 * them, and one more says that others wait.
 */
const lookedAt = (most: number): number => most + 1

/**
 * How many places of an open lane are reserved for calls that were refused themselves, and their maximum: a quarter. So many of them delay
 * no other call of their lane, and they continue beside a steady stream of others.
 */
function refusedPlaces(most: number): { kept: number; atMost: number } {
  const kept = Math.floor(most / 4)
  return { kept, atMost: Math.max(1, kept) }
}

/** The calls that a claim takes of those that were found in a lane, `room` at most, and when the lane is looked into next. */
function chosen<Due extends object>(
  lane: Lane,
  found: readonly Looked<Due>[],
  { perLane, room, now, leaseUntil }: PoolClaim & { room: number },
): { taken: Looked<Due>[]; nextDue: number | undefined; full: boolean } {
  const after = found[0]!.later ?? undefined
  /** A closed lane is not looked into before its probe. */
  const notBefore = (due: number) => Math.max(due, lane.probeAt ?? 0)
  const due = found.filter(({ is_refused }) => is_refused !== null)
  if (due.length === 0)
    return { taken: [], nextDue: after === undefined ? undefined : notBefore(after), full: false }
  // The probe of a closed lane counts as fresh.
  const most = isClosed(lane) ? 1 : perLane
  const free = due.filter(({ leased_until }) => leased_until === null || leased_until <= now)
  const fresh = free.filter(({ is_refused }) => is_refused === 0)
  const refused = free.filter(({ is_refused }) => is_refused === 1)
  const leased = due.length - free.length
  const leasedOfRefused = due.filter(({ is_refused }) => is_refused === 1).length - refused.length
  const places = Math.max(0, Math.min(most - leased, room))
  // Refused calls get what is kept for them, and fresh ones all others.
  const { kept, atMost } = refusedPlaces(most)
  const roomOfRefused = Math.max(0, atMost - leasedOfRefused)
  const wanted = Math.max(kept - leasedOfRefused, places - fresh.length)
  const ofRefused = Math.max(0, Math.min(wanted, roomOfRefused, places, refused.length))
  const ofFresh = Math.min(places - ofRefused, fresh.length)
  const taken = [...fresh.slice(0, ofFresh), ...refused.slice(0, ofRefused)]
  const isFull = leased + taken.length >= most
  const waits = taken.length < free.length
  const onlyRefusedWait = waits && ofFresh === fresh.length && ofRefused === roomOfRefused
  const nextLook = () => {
    // A lane that is full or being probed is checked when one of its calls ends.
    if (isFull) return leaseUntil
    if (waits && !onlyRefusedWait) return now
    // A leased call may be free again when its lease ends.
    return notBefore(Math.min(after ?? leaseUntil, leaseUntil))
  }
  return { taken, nextDue: nextLook(), full: isFull || onlyRefusedWait }
}
