import type { LaneFilter, LaneKey, LaneRecord, Store } from '../store.ts'
import { authorOf, type By } from './audit.ts'

/** A lane in which calls wait, as a person sees it. Times are milliseconds since 1970. */
export interface LaneView extends LaneKey {
  /** Closed: the other side fails, and single calls probe it. Probing: such a call is open now. */
  state: 'open' | 'closed' | 'probing'
  /** Since when it is closed, or since when the oldest call waits in an open one. */
  since: number | undefined
  /** When something is tried next, never in the past. Not set where nothing waits. */
  nextTryAt: number | undefined
  waiting: number
  /** Failed calls since the last success. */
  failures: number
  lastFailure: string | undefined
}

/** Lanes that are closed or in which something waits, the one that waits longest first. */
export async function listLanes(store: Store, filter: LaneFilter): Promise<LaneView[]> {
  return (await store.lanes(filter)).map((lane) => viewOf(lane, filter.now))
}

/** Opens a lane, and what waits in it is tried at once. Resolves with whether there is such a lane. */
export function openLane(store: Store, lane: LaneKey, now: number, { by }: By = {}): Promise<boolean> {
  return store.openLane(lane, now, authorOf(by))
}

function viewOf(lane: LaneRecord, now: number): LaneView {
  const { kind, shopId, to, waiting, failures, lastFailure, closedAt, waitingSince } = lane
  const isClosed = lane.probeAt !== undefined
  return {
    ...{ kind, shopId, to, waiting, failures, lastFailure },
    state: !isClosed ? 'open' : lane.open > 0 ? 'probing' : 'closed',
    since: isClosed ? (closedAt ?? waitingSince) : waitingSince,
    nextTryAt: lane.dueAt === undefined ? undefined : Math.max(lane.dueAt, lane.probeAt ?? 0, now),
  }
}
